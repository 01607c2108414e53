package crd

import (
	"math"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Equal parts are the same node, wherever they are and in whatever order their
// members are. Different parts are different nodes.
func TestEqualPartsAreOneNode(t *testing.T) {
	var nodes nodeBuilder
	for _, c := range []struct {
		name string
		a, b any
		same bool
	}{
		{"texts", "x", "x", true},
		{"text and number", "1", int64(1), false},
		{"integers", int64(-7), int64(-7), true},
		{"integer and float", int64(1), 1.0, false},
		{"zeroes of either sign", 0.0, math.Copysign(0, -1), false},
		{"bools", true, true, true},
		{"other bools", true, false, false},
		{"nulls", nil, nil, true},
		{"null and empty text", nil, "", false},
		{"objects", map[string]any{"a": "x", "b": []any{int64(1)}}, map[string]any{"b": []any{int64(1)}, "a": "x"}, true},
		{"other keys", map[string]any{"a": "x"}, map[string]any{"b": "x"}, false},
		{"key and value", map[string]any{"a": "x"}, map[string]any{"x": "a"}, false},
		{"object and list", map[string]any{}, []any{}, false},
		{"lists", []any{"a", nil, map[string]any{}}, []any{"a", nil, map[string]any{}}, true},
		{"order of items", []any{"a", "b"}, []any{"b", "a"}, false},
		{"nesting", []any{[]any{"a"}, "b"}, []any{[]any{"a", "b"}}, false},
		{"null member and none", map[string]any{"a": nil}, map[string]any{}, false},
	} {
		a, b := nodes.Of(c.a), nodes.Of(c.b)
		if (a == b) != c.same {
			t.Errorf("%s: one node %v, want %v", c.name, a == b, c.same)
		}
		if !jsonvalue.Equal(a.Value(), c.a) || !jsonvalue.Equal(b.Value(), c.b) {
			t.Errorf("%s: got %#v and %#v", c.name, a.Value(), b.Value())
		}
	}
}

// Each node has one kind. Nil maps and lists stay nil, and values that JSON
// does not have stay as they are.
func TestNodeKinds(t *testing.T) {
	scalars := []any{nil, "x", int64(1), 1.5, true, 7}
	containers := []any{[]any{}, []any(nil), map[string]any{}, map[string]any(nil)}
	for _, value := range slices.Concat(scalars, containers) {
		node := new(nodeBuilder).Of(value)
		_, isText := node.Text()
		items, isList := node.Items()
		members, isObject := node.Members()
		_, wantText := value.(string)
		list, wantList := value.([]any)
		object, wantObject := value.(map[string]any)
		if isText != wantText || isList != wantList || isObject != wantObject {
			t.Errorf("%#v: text %v, list %v, object %v", value, isText, isList, isObject)
		}
		if (items == nil) != (list == nil) || (members == nil) != (object == nil) {
			t.Errorf("%#v: items %v, members %v", value, items, members)
		}
		wantScalar := value != nil && !wantText && !wantList && !wantObject
		if (node.Scalar() != nil) != wantScalar || wantScalar && node.Scalar() != value {
			t.Errorf("%#v: scalar %#v", value, node.Scalar())
		}
	}
}
