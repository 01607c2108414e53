package edit

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/testschema"
)

// A rule selects a field by any way to it, and not another one of its name.
func TestSelects(t *testing.T) {
	root := testschema.Schema(t, `
type: object
properties:
  name: {type: string}
  a-b: {type: string}
  list:
    type: array
    items:
      type: object
      properties:
        name: {type: string}
        refs: {type: array, items: {type: object, properties: {name: {type: string}}}}
  map: {type: object, additionalProperties: {type: object, properties: {name: {type: string}}}}
`)
	key := func(name string) wayStep { return wayStep{key: name} }
	item, name := wayStep{item: true}, key("name")
	fields := []struct {
		name  string
		steps []wayStep
	}{
		{"name", []wayStep{name}},
		{"item", []wayStep{key("list"), item, name}},
		{"ref", []wayStep{key("list"), item, key("refs"), item, name}},
		{"value", []wayStep{key("map"), key("any"), name}},
		{"dash", []wayStep{key("a-b")}},
		{"none", []wayStep{key("none")}},
	}
	for rule, want := range map[string]string{
		"self.name == 'a'":                                                       "name",
		"has(self.name)":                                                         "name",
		"self.?name.orValue('') == 'a'":                                          "name",
		"self.list.all(x, x.name == 'a')":                                        "item",
		"self.list.exists(x, x.refs.all(y, y.name == x.name))":                   "item ref",
		"self.list[0].refs.filter(x, true).map(x, x.name) == ['a']":              "ref",
		"self.list.all(i, x, i > 0 || has(x.name))":                              "item",
		"self.map.all(k, self.map[k].name == 'a')":                               "value",
		"self.map.transformList(k, v, v.name).size() > 0":                        "value",
		"self.list == oldSelf.list && self.a__dash__b == 'a'":                    "dash",
		"self['name'] == 'a'":                                                    "name",
		"self.list.all(x, x.refs.size() > 0) ? {'a': self.name} == {} : [1]==[]": "name",
		"self.?list[0].optMap(x, x.name).hasValue()":                             "item",
		"self.none == 1":                                                         "",
		"self.list.all(x, ":                                                      "",
	} {
		var got []string
		for _, f := range fields {
			if selects(rule, root, f.steps) {
				got = append(got, f.name)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", rule, text, want)
		}
	}
}
