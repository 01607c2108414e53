package manifest

import (
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// GroupKind identifies the objects of a definition.
type GroupKind struct{ Group, Kind string }

// String returns the kind and the group, e.g. CronTab.stable.example.com.
func (k GroupKind) String() string { return strings.TrimSuffix(k.Kind+"."+k.Group, ".") }

// Type is what an object says that it is.
type Type struct {
	GroupKind
	Version string
}

// TypeOf returns the type of an object. Fields that are no strings count as
// empty.
func TypeOf(object map[string]any) Type {
	t := typemeta.Of(object)
	return Type{GroupKind{t.Group, t.Kind}, t.Version}
}

// APIVersion returns the group and the version, e.g. stable.example.com/v1.
func (t Type) APIVersion() string {
	return typemeta.Type{Group: t.Group, Version: t.Version}.APIVersion()
}

// String returns the type in words, e.g. stable.example.com/v1 CronTab.
func (t Type) String() string { return strings.TrimSpace(t.APIVersion() + " " + t.Kind) }

// Names are the names under which a definition is found.
type Names struct {
	GroupKind
	// Plural is the name in URLs, e.g. crontabs.
	Plural string
}

// NamesOf returns the names that a definition asks for. They are empty in an
// object that is no definition.
func NamesOf(crd map[string]any) Names {
	group, _ := jsonvalue.At(crd, "spec", "group").(string)
	kind, _ := jsonvalue.At(crd, "spec", "names", "kind").(string)
	plural, _ := jsonvalue.At(crd, "spec", "names", "plural").(string)
	// Copies: they outlive the document, whose text they are parts of.
	return Names{GroupKind{strings.Clone(group), strings.Clone(kind)}, strings.Clone(plural)}
}
