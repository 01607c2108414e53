package crd

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonfast"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Group is the API group of definitions, and Kind is their kind.
const (
	Group = "apiextensions.k8s.io"
	Kind  = "CustomResourceDefinition"
)

// DecodeDefinition decodes a definition as the API server of a minor does: it
// fills in defaults, and moves what all versions share to the top of the spec.
// Text that starts with { is JSON; any other text is one YAML document. A
// document without apiVersion and kind is a definition of v1.
//
// strict holds what a strict decoder rejects, in order: duplicate and unknown
// fields, e.g. `unknown field "spec.foo"`. The error has the server's text.
func DecodeDefinition(data []byte, p *profile.Profile) (
	d *CustomResourceDefinition, strict []error, err error,
) {
	if d, strict, ok := fastDefinition(data, p); ok {
		return d, strict, nil
	}
	d, strict, err = exactDefinition(data, p)
	return d, strict, WordedIn(p, err)
}

// DefinitionFromValue returns the definition that a decoded value holds.
// unknown holds the errors of a strict decoder for its unknown fields. ok is
// false if some value has a wrong type. The result shares nothing with value.
func DefinitionFromValue(value any, p *profile.Profile) (
	d *CustomResourceDefinition, unknown []error, ok bool,
) {
	encode := func() ([]byte, error) { return jsonvalue.EncodeJSON(value) }
	return definitionFromNode(new(nodeBuilder).Of(value), encode, p)
}

// DecodeSchema decodes an openAPIV3Schema as the API server does. Its errors
// have the server's texts. Text that starts with { is JSON; any other text is
// one YAML document. Unknown fields are ignored. Duplicate fields are merged as
// the server's decoder merges them.
func DecodeSchema(data []byte) (*JSONSchemaProps, error) {
	if props, ok := fastSchema(data); ok {
		return props, nil
	}
	return exactSchema(data)
}

// SchemaFromValue returns the schema that a decoded value holds. ok is false if
// some value has a wrong type. The result shares nothing with value.
func SchemaFromValue(value any) (props *JSONSchemaProps, ok bool) {
	return schemaFromNode(new(nodeBuilder).Of(value))
}

// fastDefinition is DecodeDefinition without the exact decoder. ok is false if
// the fast reader hands over.
func fastDefinition(data []byte, p *profile.Profile) (
	d *CustomResourceDefinition, strict []error, ok bool,
) {
	root, duplicates, ok := fastNode(data)
	if !ok {
		return nil, nil, false
	}
	encode := func() ([]byte, error) { return data, nil }
	if !jsonvalue.IsJSONObject(data) {
		encode = func() ([]byte, error) { return jsonvalue.EncodeJSON(root.Value()) }
	}
	d, unknown, ok := definitionFromNode(root, encode, p)
	return d, append(splitYAML(duplicates), unknown...), ok
}

// fastSchema is DecodeSchema without the exact decoder. ok is false if the fast
// reader hands over.
func fastSchema(data []byte) (props *JSONSchemaProps, ok bool) {
	root, _, ok := fastNode(data)
	if !ok {
		return nil, false
	}
	return schemaFromNode(root)
}

// fastNode returns the root of a document, and the errors for duplicate YAML
// keys. ok is false if the document does not parse, or if JSON has duplicate
// fields: how those add up depends on the types that they are decoded into.
func fastNode(data []byte) (root *node, duplicates []error, ok bool) {
	if value, ok := decodeJSON(data); ok {
		return new(nodeBuilder).Of(value), nil, true
	}
	value, duplicates, err := jsonvalue.Decode(data)
	if err != nil || len(duplicates) > 0 && jsonvalue.IsJSONObject(data) {
		return nil, nil, false
	}
	return new(nodeBuilder).Of(value), duplicates, true
}

// decodeJSON decodes a JSON object, with negativeZero for -0. It reports false
// for any other data, and for what only the library can decode.
func decodeJSON(data []byte) (any, bool) {
	if !jsonvalue.IsJSONObject(data) {
		return nil, false
	}
	return jsonfast.DecodeWith(negativeZero{}, data)
}

// definitionFromNode reads a definition. encode returns the JSON of the
// document, which is decoded a second time if it has unknown fields: a strict
// decoder over the API types words the errors and puts them in order.
func definitionFromNode(
	root *node, encode func() ([]byte, error), p *profile.Profile,
) (d *CustomResourceDefinition, unknown []error, ok bool) {
	from, ok := formOfNode(root)
	if !ok {
		return nil, nil, false
	}
	d, r := readDefinition(root, from, p)
	if r.mismatch {
		return nil, nil, false
	}
	if r.unknown {
		data, err := encode()
		if err != nil {
			return nil, nil, false
		}
		if unknown, err = unmarshalStrict(data, typesOf(from, p)); err != nil {
			return nil, nil, false
		}
	}
	return d, unknown, true
}

// readDefinition reads a definition and completes it.
func readDefinition(
	root *node, from form, p *profile.Profile,
) (*CustomResourceDefinition, reader) {
	r := reader{profile: p, form: from}
	d := &CustomResourceDefinition{}
	r.object(reflect.ValueOf(d).Elem(), root)
	if from == formV1beta1 {
		setDefaultsBeta(d)
		return d, r
	}
	setDefaults(d)
	hoist(&d.Spec)
	return d, r
}

func schemaFromNode(root *node) (props *JSONSchemaProps, ok bool) {
	var r reader
	props = r.schemaOf(root)
	return props, !r.mismatch
}

// splitYAML returns the errors of a strict YAML decoder one by one, as the
// server reports them.
func splitYAML(strict []error) (out []error) {
	for _, err := range strict {
		for _, text := range jsonvalue.SplitYAMLErrors(err.Error()) {
			out = append(out, errors.New(text))
		}
	}
	return out
}

// form is the API version of a definition's document.
type form uint8

const (
	formV1 form = iota
	formV1beta1
)

// formOfNode returns the form of a document. ok is false if apiVersion or kind
// is not plain: not a string, spelled in another case, or of another kind.
func formOfNode(root *node) (from form, ok bool) {
	members, ok := root.Members()
	var apiVersion, kind string
	for _, m := range members {
		text, isText := m.Value.Text()
		switch key := m.Key(); {
		case key == "apiVersion":
			apiVersion = text
		case key == "kind":
			kind = text
		case strings.EqualFold(key, "apiVersion") || strings.EqualFold(key, "kind"):
			isText = false
		default:
			isText = true
		}
		ok = ok && isText
	}
	from, err := formOf(apiVersion, kind)
	return from, ok && err == nil
}

// formOf returns the form that apiVersion and kind name. The error has the
// server's text; it is an *otherKind if the kind is not a definition.
func formOf(apiVersion, kind string) (form, error) {
	group, version, hasGroup := strings.Cut(apiVersion, "/")
	switch {
	case strings.Contains(version, "/"):
		return 0, fmt.Errorf("unexpected GroupVersion string: %s", apiVersion)
	case !hasGroup:
		group, version = "", group
	}
	if kind == "" {
		kind = Kind
	}
	if version == "" && (group == "" || group == Group) {
		group, version = Group, "v1"
	}
	switch {
	case group == Group && kind == Kind && version == "v1":
		return formV1, nil
	case group == Group && kind == Kind && version == "v1beta1":
		return formV1beta1, nil
	default:
		return 0, &otherKind{group, version, kind, profile.Latest()}
	}
}
