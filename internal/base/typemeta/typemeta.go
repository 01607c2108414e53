// Package typemeta reads what an object says about its type and its name.
package typemeta

import (
	"maps"
	"strings"
)

// Type is the type that an object claims to have, e.g. CronTab in version v1 of
// the group stable.example.com.
type Type struct{ Group, Version, Kind string }

// Of returns the type of an object. Fields that are no strings count as empty.
func Of(object map[string]any) Type {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	group, version := Split(apiVersion)
	return Type{group, version, kind}
}

// Split returns the group and the version of an apiVersion. The group of v1 is
// empty.
func Split(apiVersion string) (group, version string) {
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		return "", apiVersion
	}
	return group, version
}

// APIVersion returns the group and the version, e.g. stable.example.com/v1.
func (t Type) APIVersion() string {
	if t.Group == "" {
		return t.Version
	}
	return t.Group + "/" + t.Version
}

// Name returns the name and the namespace of an object, each empty if it is
// absent.
func Name(object map[string]any) (namespace, name string) {
	metadata := Metadata(object)
	namespace, _ = metadata["namespace"].(string)
	name, _ = metadata["name"].(string)
	return namespace, name
}

// Metadata returns the metadata of an object, nil if it has none.
func Metadata(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	return metadata
}

// WithMetadata returns an object with a field of the metadata, without it if
// the value is nil. It shares all other content with the object.
func WithMetadata(object map[string]any, key string, value any) map[string]any {
	out, metadata := maps.Clone(object), maps.Clone(Metadata(object))
	if out == nil {
		out = map[string]any{}
	}
	if metadata == nil {
		metadata = map[string]any{}
	}
	if out["metadata"] = metadata; value == nil {
		delete(metadata, key)
	} else {
		metadata[key] = value
	}
	return out
}
