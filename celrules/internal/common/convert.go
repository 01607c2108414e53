package common

import (
	"encoding/base64"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// Of returns a value of an object as a CEL value of the type that its node
// declares. A value that does not match the node becomes an error value
// (CEL-041). The value is shared and never changed.
func Of(v any, n *decl.Node) ref.Val {
	if v == nil {
		if n.Schema.Nullable() {
			return types.NullValue
		}
		return types.NewErr("invalid data, got null for schema with nullable=false")
	}
	switch n.Kind {
	case decl.Object:
		return ofObject(v, n)
	case decl.List:
		return ofList(v, n)
	case decl.String, decl.Bytes, decl.Duration, decl.Date, decl.DateTime:
		text, ok := v.(string)
		if !ok {
			return types.NewErr("invalid data, expected string, got %T", v)
		}
		return ofText(text, n)
	case decl.IntOrString:
		return ofIntOrString(v)
	case decl.Number:
		return ofNumber(v)
	case decl.Integer:
		if i, ok := v.(int64); ok {
			return types.Int(i)
		}
		return types.NewErr("invalid data, expected int, got %T", v)
	case decl.Boolean:
		if b, ok := v.(bool); ok {
			return types.Bool(b)
		}
		return types.NewErr("invalid data, expected bool, got %T", v)
	}
	if n.Schema.PreservesUnknownFields() {
		return &unknownPreserved{v}
	}
	return types.NewErr(
		"invalid type, expected object, array, number, integer, boolean or string, "+
			"or no type with x-kubernetes-int-or-string or "+
			"x-kubernetes-preserve-unknown-fields is true, got %s", n.Schema.Type())
}

// ofIntOrString converts a value of an x-kubernetes-int-or-string node.
func ofIntOrString(v any) ref.Val {
	switch v := v.(type) {
	case string:
		return types.String(v)
	case int64:
		return types.Int(v)
	}
	return types.NewErr(
		"invalid data, expected XIntOrString value to be either a string or integer",
	)
}

// ofNumber converts a number to a double.
func ofNumber(v any) ref.Val {
	switch v := v.(type) {
	case float64:
		return types.Double(v)
	case int64:
		return types.Double(v)
	}
	return types.NewErr("invalid data, expected float, got %T", v)
}

// ofObject converts an object or map.
func ofObject(v any, n *decl.Node) ref.Val {
	fields, ok := v.(map[string]any)
	if !ok {
		return types.NewErr("invalid data, expected a map for the provided schema with type=object")
	}
	return &unstructuredMap{fields: fields, node: n}
}

// ofList converts a list by its list type.
func ofList(v any, n *decl.Node) ref.Val {
	items, ok := v.([]any)
	if !ok {
		return types.NewErr(
			"invalid data, expected an array for the provided schema with type=array",
		)
	}
	node := n.Elem()
	if node == nil {
		return types.NewErr("invalid array type, expected Items with a non-empty Schema")
	}
	list := unstructuredList{items: items, node: node}
	switch t := n.Schema.ListType(); t {
	case "", "atomic":
		return &list
	case "set":
		return &unstructuredSetList{unstructuredList: list}
	case "map":
		return &unstructuredMapList{
			unstructuredList: list,
			keys:             escapedKeys(n.Schema.ListMapKeys()),
		}
	default:
		return types.NewErr(
			"invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got %s",
			string(t))
	}
}

// ofText converts a string; some formats have a CEL type of their own
// (CEL-042).
func ofText(text string, n *decl.Node) ref.Val {
	switch n.Kind {
	case decl.Duration:
		d, err := strfmt.ParseDuration(text)
		if err != nil {
			return types.NewErr("Invalid duration %s: %v", text, err)
		}
		return types.Duration{Duration: d}
	case decl.Date:
		d, err := time.Parse(strfmt.RFC3339FullDate, text)
		if err != nil {
			return types.NewErr("Invalid date formatted string %s: %v", text, err)
		}
		return types.Timestamp{Time: d}
	case decl.DateTime:
		d, err := strfmt.ParseDateTime(text)
		if err != nil {
			return types.NewErr("Invalid date-time formatted string %s: %v", text, err)
		}
		return types.Timestamp{Time: time.Time(d)}
	case decl.Bytes:
		alphabet := base64.URLEncoding
		if n.Variant().StandardBase64 {
			alphabet = base64.StdEncoding
		}
		decoded, err := alphabet.DecodeString(text)
		if err != nil {
			return types.NewErr("Invalid byte formatted string %s: %v", text, err)
		}
		return types.Bytes(decoded)
	}
	return types.String(text)
}
