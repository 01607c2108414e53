package defaulting

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/structural"
)

const defaultsSchema = `{"properties":{
	"a":{"default":1,"additionalProperties":{"default":2}},
	"b":{"items":{"default":[3],"properties":{"c":{"default":4}}}},
	"plain":{"properties":{"x":{}}}}}`

// Each default is visited at its location, a node before those below it. Only
// changed nodes are new.
func TestReplaceDefaults(t *testing.T) {
	schema, err := structural.Parse([]byte(defaultsSchema))
	if err != nil {
		t.Fatal(err)
	}
	var visited []string
	out, err := replaceDefaults(schema, func(at *location, value any) (any, error) {
		root := at.surround(nil, value)
		visited = append(visited, fmt.Sprint(root))
		if diff := cmp.Diff(value, at.find(nil, root)); diff != "" {
			t.Errorf("find does not find what surround put there: %s", diff)
		}
		if value == int64(4) {
			return nil, nil
		}
		return value, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"map[a:1]", "map[a:map[*:2]]", "map[b:[[3]]]", "map[b:[map[c:4]]]"}
	if diff := cmp.Diff(want, visited); diff != "" {
		t.Error(diff)
	}
	item := out.Property("b").Items()
	if item.Property("c").Default() != nil || item.HasDefaults() {
		t.Error("the default of b[].c is left")
	}
	if schema.Property("b").Items().Property("c").Default() == nil {
		t.Error("the schema was changed")
	}
	for _, name := range []string{"a", "plain"} {
		if out.Property(name) != schema.Property(name) {
			t.Errorf("node %s has no change but is not shared", name)
		}
	}
	if got := out.DefaultedProperties(); len(got) != 1 || got[0] != "a" {
		t.Errorf("defaulted properties %q", got)
	}
}

// Without a change the schema itself is returned. An error ends the work.
func TestReplaceDefaultsKeepsSchema(t *testing.T) {
	schema, err := structural.Parse([]byte(defaultsSchema))
	if err != nil {
		t.Fatal(err)
	}
	same := func(_ *location, value any) (any, error) { return value, nil }
	if out, err := replaceDefaults(schema, same); err != nil || out != schema {
		t.Errorf("not the schema itself (%v)", err)
	}
	stop := errors.New("stop")
	fail := func(*location, any) (any, error) { return nil, stop }
	if _, err := replaceDefaults(schema, fail); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
}

// find returns nil if nothing is left at a location.
func TestLocationFind(t *testing.T) {
	schema, err := structural.Parse([]byte(`{"properties":{"a":{"items":{"default":1}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replaceDefaults(schema, func(at *location, _ any) (any, error) {
		for _, root := range []any{
			nil,
			map[string]any{},
			map[string]any{"a": nil},
			map[string]any{"a": []any{}},
		} {
			if got := at.find(nil, root); got != nil {
				t.Errorf("found %v in %v", got, root)
			}
		}
		return nil, nil
	}); err != nil {
		t.Error(err)
	}
}

// A default is pruned from the nearest place above it on which the result
// depends, so that depth costs no more than length.
func TestAnchor(t *testing.T) {
	for text, want := range map[string]string{
		`{"default":{}}`:          "",
		`{"items":{"default":1}}`: "",
		`{"items":{"items":{"properties":{"a":{"default":1}}}}}`: "",
		`{"properties":{"a":{"default":1}}}`:                     "properties[a]",
		`{"properties":{"a":{"items":{"default":1}}}}`:           "properties[a]",
		`{"properties":{"a":{"items":{"items":{"default":1}}}}}`: "properties[a]",
		`{"properties":{"a":{"items":{"properties":{"b":{"items":{"default":1}}}}}}}`: "" +
			"properties[a] items[] properties[b]",
		`{"additionalProperties":{"properties":{"a":{"additionalProperties":{"default":1}}}}}`: "" +
			"additionalProperties[] properties[a] additionalProperties[]",
		`{"properties":{"a":{}},"additionalProperties":{"default":1}}`:                                           "additionalProperties[]",
		`{"properties":{"*":{}},"additionalProperties":{"default":1}}`:                                           "",
		`{"properties":{"a":{"properties":{"*":{}},"additionalProperties":{"properties":{"b":{"default":1}}}}}}`: "",
		`{"properties":{"*":{"properties":{"b":{"default":1}}}}}`:                                                "properties[*] properties[b]",
		`{"properties":{"metadata":{"default":1}}}`:                                                              "",
		`{"properties":{"kind":{"properties":{"a":{"default":1}}}}}`:                                             "",
		`{"properties":{"apiVersion":{"items":{"properties":{"a":{"default":1}}}}}}`:                             "",
		`{"properties":{"a":{"properties":{"metadata":{"default":1}}}}}`:                                         "properties[a] properties[metadata]",
		`{"properties":{"a":{"additionalProperties":{"x-kubernetes-embedded-resource":true,"properties":{"kind":{"default":1}}}}}}`: "" +
			"properties[a] additionalProperties[]",
		`{"properties":{"a":{"x-kubernetes-embedded-resource":true,"properties":{"b":{"x-kubernetes-embedded-resource":true,"properties":{"metadata":{"properties":{"c":{"default":1}}}}},"metadata":{"properties":{"d":{"x-kubernetes-embedded-resource":true,"properties":{"kind":{"items":{"default":1}}}}}}}}}}`: "" +
			"properties[a] properties[b], properties[a]",
		`{"properties":{"a":{"x-kubernetes-embedded-resource":true,"additionalProperties":{"default":1}}}}`: "" +
			"properties[a] additionalProperties[]",
	} {
		schema, err := structural.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		_, _ = replaceDefaults(schema, func(at *location, value any) (any, error) {
			var path []string
			for l := anchor(at, schema); l != nil; l = l.parent {
				path = append([]string{l.keyword + "[" + l.name + "]"}, path...)
			}
			got = append(got, strings.Join(path, " "))
			return value, nil
		})
		if anchors := strings.Join(got, ", "); anchors != want || got == nil {
			t.Errorf("%s: %s, want %s", text, anchors, want)
		}
	}
}
