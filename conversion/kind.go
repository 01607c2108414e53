package conversion

import "github.com/crdsem/crdsem/internal/metadata"

// groupVersion prints as an apiVersion.
type groupVersion struct{ group, version string }

func (gv groupVersion) String() string {
	if gv.group == "" {
		return gv.version
	}
	return gv.group + "/" + gv.version
}

// groupVersionKind prints as in the server's errors.
type groupVersionKind struct {
	groupVersion
	kind string
}

func (gvk groupVersionKind) String() string {
	return gvk.group + "/" + gvk.version + ", Kind=" + gvk.kind
}

// kindOf reads apiVersion and kind of an object; an apiVersion that does not parse makes everything empty.
func kindOf(object map[string]any) groupVersionKind {
	group, version, err := metadata.ParseGroupVersion(stringAt(object, "apiVersion"))
	if err != nil {
		return groupVersionKind{}
	}
	return groupVersionKind{groupVersion{group, version}, stringAt(object, "kind")}
}

// stringAt returns a field, or "" if it is absent or no string.
func stringAt(object map[string]any, name string) string {
	s, _ := object[name].(string)
	return s
}
