// Package facadeoptions has the settings that the options of package crdsem
// change. An option is a function of them, so packages of this module can write
// options without a type for what they plug in: package apply plugs in the
// merge of server-side apply, whose library the facade does not link.
package facadeoptions

import (
	"context"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Definition is what a crdsem.DefinitionOption changes.
type Definition struct {
	// Profile is that of the minor of the server, nil without a choice.
	Profile *profile.Profile
	// Webhook converts objects, nil without one.
	Webhook conversion.Webhook
	// RuleOptions are those of the rules of every version.
	RuleOptions []celrules.Option
	// DefaultsMemory bounds the defaults of an object, in bytes.
	DefaultsMemory int64
	// Cache is a *crdsem.Cache, nil without one.
	Cache any
	// Stored is set for a definition that a server has stored.
	Stored bool
	// Server is a func(*crdsem.Definition, *crdsem.Version) Merge, nil if
	// nothing merges. It is called once for each version, when it is first
	// needed.
	Server any
}

// Stored reports whether options say that a server has stored the definition.
// Errors of options are those of who compiles with them.
func Stored[O ~func(*Definition) error](options []O) bool {
	var d Definition
	for _, o := range options {
		if o != nil {
			_ = o(&d)
		}
	}
	return d.Stored
}

// Merge merges an applied configuration into a live object, or into a new one
// if live is nil. The merged object has the defaults of the schema and
// metadata.managedFields. Neither argument is changed. Conflicts with other
// managers are a *crdsem.StatusError.
type Merge func(ctx context.Context, live, applied map[string]any,
	by Applier) (map[string]any, error)

// Applier says who applies.
type Applier struct {
	// Manager is the name of the field manager, e.g. "kubectl".
	Manager string
	// Subresource is empty or "status".
	Subresource string
	// Force is set if the manager takes over the fields in conflict.
	Force bool
	// Default returns a merged object with the defaults of the schema. The
	// error is a *crdsem.LimitError.
	Default func(object map[string]any) (map[string]any, error)
}
