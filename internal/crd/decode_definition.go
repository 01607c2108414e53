package crd

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/base/dom"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	v1 "github.com/crdsem/crdsem/internal/crd/v1"
	"github.com/crdsem/crdsem/internal/crd/v1beta1"
)

// Group is the API group of definitions, Kind their kind.
const (
	Group = "apiextensions.k8s.io"
	Kind  = "CustomResourceDefinition"
)

// DecodeDefinition decodes a definition as the API server does: defaults are filled in and what the versions have in common is moved to the
// top. Text that starts with { is JSON, any other is one YAML document. A document without apiVersion and kind is a definition of v1.
// Its second result is what a strict decoder objects to, in order: unknown and duplicate fields. The error has the server's text.
//
// Each document is decoded once. Only who has something to complain of makes the API types decode it as well, for the server's texts.
func DecodeDefinition(data []byte) (d *CustomResourceDefinition, strict []error, err error) {
	if d, strict := decodeOnce(data); d != nil {
		return d, strict, nil
	}
	return decodeByTypes(data)
}

// decodeOnce is DecodeDefinition for a document of which the types need not say what becomes; nil if it is none.
func decodeOnce(data []byte) (d *CustomResourceDefinition, strict []error) {
	isJSON := jsonvalue.IsJSONObject(data)
	root, strict, err := jsonvalue.DecodeNode(data)
	if err != nil || isJSON && len(strict) > 0 { // what becomes of duplicate fields depends on the types
		return nil, nil
	}
	encoded := func() ([]byte, error) { return data, nil }
	if !isJSON {
		encoded = func() ([]byte, error) { return jsonvalue.EncodeJSON(root.Value()) }
	}
	d, unknown, ok := definitionOf(root, encoded)
	if !ok {
		return nil, nil
	}
	return d, append(splitYAML(strict), unknown...)
}

// DefinitionFromValue returns the definition that a decoded value holds, and its unknown fields as a strict decoder tells of them. It fails to
// (false) if some value is of the wrong kind. The result shares nothing with its argument.
func DefinitionFromValue(value any) (d *CustomResourceDefinition, unknown []error, ok bool) {
	return definitionOf(new(dom.Builder).Of(value), func() ([]byte, error) { return jsonvalue.EncodeJSON(value) })
}

// definitionOf is DefinitionFromValue for a document that is read; encoded gives its JSON.
func definitionOf(root *dom.Node, encoded func() ([]byte, error)) (d *CustomResourceDefinition, unknown []error, ok bool) {
	from, ok := formOfNode(root)
	if !ok {
		return nil, nil, false
	}
	var r reader
	d = &CustomResourceDefinition{}
	if r.definition(d, root, from); r.mismatch {
		return nil, nil, false
	}
	if r.unknown {
		data, err := encoded()
		if err != nil {
			return nil, nil, false
		}
		if unknown, err = kjson.UnmarshalStrict(data, typesOf(from)); err != nil {
			return nil, nil, false
		}
	}
	complete(d, from)
	return d, unknown, true
}

// formOfNode tells the form of a document that says plainly what it is, or not at all.
func formOfNode(root *dom.Node) (form, bool) {
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

// decodeByTypes decodes a document into the API types, whatever it is.
func decodeByTypes(data []byte) (d *CustomResourceDefinition, strict []error, err error) {
	original := data
	data, strict, err = asJSON(data)
	if err != nil {
		return nil, nil, err
	}
	from, err := interpret(data)
	if other := (*otherKind)(nil); errors.As(err, &other) && other.version == "" {
		//lint:ignore ST1005 the text is the server's
		return nil, nil, fmt.Errorf("Object 'apiVersion' is missing in '%s'", original)
	}
	if err != nil {
		return nil, nil, err
	}
	value, more, err := decodeExactly(data, from)
	if err != nil {
		return nil, nil, err
	}
	d, mismatch := readDefinition(value, from)
	if mismatch {
		return nil, nil, errUnread
	}
	return d, append(strict, more...), nil
}

func readDefinition(value any, from form) (d *CustomResourceDefinition, mismatch bool) {
	var r reader
	d = &CustomResourceDefinition{}
	r.definition(d, new(dom.Builder).Of(value), from)
	complete(d, from)
	return d, r.mismatch
}

func complete(d *CustomResourceDefinition, from form) {
	if from == formV1 {
		setDefaults(d)
		hoist(&d.Spec)
		return
	}
	setDefaultsBeta(d)
}

// interpret tells the form of a document from its apiVersion and kind, which the server reads before anything else and without regard to case.
func interpret(data []byte) (form, error) {
	var typeMeta struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(data, &typeMeta); err != nil {
		return 0, fmt.Errorf("couldn't get version/kind; json parse error: %v", err)
	}
	return formOf(typeMeta.APIVersion, typeMeta.Kind)
}

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
		return 0, &otherKind{group: group, version: version, kind: kind}
	}
}

// decodeExactly decodes into the API types, which gives the server's error texts, and returns the value without what the types do not have.
func decodeExactly(data []byte, from form) (value any, strict []error, err error) {
	into := typesOf(from)
	strict, err = kjson.UnmarshalStrict(data, into)
	if err != nil && from == formV1beta1 {
		err = errors.New(v1beta1.ErrorText(err.Error()))
	}
	if err != nil {
		return nil, nil, err
	}
	value, err = plain(into)
	return value, strict, err
}

// typesOf returns a definition of the API types of a form.
func typesOf(from form) any {
	if from == formV1beta1 {
		return &v1beta1.CustomResourceDefinition{}
	}
	return &v1.CustomResourceDefinition{}
}
