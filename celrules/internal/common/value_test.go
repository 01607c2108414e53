package common_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/common"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

const schemaText = `{"type":"object","properties":{
	"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"x":{"x-kubernetes-int-or-string":true},
	"date":{"type":"string","format":"date"},"time":{"type":"string","format":"date-time"},"dur":{"type":"string","format":"duration"},
	"y":{"type":"string","format":"byte"},"null":{"type":"string","nullable":true},"any":{"x-kubernetes-preserve-unknown-fields":true},
	"atomic":{"type":"array","items":{"type":"integer"}},
	"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}},
	"texts":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string","format":"byte"}},
	"sets":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"array","items":{"type":"integer"}}},
	"map1":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"$i":0}},
	"map2":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l"],"items":{"$i":0}},
	"map3":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l","v"],"items":{"$i":0}},
	"map4":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l","v","w"],"items":{"$i":0}},
	"mapi":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a-b","9"],"items":{"type":"object","properties":{"a-b":{"type":"string"}}}},
	"mapx":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"integer"}},
	"strings":{"type":"array","items":{"type":"string"}},
	"keyx":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["x"],"items":{"type":"object","properties":{"x":{"x-kubernetes-int-or-string":true}}}},
	"keyx4":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["x","a","b","c"],"items":{"type":"object","properties":{"x":{"x-kubernetes-int-or-string":true}}}},
	"mapx4":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l","m","n"],"items":{"type":"integer"}},
	"odd":{"type":"array","x-kubernetes-list-type":"odd","items":{"type":"integer"}},"bare":{"type":"array"},
	"m":{"type":"object","additionalProperties":{"type":"integer","nullable":true}},"strict":{"type":"object","additionalProperties":{"type":"integer"}},
	"o":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{"type":"integer"},"b-c":{"type":"string"}}},
	"bogus":{"type":"bogus"}}}`

// newest has the nodes of the newest minor.
var newest decl.Universe

func of(t testing.TB, property, text string) ref.Val {
	t.Helper()
	return in(t, &newest, property, text)
}

var schema = sync.OnceValues(func() (*structural.Schema, error) {
	raw, _, err := jsonvalue.DecodeJSON([]byte(schemaText))
	if err != nil {
		return nil, err
	}
	document := raw.(map[string]any)
	item, _, err := jsonvalue.DecodeJSON([]byte(`{"type":"object","properties":{
		"k":{"type":"string"},"l":{"type":"integer"},"v":{"type":"integer"},"w":{"type":"integer"},"x":{"type":"integer"}}}`))
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"map1", "map2", "map3", "map4"} {
		document["properties"].(map[string]any)[name].(map[string]any)["items"] = item
	}
	return structural.FromMap(document)
})

// decoded has what texts were decoded to, which no value changes.
var decoded = map[string]any{}

// in returns a value of a property in a universe.
func in(t testing.TB, universe *decl.Universe, property, text string) ref.Val {
	t.Helper()
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	v, ok := decoded[text]
	if !ok {
		if v, _, err = jsonvalue.DecodeJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		decoded[text] = v
	}
	return common.Of(v, universe.Inner(s.Property(property)))
}

// TestConversion covers CEL-041, CEL-042.
func TestConversion(t *testing.T) {
	for _, c := range []struct{ property, text, want string }{
		{"s", `"a"`, `"a"`},
		{"s", `1`, "invalid data, expected string, got int64"},
		{"s", `null`, "invalid data, got null for schema with nullable=false"},
		{"null", `null`, "null"},
		{"i", `3`, "3"},
		{"i", `1.5`, "invalid data, expected int, got float64"},
		{"n", `3`, "3.0"},
		{"n", `"3"`, "invalid data, expected float, got string"},
		{"b", `true`, "true"},
		{"b", `1`, "invalid data, expected bool, got int64"},
		{"x", `"1%"`, `"1%"`},
		{"x", `7`, "7"},
		{"x", `1.5`, "invalid data, expected XIntOrString value to be either a string or integer"},
		{"date", `"2024-02-03"`, `timestamp("2024-02-03T00:00:00Z")`},
		{"date", `"no"`, `Invalid date formatted string no: parsing time "no" as "2006-01-02": cannot parse "no" as "2006"`},
		{"x", `true`, "invalid data, expected XIntOrString value to be either a string or integer"},
		{"n", `1.5`, "1.5"},
		{"b", `false`, "false"},
		{"time", `"no"`, "Invalid date-time formatted string no: parsing time \"no\" as \"2006-01-02T15:04:05\": cannot parse \"no\" as \"2006\""},
		{"null", `1`, "invalid data, expected string, got int64"},
		{"any", `null`, "invalid data, got null for schema with nullable=false"},
		{"map1", `"a"`, "invalid data, expected an array for the provided schema with type=array"},
		{"atomic", `[1]`, "[1]"},
		{"set", `[1]`, "[1]"},
		{"m", `{"a":1}`, `{"a": 1}`},
		{"time", `""`, `timestamp("1970-01-01T00:00:00Z")`},
		{"time", `"2024-02-03T01:02:03"`, `timestamp("2024-02-03T01:02:03Z")`},
		{"dur", `"1.5 days"`, `duration("432000s")`},
		{"dur", `"0"`, `duration("0s")`},
		{"dur", `"5"`, "Invalid duration 5: unable to parse 5 as duration"},
		{"y", `"YQ=="`, `b"\141"`},
		{"y", `"+A=="`, "Invalid byte formatted string +A==: illegal base64 data at input byte 0"},
		{"odd", `[1]`, "invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got odd"},
		{"bare", `[1]`, "invalid array type, expected Items with a non-empty Schema"},
		{"atomic", `{}`, "invalid data, expected an array for the provided schema with type=array"},
		{"m", `[]`, "invalid data, expected a map for the provided schema with type=object"},
		{"bogus", `1`, "invalid type, expected object, array, number, integer, boolean or string, " +
			"or no type with x-kubernetes-int-or-string or " +
			"x-kubernetes-preserve-unknown-fields is true, got bogus"},
	} {
		if got := text(of(t, c.property, c.text)); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.property, c.text, got, c.want)
		}
	}
}

// TestEqual covers CEL-044, CEL-045, CEL-046, CEL-050.
func TestEqual(t *testing.T) {
	for _, c := range []struct{ property, a, b, want string }{
		{"atomic", `[1,2]`, `[1,2]`, "true"},
		{"atomic", `[1,2]`, `[2,1]`, "false"},
		{"atomic", `[1]`, `[1,1]`, "false"},
		{"texts", `["YQ==","Yg=="]`, `["Yg==","YQ=="]`, "true"},
		{"sets", `[[1]]`, `[[1]]`, "listSet operations are only supported on lists of scalar values"},
		{"m", `{"a":1,"b":2}`, `{"b":2,"a":1}`, "true"},
		{"m", `{"a":null}`, `{"b":null}`, "false"},
		{"o", `{"a":null}`, `{"b-c":null}`, "true"},
		{"o", `{"a":1}`, `{"a":1,"b-c":null}`, "false"},
		{"o", `{"p":1}`, `{"q":2}`, "true"},
		{"o", `{"p":1}`, `{"p":2}`, "false"},
		{"o", `{"p":{"r":[]}}`, `{"p":{"r":[]}}`, "true"},
		{"any", `{"r":[1]}`, `{"r":[1.0]}`, "false"},
		{"any", `{"r":[1]}`, `{"r":[1]}`, "true"},
	} {
		if got := text(of(t, c.property, c.a).Equal(of(t, c.property, c.b))); got != c.want {
			t.Errorf("%s: %s == %s is %s, want %s", c.property, c.a, c.b, got, c.want)
		}
	}
}

// Sums and equality of lists before Kubernetes 1.37.
func TestFormer(t *testing.T) {
	former := decl.NewUniverse(decl.Variant{ListsAsItems: true, NullsDiffer: true})
	for _, c := range []struct {
		property, a, b, sum string
		equal               bool
	}{
		{"atomic", `[2,1]`, `[1]`, "[2, 1, 1]", false},
		{"set", `[2,1]`, `[1,3]`, "[2, 1, 3]", false},
		{"map1", `[{"k":"a","v":1},{"k":"b","v":2}]`, `[{"k":"a","v":9},{"k":"c","v":3}]`,
			`[{"k": "a", "v": 9}, {"k": "b", "v": 2}, {"k": "c", "v": 3}]`, false},
		// Only more than three keys are compared as texts.
		{"keyx", `[{"x":1}]`, `[{"x":"1"}]`, `[{"x": 1}, {"x": "1"}]`, false},
		{"keyx4", `[{"x":1}]`, `[{"x":"1"}]`, `[{"x": "1"}]`, false},
		{"keyx4", `[{"x":1}]`, `[{"x":"2"}]`, `[{"x": 1}, {"x": "2"}]`, false},
		{"mapx4", `[1]`, `[2]`, `[1, 2]`, false}, {"mapx4", `[1]`, `[1]`, `[1, 1]`, false},
	} {
		a, b := in(t, former, c.property, c.a), in(t, former, c.property, c.b)
		if got := a.Equal(b); got != types.Bool(c.equal) {
			t.Errorf("%s: %s == %s is %v", c.property, c.a, c.b, got)
		}
		sum := a.(traits.Adder).Add(b)
		if got := types.Format(sum); got != c.sum {
			t.Errorf("%s: %s + %s is %s, want %s", c.property, c.a, c.b, got, c.sum)
		}
		if got := types.Format(a); got != types.Format(in(t, former, c.property, c.a)) {
			t.Errorf("%s: the sum changed %s to %s", c.property, c.a, got)
		}
	}
	set, other := in(t, former, "set", "[1]"), in(t, former, "set", "[2]")
	_ = set.(traits.Adder).Add(other)
	if set.Equal(other) != types.True {
		t.Error("a set does not remember what was added to it")
	}
	a, b := in(t, former, "o", `{"a":null}`), in(t, former, "o", `{"a":null}`)
	c, d := of(t, "o", `{"a":null}`), of(t, "o", `{"a":null}`)
	if a.Equal(b) != types.False || c.Equal(d) != types.True {
		t.Error("an object with a null differs from itself before Kubernetes 1.34 only")
	}
}

// text returns a value, an error or nil.
func text(v ref.Val) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case *types.Err:
		return v.Error()
	}
	return types.Format(v)
}

// lists returns all lists of up to three items.
func lists(items ...string) (out [][]string) {
	out = append(out, nil)
	for _, a := range items {
		out = append(out, []string{a})
		for _, b := range items {
			out = append(out, []string{a, b})
			for _, c := range items {
				out = append(out, []string{a, b, c})
			}
		}
	}
	return out
}

func list(items []string) string { return "[" + strings.Join(items, ",") + "]" }

// Sets are equal if they have as many items and the same ones. Before 1.37, it
// is enough that the left one has the right one's. The sum is the left list and
// the new items (CEL-045).
func TestSets(t *testing.T) {
	former := decl.NewUniverse(decl.Variant{ListsAsItems: true})
	has := func(l []string) func(string) bool {
		return func(item string) bool { return slices.Contains(l, item) }
	}
	every := func(l []string, holds func(string) bool) bool {
		return !slices.ContainsFunc(l, func(item string) bool { return !holds(item) })
	}
	for _, a := range lists("1", "2", "3") {
		for _, b := range lists("1", "2", "3") {
			within := len(a) == len(b) && every(b, has(a))
			equal := within && every(a, has(b))
			union := slices.Clone(a)
			for _, item := range b {
				if !slices.Contains(union, item) {
					union = append(union, item)
				}
			}
			left, right := of(t, "set", list(a)), of(t, "set", list(b))
			sum := left.(traits.Adder).Add(right)
			if left.Equal(right) != types.Bool(equal) || strings.ReplaceAll(text(sum), " ",
				"") != list(union) {
				t.Errorf("%v and %v: %v, %s", a, b, left.Equal(right), text(sum))
			}
			whole, single := of(t, "set", list(union)), of(t, "set", list(union[:min(len(union),
				1)]))
			if sum.Equal(whole) != types.True || whole.Equal(sum) != types.True ||
				sum.Equal(single) != types.Bool(len(union) < 2) ||
				sum.Equal(right) != right.Equal(sum) ||
				text(sum.(traits.Adder).Add(right)) != text(sum) {
				t.Errorf("the sum of %v and %v is no set", a, b)
			}
			left, right = in(t, former, "set", list(a)), in(t, former, "set", list(b))
			if left.Equal(right) != types.Bool(within) {
				t.Errorf("%v == %v before 1.37: %v", a, b, left.Equal(right))
			}
			sum = left.(traits.Adder).Add(right)
			if strings.ReplaceAll(text(sum), " ", "") != list(union) || text(left) != text(of(t,
				"set", list(a))) {
				t.Errorf("%v + %v before 1.37: %s", a, b, text(sum))
			}
		}
	}
}

// List-maps are equal if they have as many items and the same ones by their
// keys, where the last item with a key counts. The sum replaces the last left
// item with a key (CEL-046).
func TestListMaps(t *testing.T) {
	former := decl.NewUniverse(decl.Variant{ListsAsItems: true})
	items := []string{`{"k":"a","l":1,"v":1,"w":1}`, `{"k":"b","l":1,"v":1,"w":1}`, `{"k":"a","l":1,"v":1,"w":2}`,
		`{"k":"a","l":1,"v":1,"w":1,"x":3}`, `{"l":1,"v":1,"w":1}`, `{"k":"a","l":2,"v":1,"w":1}`,
		`{"k":"a","l":1,"v":2,"w":1}`}
	known := map[string][]any{}
	for _, item := range items {
		var fields map[string]any
		if err := json.Unmarshal([]byte(item), &fields); err != nil {
			t.Fatal(err)
		}
		known[item] = []any{fields["k"], fields["l"], fields["v"], fields["w"]}
	}
	key := func(item string, keys int) string { return fmt.Sprint(known[item][:keys]) }
	for keys := 1; keys <= 4; keys++ {
		property := fmt.Sprint("map", keys)
		last := func(l []string, item string) int {
			at := -1
			for i := range l {
				if key(l[i], keys) == key(item, keys) {
					at = i
				}
			}
			return at
		}
		var all [][]string
		for _, l := range lists(items...) {
			if len(l) < 3 {
				all = append(all, l)
			}
		}
		for _, a := range all {
			for _, b := range all {
				if len(a)+len(b) > 3 && a[0] != items[0] {
					continue // that would be many
				}
				within, equal, sum := len(a) == len(b), true, slices.Clone(a)
				for _, item := range b {
					at := last(a, item)
					within = within && at >= 0 && a[at] == item
					if at < 0 {
						sum = append(sum, item)
					} else {
						sum[at] = item
					}
				}
				for _, item := range a {
					equal = equal && last(b, item) >= 0
				}
				for _, c := range []struct {
					universe *decl.Universe
					equal    bool
				}{{&newest, within && equal}, {former, within}} {
					left, right := in(t, c.universe, property, list(a)), in(t, c.universe,
						property, list(b))
					got, want := left.(traits.Adder).Add(right), of(t, property, list(sum))
					if left.Equal(right) != types.Bool(c.equal) || text(got) != text(want) {
						t.Fatalf("%s: %v and %v: %v, %s", property, a, b, left.Equal(right),
							text(got))
					}
					if again := want.Equal(want); got.Equal(want) != again ||
						want.Equal(got) != again {
						t.Fatalf("%s: the sum of %v and %v is no list-map", property, a, b)
					}
				}
				left, right := of(t, property, list(a)), of(t, property, list(b))
				made := of(t, property, "[]").(traits.Adder).Add(left)
				if len(a) == 2 && key(a[0], keys) == key(a[1], keys) {
					continue // the sum has one item
				}
				got, want := made.(traits.Adder).Add(right), left.(traits.Adder).Add(right)
				if made.Equal(right) != left.Equal(right) || text(got) != text(want) {
					t.Fatalf("%s: the sum [] + %v is not the list, by %v", property, a, b)
				}
			}
		}
	}
}

// TestAccess covers CEL-043, CEL-047, CEL-049 and what values of other types do
// to these.
func TestAccess(t *testing.T) {
	failed, str, one := types.NewErr("failed"), types.String("x"), types.IntOne
	texts := types.DefaultTypeAdapter.NativeToValue
	add := func(v ref.Val) traits.Adder { return v.(traits.Adder) }
	o := of(t, "o", `{"a":null,"b-c":"x","p":1}`).(traits.Mapper)
	m := of(t, "m", `{"a-b":null,"x":1}`).(traits.Mapper)
	strict := of(t, "strict", `{"a":null,"b":1}`).(traits.Mapper)
	l := of(t, "atomic", `[1,"x"]`).(traits.Lister)
	set := of(t, "set", `[1,2]`)
	sets := add(set).Add(set)
	listMap := of(t, "map1", `[{"k":"a"},{"k":"b"}]`)
	maps := add(listMap).Add(listMap)
	opaque := of(t, "any", `{"a":1}`)
	const none, noIndex = "no such overload", "index out of bounds: "
	const notInt, null = "invalid data, expected int, got string",
		"invalid data, got null for schema with nullable=false"
	for i, c := range []struct{ got, want string }{
		{text(o.Size()), "3"}, {text(l.Size()), "2"},
		{text(o.Contains(types.String("a"))), "false"}, {text(o.Contains(types.String("b__dash__c"))), "true"},
		{text(o.Contains(types.String("b-c"))), "true"}, {text(o.Contains(types.String("p"))), "false"},
		{text(o.Contains(types.String("__bad__"))), "false"}, {text(o.Contains(one)), none}, {text(o.Contains(failed)), "failed"},
		{text(o.Get(types.String("a"))), "no such key: a"}, {text(o.Get(types.String("b__dash__c"))), `"x"`},
		{text(o.Get(one)), none}, {text(o.Get(failed)), "failed"},
		{text(m.Get(types.String("a-b"))), "null"}, {text(m.Get(types.String("a__dash__b"))), "no such key: a__dash__b"},
		{text(m.Contains(types.String("a-b"))), "true"}, {text(m.Contains(types.String("z"))), "false"},
		{text(strict.Contains(types.String("a"))), null}, {text(strict.Get(types.String("a"))), null}, {text(strict.Get(types.String("b"))), "1"},
		{text(l.Get(types.Int(0))), "1"}, {text(l.Get(one)), notInt}, {text(l.Get(types.Int(2))), noIndex + "2"},
		{text(l.Get(types.Int(-1))), noIndex + "-1"}, {text(l.Get(str)), "unsupported index: x"}, {text(l.Get(failed)), "failed"},
		{text(l.Contains(one)), "true"}, {text(l.Contains(types.Int(5))), notInt}, {text(l.Contains(failed)), "failed"},
		{text(of(t, "atomic", `["x",1]`).(traits.Lister).Contains(one)), "true"},
		{text(of(t, "atomic", `["x",null]`).(traits.Lister).Contains(one)), notInt},
		{text(of(t, "atomic", `[2,3]`).(traits.Lister).Contains(one)), "false"},
		{text(l.Equal(one)), none}, {text(l.Equal(failed)), "failed"}, {text(l.Equal(texts([]int{1, 2}))), notInt},
		{text(l.Equal(texts([]int{2, 2}))), "false"}, {text(add(l).Add(one)), none}, {text(add(l).Add(failed)), "failed"},
		{text(add(of(t, "atomic", `[1]`)).Add(texts([]int{2}))), "[1, 2]"},
		{text(set.Equal(one)), none}, {text(set.Equal(failed)), "failed"}, {text(add(set).Add(one)), none}, {text(add(set).Add(failed)), "failed"},
		{text(set.Equal(texts([]int{2, 1}))), "true"}, {text(add(set).Add(texts([]int{3, 1}))), "[1, 2, 3]"},
		{text(sets.Equal(one)), none}, {text(sets.Equal(failed)), "failed"}, {text(add(sets).Add(one)), none}, {text(add(sets).Add(failed)), "failed"},
		{text(listMap.Equal(one)), none}, {text(listMap.Equal(failed)), "failed"}, {text(add(listMap).Add(one)), none},
		{text(add(listMap).Add(failed)), "failed"}, {text(maps.Equal(one)), none}, {text(maps.Equal(failed)), "failed"},
		{text(add(maps).Add(one)), none}, {text(add(maps).Add(failed)), "failed"}, {text(maps.Equal(of(t, "map1", `[{"k":"a"}]`))), "false"},
		{text(o.Equal(one)), none}, {text(o.Equal(failed)), "failed"}, {text(m.Equal(texts(map[string]int{"a-b": 1, "x": 1}))), "false"},
		{text(of(t, "m", `{"x":1}`).Equal(texts(map[string]int{"x": 1}))), "true"},
		{text(of(t, "m", `{"x":1}`).Equal(texts(map[string]int{"y": 1}))), "false"},
		{text(of(t, "m", `{"x":1}`).Equal(texts(map[string]int{}))), "false"},
		{text(of(t, "o", `{"p":1}`).Equal(texts(map[string]int{"p": 1}))), none},
		{text(of(t, "o", `{"a":"x"}`).Equal(of(t, "o", `{"a":1}`))), notInt},
		{text(opaque.Equal(of(t, "any", `{"a":1}`))), "true"}, {text(opaque.Equal(one)), "false"},
		{text(of(t, "mapx", `[1]`).Equal(of(t, "mapx", `[1]`))), "false"},
		{text(add(of(t, "mapx", `[1,2]`)).Add(of(t, "mapx", `[3]`))), "[1, 3]"},
		{text(add(of(t, "map1", `[{"k":1}]`)).Add(of(t, "map1", `[{"l":1}]`))), `[{"l": 1}]`},
		{text(of(t, "mapi", `[{"a-b":"x"},{"a-b":"y"}]`).Equal(of(t, "mapi", `[{"a-b":"y"},{"a-b":"x"}]`))), "false"},
		{text(add(of(t, "mapi", `[{"a-b":"x"}]`)).Add(of(t, "mapi", `[{"a-b":"y"},{"a-b":"x"}]`))),
			`[{"a__dash__b": "x"}, {"a__dash__b": "y"}]`},
		{text(add(of(t, "sets", `[[1]]`)).Add(of(t, "sets", `[]`))), "listSet operations are only supported on lists of scalar values"},
		{text(add(of(t, "sets", `[]`)).Add(of(t, "sets", `[[1]]`))), "listSet operations are only supported on lists of scalar values"},
		{text(add(of(t, "texts", `["YQ=="]`)).Add(of(t, "texts", `["Yg==","YQ=="]`))), `[b"\141", b"\142"]`},
		{text(set.Equal(of(t, "sets", `[[1],[2]]`))), "listSet operations are only supported on lists of scalar values"},
	} {
		if c.got != c.want {
			t.Errorf("row %d: %s, want %s", i, c.got, c.want)
		}
	}
	var keys []ref.Val
	it := o.Iterator()
	for it.HasNext() == types.True {
		keys = append(keys, it.Next())
	}
	want := []ref.Val{types.String("a"), types.String("b__dash__c"), nil}
	if !slices.Equal(keys, want) || it.Equal(o) != types.True || it.Type() != types.MapType ||
		it.ConvertToType(types.TypeType) != types.MapType || len(it.Value().(map[string]any)) != 3 {
		t.Errorf("keys %v", keys)
	}
	if v, err := it.ConvertToNative(reflect.TypeFor[map[string]any]()); err != nil ||
		len(v.(map[string]any)) != 3 {
		t.Errorf("%v, %v", v, err)
	}
	for it = m.Iterator(); it.HasNext() == types.True; {
		keys = append(keys, it.Next())
	}
	if !slices.Equal(keys[3:], []ref.Val{types.String("a-b"), types.String("x")}) {
		t.Errorf("keys of a map %v", keys[3:])
	}
}

// TestConversions converts values to types of CEL and of Go.
func TestConversions(t *testing.T) {
	o, l, a := of(t, "o", `{"a":1}`), of(t, "atomic", `[1]`), of(t, "any", `1`)
	const opaque = " not supported for values preserved by x-kubernetes-preserve-unknown-fields"
	for i, c := range []struct{ got, want string }{
		{text(o.ConvertToType(types.MapType)), `{"a": 1}`}, {text(o.ConvertToType(types.TypeType)), "map"},
		{text(o.ConvertToType(types.ListType)), "type conversion error from 'map(dyn, dyn)' to 'list'"},
		{text(l.ConvertToType(types.ListType)), "[1]"}, {text(l.ConvertToType(types.TypeType)), "list"},
		{text(l.ConvertToType(types.MapType)), "type conversion error from 'list(dyn)' to 'map'"},
		{text(a.ConvertToType(types.IntType)), "type conversion to 'int'" + opaque},
		{fmt.Sprint(o.Type(), l.Type(), a.Type() == types.UnknownType, o.Value(), l.Value(), a.Value()), "map(dyn, dyn) list(dyn) true map[a:1] [1] 1"},
		{native[map[string]any](o), "map[a:1], <nil>"}, {native[[]any](o), "<nil>, type conversion error from 'map(dyn, dyn)' to '[]interface {}'"},
		{native[[]any](l), "[1], <nil>"}, {native[string](l), "<nil>, type conversion error from 'list(dyn)' to 'string'"},
		{native[[]string](of(t, "strings", `["a","b"]`)), "[a b], <nil>"},
		{fmt.Sprintf("%T", value[[]string](of(t, "strings", `["a"]`))), "[]string"},
		{native[[]string](of(t, "strings", `["a",1]`)), "<nil>, expected all elements to be of type string, but got int64"},
		{native[int](a), "<nil>, type conversion to 'int'" + opaque},
	} {
		if c.got != c.want {
			t.Errorf("row %d: %s, want %s", i, c.got, c.want)
		}
	}
}

func value[T any](v ref.Val) any { out, _ := v.ConvertToNative(reflect.TypeFor[T]()); return out }

func native[T any](v ref.Val) string {
	out, err := v.ConvertToNative(reflect.TypeFor[T]())
	return fmt.Sprint(out) + ", " + fmt.Sprint(err)
}

// Values without a schema are equal only to those of the same JSON and the same
// types of numbers.
func TestOpaque(t *testing.T) {
	texts := strings.Fields(`{} {"a":1} {"a":2} {"b":1} {"a":null} {"a":1,"b":2} [] [1] [2] [1,2] [[1]] [{"a":1}] "x" "y" "" 1 2 1.0 1.5 true false {"a":{"b":[1]}} {"a":{"b":[1.0]}}`)
	for i, a := range texts {
		for j, b := range texts {
			if got := of(t, "any", a).Equal(of(t, "any", b)); got != types.Bool(i == j) {
				t.Errorf("%s == %s: %v", a, b, got)
			}
		}
	}
	if of(t, "any", `1`).Equal(types.Int(1)) != types.True {
		t.Error("a value of CEL is not compared by its Go value")
	}
	if of(t, "any", `"YQ=="`).Equal(of(t, "y", `"YQ=="`)) != types.False ||
		of(t, "any", `{}`).Equal(of(t, "o", `{}`)) != types.True {
		t.Error("a value of CEL is compared by something else than its Go value")
	}
}

// Fields are compared in the order of their names, up to the first difference.
func TestEqualStopsInOrder(t *testing.T) {
	for range 50 {
		a := of(t, "m", `{"a":1,"b":"x","c":1,"d":2,"e":2,"f":2,"g":2,"h":2,"i":2,"j":2,"k":2,"l":2,"m":2,"n":2,"o":2,"p":2,"q":2,"r":2}`)
		b := of(t, "m", `{"a":1,"b":"x","c":2,"d":3,"e":3,"f":3,"g":3,"h":3,"i":3,"j":3,"k":3,"l":3,"m":3,"n":3,"o":3,"p":3,"q":3,"r":3}`)
		if got := text(a.Equal(b)); got != "invalid data, expected int, got string" {
			t.Fatalf("%s before the error of b", got)
		}
	}
}
