package correlate_test

import (
	"fmt"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/correlate"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/structural"
)

type correlation = correlate.Correlation

const pointText = `{"type":"object","properties":{"k":{},"l":{},"v":{}}}`

var (
	scalar = parse(`{}`)
	point  = parse(pointText)
	byK    = parse(listMap(`"k"`))
	byKL   = parse(listMap(`"k","l"`))
	atomic = parse(`{"type":"array","items":` + pointText + `}`)
	set    = parse(`{"type":"array","x-kubernetes-list-type":"set","items":{}}`)
	anyMap = parse(`{"type":"object","additionalProperties":{}}`)
)

// listMap returns a schema of type map whose items are points.
func listMap(keys string) string {
	return `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[` +
		keys + `],"items":` + pointText + `}`
}

func parse(text string) *structural.Schema {
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return schema
}

func decode(t testing.TB, text string) any {
	t.Helper()
	value, _, err := jsonvalue.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		name     string
		schema   *structural.Schema
		new, old string
		want     bool
	}{
		{"RAT-033 int and float", scalar, `1`, `1.0`, false},
		{"RAT-033 nulls", scalar, `null`, `null`, true},
		{"RAT-033 null and value", scalar, `null`, `1`, false},
		{"object", point, `{"k":1,"v":[1]}`, `{"k":1,"v":[1]}`, true},
		{"object, a field changed", point, `{"k":1}`, `{"k":2}`, false},
		{"object, a field replaced", point, `{"k":1}`, `{"l":1}`, false},
		{"RAT-030 unknown field", point, `{"z":1}`, `{"z":1}`, false},
		{"RAT-030 no field at all", point, `{}`, `{}`, true},
		{"RAT-014 additional properties", anyMap, `{"z":1}`, `{"z":1}`, true},
		{"object under a scalar schema", scalar, `{"z":1}`, `{"z":1}`, false},
		{"kinds differ", scalar, `{}`, `[]`, false},
		{"RAT-010 atomic list with unknown fields", atomic, `[{"z":1}]`, `[{"z":1}]`, true},
		{"RAT-010 atomic list, int and float", atomic, `[1]`, `[1.0]`, false},
		{"RAT-011 set reordered", set, `[1,2]`, `[2,1]`, false},
		{"RAT-012 list-map reordered", byK, `[{"k":1},{"k":2}]`, `[{"k":2},{"k":1}]`, true},
		{"RAT-012 by new items only", byK, `[{"k":1},{"k":1}]`, `[{"k":1},{"k":2}]`, true},
		{"RAT-012 the first old item counts", byK, `[{"k":1,"v":1},{"k":1,"v":2}]`, `[{"k":1,"v":1},{"k":1,"v":2}]`, false},
		{"list-map, lengths differ", byK, `[{"k":1}]`, `[{"k":1},{"k":2}]`, false},
		{"list-map, longer by a repeated key", byK, `[{"k":1},{"k":1}]`, `[{"k":1}]`, false},
		{"list-map, old one empty", byK, `[{"k":1}]`, `[]`, false},
		{"list-map, new one empty", byK, `[]`, `[{"k":1}]`, false},
		{"RAT-013 key missing", byK, `[{"v":1}]`, `[{"v":1}]`, false},
		{"RAT-013 int and float keys", byK, `[{"k":1}]`, `[{"k":1.0}]`, false},
		{"list-map, both empty", byK, `[]`, `[]`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := correlation{New: decode(t, c.new), Old: decode(t, c.old), Schema: c.schema}
			if got := p.Equal(); got != c.want {
				t.Errorf("Equal(%s, %s) = %v", c.new, c.old, got)
			}
		})
	}
}

func TestItem(t *testing.T) {
	for _, c := range []struct {
		name      string
		schema    *structural.Schema
		item, old string
		wantOld   bool
	}{
		{"RAT-012 same key", byK, `{"k":"a","v":1}`, `{"k":"a","v":2}`, true},
		{"RAT-013 key is null", byK, `{"k":null}`, `{"k":null}`, false},
		{"RAT-013 key is a list", byK, `{"k":[1]}`, `{"k":[1]}`, false},
		{"RAT-013 key is missing in one", byKL, `{"k":1,"l":2}`, `{"k":1}`, false},
		{"RAT-013 int and float, several keys", byKL, `{"k":1,"l":2}`, `{"k":1.0,"l":2}`, false},
		{"RAT-013 floats to six decimals, several keys", byKL, `{"k":1.00000001,"l":"x"}`, `{"k":1.00000002,"l":"x"}`, true},
		{"RAT-013 floats with one key", byK, `{"k":1.00000001}`, `{"k":1.00000002}`, false},
		{"negative zero, several keys", byKL, `{"k":-0.0,"l":"x"}`, `{"k":0.0,"l":"x"}`, false},
		{"negative zero, one key", byK, `{"k":-0.0}`, `{"k":0.0}`, true},
		{"item is no object", byK, `1`, `1`, false},
		{"RAT-010 atomic", atomic, `{"k":1}`, `{"k":1}`, false},
		{"RAT-010 atomic with keys", parse(`{"type":"array","x-kubernetes-list-type":"atomic","x-kubernetes-list-map-keys":["k"],"items":` + pointText + `}`), `{"k":1}`, `{"k":1}`, false},
		{"RAT-011 set", set, `1`, `1`, false},
		{"no keys", parse(listMap(``)), `{"k":1}`, `{"k":1}`, false},
		{"no items schema", parse(`{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]}`), `{"k":1}`, `{"k":1}`, false},
		{"not of type array", parse(`{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":` + pointText + `}`), `{"k":1}`, `{"k":1}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, others := range []int{0, 100} { // a short list is searched, a long one indexed
				old := []any{nil, int64(3), map[string]any{}}
				for i := range others {
					old = append(old, map[string]any{"k": fmt.Sprint("other", i), "l": "x"})
				}
				want := decode(t, c.old)
				p := correlation{
					New:    []any{decode(t, c.item)},
					Old:    append(old, want, decode(t, c.old)),
					Schema: c.schema,
				}
				got, ok := p.Item(0)
				if ok != c.wantOld || ok && !jsonvalue.Equal(got.Old, want) {
					t.Errorf("among %d others: got %v, %v", others, got.Old, ok)
				}
			}
		})
	}
}

func TestItemOutOfRange(t *testing.T) {
	p := correlation{New: []any{}, Old: []any{map[string]any{"k": int64(1)}}, Schema: byK}
	for _, i := range []int{-1, 0, 1} {
		if _, ok := p.Item(i); ok {
			t.Errorf("item %d of an empty list has a partner", i)
		}
	}
}

func TestField(t *testing.T) {
	root := correlation{
		New:    map[string]any{"k": int64(1), "l": nil, "z": int64(1)},
		Old:    map[string]any{"k": int64(2), "l": nil, "v": int64(3), "z": int64(1)},
		Schema: point,
	}
	for name, want := range map[string]bool{
		"k": true, "l": true, "v": false, "z": false, "none": false,
	} {
		child, ok := root.Field(name)
		if ok != want {
			t.Errorf("Field(%q): %v, want %v", name, ok, want)
		}
		k := correlation{New: int64(1), Old: int64(2), Schema: point.Property("k")}
		if name == "k" && child != k {
			t.Errorf("Field(k) = %+v", child)
		}
	}
	for _, none := range []correlation{{}, {New: root.New, Schema: point}} {
		if _, ok := none.Field("k"); ok {
			t.Errorf("%+v: a field correlates without a schema or an old value", none)
		}
	}
}

// Comparing an unchanged object allocates nothing, short list-maps included.
func TestEqualDoesNotAllocate(t *testing.T) {
	list := func() any { return decode(t, `[{"k":"a","v":1},{"k":"b","v":[1,2]},{"k":"c"}]`) }
	schema := parse(
		`{"type":"object","properties":{"map":{"additionalProperties":{}},"list":` + listMap(
			`"k"`,
		) + `}}`,
	)
	p := correlation{
		New:    map[string]any{"list": list(), "map": map[string]any{"a": 1.5}},
		Old:    map[string]any{"list": list(), "map": map[string]any{"a": 1.5}},
		Schema: schema,
	}
	if !p.Equal() {
		t.Fatal("not equal")
	}
	allocs.AtMost(t, 0, "Equal", func() { p.Equal() })
	allocs.AtMost(t, 0, "Field", func() { p.Field("list") })
}

// A long list-map is matched in linear time; quadratic time would take hours.
func TestEqualIsLinear(t *testing.T) {
	const n = 300_000
	forth, back := make([]any, n), make([]any, n)
	for i := range forth {
		forth[i] = map[string]any{"k": int64(i), "l": "x"}
		back[n-1-i] = map[string]any{"k": int64(i), "l": "x"}
	}
	for _, schema := range []*structural.Schema{byK, byKL} {
		p := correlation{New: forth, Old: back, Schema: schema}
		if !p.Equal() {
			t.Error("a reordered list-map is not equal")
		}
	}
}
