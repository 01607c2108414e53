package metadata

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Mode selects what is done with metadata that does not decode.
type Mode uint8

const (
	// Strict rejects metadata with a field that does not decode, as the server
	// does for requests.
	Strict Mode = iota
	// Drop removes the fields that do not decode, as the server does with
	// objects read from storage.
	Drop
)

// Coerced is the result of coercing metadata.
type Coerced struct {
	// Metadata is in normal form. It is the given map if that was in normal
	// form; otherwise it is a new map that may share unchanged values with it.
	Metadata map[string]any
	// Unknown has the decoder paths of the fields that ObjectMeta does not have
	// and that were therefore removed. They are sorted and relative to the
	// metadata. There are at most 100. In Drop mode, if something did not
	// decode, there are at most 100 of each field.
	Unknown []string
	// Changed reports whether Metadata is a new map.
	Changed bool
}

// Coerce brings metadata into normal form. The argument is the value that a
// resource has under "metadata", of any type. It is never changed. Metadata in
// normal form is returned as it is, without an allocation.
//
// The error has the text of the server's decoder. In Drop mode it is nil unless
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

// decodeEach decodes each field alone and leaves out those that fail.
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

// Root is the part of a custom resource that decoding handles before the schema
// is applied.
type Root struct {
	// Metadata is the coerced metadata.
	Metadata Coerced
	// HasMetadata reports whether the resource has metadata at all. Absent
	// metadata stays absent.
	HasMetadata bool
	// Unknown lists the fields removed from metadata, as metadata.<decoder
	// path>.
	Unknown []string
	// Group and Version are those of apiVersion.
	Group, Version string
	// Kind is "" where the resource has none.
	Kind string
}

// CoerceRoot reads apiVersion, kind and metadata of a custom resource, which is
// not changed. The caller prunes the resource and then writes Root.Metadata
// back if it has changed, in Drop mode too. The error is the text of the
// server's answer 400 (META-022, META-023).
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

// NormalRoot is like CoerceRoot for a resource that needs no change. It reports
// true if all of these hold:
//
//   - kind is a string that is not empty, and UTF-8,
//   - apiVersion is absent, or a string that parses, and UTF-8,
//   - metadata is absent or in normal form, and is not nested deeper than the
//     server's decoder accepts.
//
// It looks at nothing else; the resource may hold values that JSON does not
// have. It allocates nothing.
func NormalRoot(resource map[string]any) (Root, bool) {
	kind, _ := resource["kind"].(string)
	apiVersion, isText := resource["apiVersion"].(string)
	if _, found := resource["apiVersion"]; kind == "" || found && !isText ||
		!utf8.ValidString(kind) || !utf8.ValidString(apiVersion) {
		return Root{}, false
	}
	root := Root{Kind: kind}
	var err error
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
		const text = ".%s accessor error: %v is of the type %T, expected string"
		return "", fmt.Errorf(text, key, value, value)
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

// ParseGroupVersion splits an apiVersion into group and version, e.g. apps/v1.
// The apiVersions "" and "/" have empty parts. More than one slash is an error
// with the server's text. It checks nothing else.
func ParseGroupVersion(apiVersion string) (group, version string, err error) {
	switch strings.Count(apiVersion, "/") {
	case 0:
		return "", apiVersion, nil
	case 1:
		group, version, _ = strings.Cut(apiVersion, "/")
		return group, version, nil
	}
	return "", "", fmt.Errorf("unexpected GroupVersion string: %s", apiVersion)
}

// At moves errors that are relative to a resource to the place of the resource.
// It changes and returns the errors. A nil path leaves them as they are.
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

// UnknownKeys returns the keys and indexes of an unknown field below metadata,
// given as its decoder path, e.g. ownerReferences[0].x.
func UnknownKeys(path string) []string {
	for _, list := range [...]string{"ownerReferences", "managedFields"} {
		if index, ok := strings.CutPrefix(path, list+"["); ok {
			if index, key, ok := strings.Cut(index, "]."); ok {
				return []string{list, index, key}
			}
		}
	}
	return []string{path}
}
