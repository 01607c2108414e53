package defaulting

import (
	"errors"
	"fmt"
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
			map[string]any{"a": map[string]any{"": 1}},
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
