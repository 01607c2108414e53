package structural_test

import (
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

// Each edit returns another schema and leaves its argument alone (STR-110 to
// STR-112).
func TestEdits(t *testing.T) {
	for _, tc := range []struct {
		name         string
		edit         func(*structural.Schema) *structural.Schema
		schema, want string
	}{
		{"expanding adds the anyOf", structural.ExpandIntOrString,
			`{"type":"object","properties":{"a":{"x-kubernetes-int-or-string":true}}}`,
			`{"type":"object","properties":{"a":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}}}`},
		{"expanding keeps an existing anyOf", structural.ExpandIntOrString,
			`{"x-kubernetes-int-or-string":true,"anyOf":[{"minimum":1}],"allOf":[{"maximum":2}]}`,
			`{"x-kubernetes-int-or-string":true,"anyOf":[{"minimum":1}],"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"maximum":2}]}`},
		{"expanding keeps the pattern in allOf", structural.ExpandIntOrString,
			`{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]}]}`,
			`{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]}]}`},
		{"expanding leaves nested nodes alone", structural.ExpandIntOrString,
			`{"type":"object","not":{"x-kubernetes-int-or-string":true}}`,
			`{"type":"object","not":{"x-kubernetes-int-or-string":true}}`},
		{"defaults are removed", structural.StripDefaults,
			`{"type":"object","default":{},"properties":{"a":{"type":"string","default":"x"}},"anyOf":[{"default":1}]}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"default":1}]}`},
		{"value validations are removed, extensions stay", structural.StripValueValidations,
			`{"type":"object","required":["a"],"properties":{"a":{"type":"string","maxLength":3,"x-kubernetes-validations":[{"rule":"true"}]}},"anyOf":[{}]}`,
			`{"type":"object","properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"true"}]}}}`},
		{"nullable is removed", structural.StripNullable,
			`{"type":"object","nullable":true,"additionalProperties":{"type":"string","nullable":true},"items":{"nullable":true}}`,
			`{"type":"object","additionalProperties":{"type":"string"},"items":{}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := testschema.Schema(t, tc.schema)
			once := tc.edit(s)
			if !structural.Equal(once, testschema.Schema(t, tc.want)) {
				t.Error("the result differs from", tc.want)
			}
			if !structural.Equal(tc.edit(once), once) {
				t.Error("editing twice differs from editing once")
			}
			if !structural.Equal(s, testschema.Schema(t, tc.schema)) {
				t.Error("the argument was changed")
			}
		})
	}
}

// Visit goes to a node, then its spine children, then its branches (STR-113).
func TestVisitOrder(t *testing.T) {
	s := testschema.Schema(t, `{"title":"root","not":{"title":"not"},
		"oneOf":[{"title":"oneOf","items":{"title":"nested items"}}],
		"anyOf":[{"title":"anyOf"}],"allOf":[{"title":"allOf"}],"items":{"title":"items"},
		"properties":{"b":{"title":"b"},"a":{"title":"a","not":{"title":"a not"}}},
		"additionalProperties":{"title":"map"}}`)
	var spine, all []string
	noteSpine := func(n *structural.Schema) { spine = append(spine, n.Title()) }
	structural.Visit(s, structural.Visitor{Spine: noteSpine})
	if want := []string{"root", "items", "a", "b", "map"}; !slices.Equal(spine, want) {
		t.Errorf("spine: %q, want %q", spine, want)
	}
	note := func(n *structural.Schema) { all = append(all, n.Title()) }
	structural.Visit(s, structural.Visitor{Spine: note, Nested: note})
	want := []string{
		"root", "items", "a", "a not", "b", "map", "allOf", "anyOf", "oneOf", "nested items", "not",
	}
	if !slices.Equal(all, want) {
		t.Errorf("all: %q, want %q", all, want)
	}
}
