package conversion

import "github.com/crdsem/crdsem/internal/belowstructural/metadata"

// groupVersion formats as an apiVersion.
type groupVersion struct{ group, version string }

// String returns the apiVersion, e.g. example.com/v1.
func (gv groupVersion) String() string {
	if gv.group == "" {
		return gv.version
	}
	return gv.group + "/" + gv.version
}

// groupVersionKind formats as in the server's errors.
type groupVersionKind struct {
	groupVersion
	kind string
}

// String returns e.g. "example.com/v1, Kind=Foo".
func (gvk groupVersionKind) String() string {
	return gvk.group + "/" + gvk.version + ", Kind=" + gvk.kind
}

// kindOf returns apiVersion and kind of an object. It is empty if the
// apiVersion does not parse.
func kindOf(object map[string]any) groupVersionKind {
	group, version, err := metadata.ParseGroupVersion(stringAt(object, "apiVersion"))
	if err != nil {
		return groupVersionKind{}
	}
	return groupVersionKind{groupVersion{group, version}, stringAt(object, "kind")}
}

// stringAt returns a field, or "" if it is absent or not a string.
func stringAt(object map[string]any, name string) string {
	s, _ := object[name].(string)
	return s
}
