package metadata

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Mode says what becomes of metadata that does not decode.
type Mode uint8

const (
	// Strict refuses metadata with a field that does not decode, as the server does with requests.
	Strict Mode = iota
	// Drop removes the fields that do not decode, as the server does with objects read from storage.
	Drop
)

// Coerced is the outcome of coercing metadata.
type Coerced struct {
	// Metadata is in normal form: the given map itself if it was so already, else a new map that may share unchanged values with it.
	Metadata map[string]any
	// Unknown holds the decoder paths of the fields that were removed because ObjectMeta does not have them, sorted, relative to the metadata; at
	// most 100 of them (in Drop mode, when something did not decode: of each field).
	Unknown []string
	// Changed tells that Metadata is a new map.
	Changed bool
}

// Coerce brings metadata into its normal form. The argument is what a resource has under "metadata", of any type; it is never changed. Metadata
// that is in normal form is returned as it is, without any allocation. The error has the server's decoder text; in Drop mode there is one only if
// the metadata is neither an object nor null (META-005 to META-008).
func Coerce(metadata any, mode Mode) (Coerced, error) {
	object, isObject := metadata.(map[string]any)
	if object != nil && objectMetaSpec.isNormal(object) {
		return Coerced{Metadata: object}, nil
	}
	if err := unwritable(metadata); err != nil {
		return Coerced{}, err
	}
	if isNull(metadata) {
		return Coerced{Metadata: map[string]any{}, Changed: true}, nil
	}
	if !isObject {
		if mode == Drop {
			return Coerced{}, fmt.Errorf("invalid metadata: expected object, got %T", metadata)
		}
		return Coerced{}, place{}.mismatchError(describe(metadata), objectMetaSpec.goType)
	}
	keys := sortedKeys(object)
	out, unknown, err := decode(&objectMetaSpec, object, keys)
	if err != nil && mode == Strict {
		return Coerced{}, err
	}
	if err != nil {
		out, unknown = decodeEach(object, keys)
	}
	slices.Sort(unknown)
	return Coerced{Metadata: out, Unknown: unknown, Changed: true}, nil
}

// decodeEach decodes each field by itself and leaves out those that fail.
func decodeEach(object map[string]any, keys []string) (map[string]any, []string) {
	out := make(map[string]any, len(keys))
	var unknown []string
	for i, key := range keys {
		one, paths, err := decode(&objectMetaSpec, object, keys[i:i+1])
		if err != nil {
			continue
		}
		unknown = append(unknown, paths...)
		if value, ok := one[key]; ok {
			out[key] = value
		}
	}
	return out, unknown
}

// CoerceEmbedded coerces the resource at an embedded node: apiVersion and kind must be strings (in Drop mode they are removed if not) and metadata is
// brought into its normal form. The resource is changed in place: its metadata is replaced by a new map where that differs, the old metadata map is
// left alone. unknown lists the removed fields as metadata.<decoder path>. The error, of Strict mode only, has a field relative to the resource; move it
// with [At]. In Drop mode metadata that is not an object is left as it is (META-004 to META-008).
func CoerceEmbedded(resource map[string]any, mode Mode) (unknown []string, err *field.Error) {
	for _, key := range [...]string{"apiVersion", "kind"} {
		value, found := resource[key]
		if _, ok := value.(string); ok || !found {
			continue
		}
		if mode == Strict {
			return nil, field.Invalid(field.NewPath(key), value, "must be a string")
		}
		delete(resource, key)
	}
	metadata, found := resource["metadata"]
	if !found {
		return nil, nil
	}
	coerced, failure := Coerce(metadata, mode)
	if failure != nil {
		if mode == Strict {
			return nil, field.Invalid(field.NewPath("metadata"), metadata, failure.Error())
		}
		return nil, nil
	}
	if coerced.Changed {
		resource["metadata"] = coerced.Metadata
	}
	return underMetadata(coerced.Unknown), nil
}

// Root is what decoding takes from the top of a custom resource before the schema is applied to it.
type Root struct {
	// Metadata is the coerced metadata.
	Metadata Coerced
	// HasMetadata tells whether the resource has metadata at all; absent metadata stays absent.
	HasMetadata bool
	// Unknown lists the fields removed from metadata, as metadata.<decoder path>.
	Unknown []string
	// Group and Version are those of apiVersion.
	Group, Version string
	// Kind is "" where the resource has none.
	Kind string
}

// CoerceRoot reads apiVersion, kind and metadata of a custom resource, which is not changed: the caller prunes it and then writes
// Root.Metadata back if it has changed (in Drop mode, too). The error is the plain text of the server's answer 400 (META-022, META-023).
func CoerceRoot(resource map[string]any, mode Mode) (Root, error) {
	kind, err := stringAt(resource, "kind")
	if err != nil {
		return Root{}, err
	}
	apiVersion, err := stringAt(resource, "apiVersion")
	if err != nil {
		return Root{}, err
	}
	root := Root{Kind: kind}
	metadata, found := resource["metadata"]
	if found {
		if root.Metadata, err = Coerce(metadata, mode); err != nil {
			return Root{}, err
		}
		root.HasMetadata = true
		root.Unknown = underMetadata(root.Metadata.Unknown)
	}
	if root.Group, root.Version, err = ParseGroupVersion(apiVersion); err != nil {
		return Root{}, err
	}
	return root, nil
}

// NormalRoot is CoerceRoot for a resource that may hold anything, also what no JSON has: it looks at apiVersion, kind and metadata only, and
// reports false unless they are all as they should be: kind a string that is not empty, apiVersion, if any, a string that parses, metadata, if any,
// in normal form, and no nesting beyond what the server's decoder accepts. Then there is nothing to be changed. It allocates nothing.
func NormalRoot(resource map[string]any) (Root, bool) {
	kind, _ := resource["kind"].(string)
	apiVersion, err := stringAt(resource, "apiVersion")
	if kind == "" || err != nil {
		return Root{}, false
	}
	root := Root{Kind: kind}
	if root.Group, root.Version, err = ParseGroupVersion(apiVersion); err != nil {
		return Root{}, false
	}
	var metadata any
	if metadata, root.HasMetadata = resource["metadata"]; !root.HasMetadata {
		return root, true
	}
	object, _ := metadata.(map[string]any)
	root.Metadata.Metadata = object
	return root, object != nil && objectMetaSpec.isNormal(object)
}

func stringAt(resource map[string]any, key string) (string, error) {
	value, found := resource[key]
	s, ok := value.(string)
	if found && !ok {
		return "", fmt.Errorf(".%s accessor error: %v is of the type %T, expected string", key, value, value)
	}
	return s, nil
}

func underMetadata(unknown []string) []string {
	if len(unknown) == 0 {
		return nil
	}
	paths := make([]string, len(unknown))
	for i, path := range unknown {
		paths[i] = "metadata." + path
	}
	return paths
}

// ParseGroupVersion splits an apiVersion into group and version. "" and "/" give two empty strings; more than one slash is an error with
// the server's text. Nothing else is checked.
func ParseGroupVersion(apiVersion string) (group, version string, err error) {
	if apiVersion == "" || apiVersion == "/" {
		return "", "", nil
	}
	switch strings.Count(apiVersion, "/") {
	case 0:
		return "", apiVersion, nil
	case 1:
		group, version, _ = strings.Cut(apiVersion, "/")
		return group, version, nil
	}
	return "", "", fmt.Errorf("unexpected GroupVersion string: %s", apiVersion)
}

// At moves errors that are relative to a resource to where the resource lies. The errors are changed and returned; a nil path leaves them.
func At(path *field.Path, errs ...*field.Error) field.ErrorList {
	if path == nil {
		return errs
	}
	prefix := path.String()
	for _, err := range errs {
		if !strings.HasPrefix(err.Field, "[") {
			err.Field = prefix + "." + err.Field
			continue
		}
		err.Field = prefix + err.Field
	}
	return errs
}
