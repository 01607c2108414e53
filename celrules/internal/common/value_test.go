package common_test

import (
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

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
	"map4":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l","v","w"],"items":{"$i":0}},
	"odd":{"type":"array","x-kubernetes-list-type":"odd","items":{"type":"integer"}},"bare":{"type":"array"},
	"m":{"type":"object","additionalProperties":{"type":"integer","nullable":true}},"strict":{"type":"object","additionalProperties":{"type":"integer"}},
	"o":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{"type":"integer"},"b-c":{"type":"string"}}},
	"bogus":{"type":"bogus"}}}`

func of(t testing.TB, property, text string) ref.Val {
	t.Helper()
	return in(t, new(decl.Universe), property, text)
}

// in returns a value of a property in a universe.
func in(t testing.TB, universe *decl.Universe, property, text string) ref.Val {
	t.Helper()
	var document map[string]any
	raw, _, err := jsonvalue.DecodeJSON([]byte(schemaText))
	if err != nil {
		t.Fatal(err)
	}
	document = raw.(map[string]any)
	item, _, _ := jsonvalue.DecodeJSON([]byte(`{"type":"object","properties":{
		"k":{"type":"string"},"l":{"type":"integer"},"v":{"type":"integer"},"w":{"type":"integer"}}}`))
	for _, name := range []string{"map1", "map2", "map4"} {
		document["properties"].(map[string]any)[name].(map[string]any)["items"] = item
	}
	schema, err := structural.FromMap(document)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := jsonvalue.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return common.Of(v, universe.Inner(schema.Property(property)))
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
		v := of(t, c.property, c.text)
		got := types.Format(v)
		if err, ok := v.(*types.Err); ok {
			got = err.Error()
		}
		if got != c.want {
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
		{"set", `[1,2]`, `[2,1]`, "true"},
		{"set", `[1,1]`, `[1,2]`, "false"},
		{"set", `[1,2]`, `[1,1]`, "false"},
		{"texts", `["YQ==","Yg=="]`, `["Yg==","YQ=="]`, "true"},
		{"sets", `[[1]]`, `[[1]]`, "listSet operations are only supported on lists of scalar values"},
		{"map1", `[{"k":"a","v":1},{"k":"b","v":2}]`, `[{"k":"b","v":2},{"k":"a","v":1}]`, "true"},
		{"map1", `[{"k":"a","v":1}]`, `[{"k":"a","v":2}]`, "false"},
		{"map2", `[{"k":"a","l":1},{"k":"a","l":2}]`, `[{"k":"a","l":2},{"k":"a","l":1}]`, "true"},
		{"map4", `[{"k":"a","l":1},{"k":"a","l":2}]`, `[{"k":"a","l":2},{"k":"a","l":1}]`, "true"},
		{"map4", `[{"k":"a","l":1}]`, `[{"k":"a","l":3}]`, "false"},
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
		v := of(t, c.property, c.a).Equal(of(t, c.property, c.b))
		got := types.Format(v)
		if err, ok := v.(*types.Err); ok {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s == %s is %s, want %s", c.property, c.a, c.b, got, c.want)
		}
	}
}

func TestAdd(t *testing.T) {
	for _, c := range []struct{ property, a, b, want, equal string }{
		{"atomic", `[2,1]`, `[1]`, "[2, 1, 1]", ""},
		{"set", `[2,1]`, `[1,3]`, "[2, 1, 3]", `[3,2,1]`},
		{"map1", `[{"k":"a","v":1},{"k":"b","v":2}]`, `[{"k":"a","v":9},{"k":"c","v":3}]`,
			`[{"k": "a", "v": 9}, {"k": "b", "v": 2}, {"k": "c", "v": 3}]`, `[{"k":"c","v":3},{"k":"b","v":2},{"k":"a","v":9}]`},
	} {
		sum := of(t, c.property, c.a).(traits.Adder).Add(of(t, c.property, c.b))
		if got := types.Format(sum); got != c.want {
			t.Errorf("%s: %s", c.property, got)
		}
		if c.equal == "" {
			continue
		}
		if sum.Equal(of(t, c.property, c.equal)) != types.True {
			t.Errorf("%s: %s is not equal to %s", c.property, c.want, c.equal)
		}
		again := sum.(traits.Adder).Add(of(t, c.property, c.a))
		if again.(traits.Sizer).Size() != types.Int(3) {
			t.Errorf("%s: the sum lost its sort: %s", c.property, types.Format(again))
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
		{"set", `[2,1]`, `[1,3,3]`, "[2, 1, 3]", false},
		{"set", `[2,1]`, `[1,2]`, "[2, 1]", true},
		{"set", `[2,1]`, `[1,3]`, "[2, 1, 3]", false},
		{"map1", `[{"k":"a","v":1},{"k":"b","v":2}]`, `[{"k":"a","v":9},{"k":"c","v":3}]`,
			`[{"k": "a", "v": 9}, {"k": "b", "v": 2}, {"k": "c", "v": 3}]`, false},
		{"map1", `[{"k":"a","v":1},{"k":"b"}]`, `[{"k":"b"},{"k":"a","v":1}]`,
			`[{"k": "a", "v": 1}, {"k": "b"}]`, true},
		{"map4", `[{"k":"a","l":1,"v":2,"w":3}]`, `[{"k":"a","l":1,"v":2,"w":3},{"k":"a","l":1,"v":2}]`,
			`[{"k": "a", "l": 1, "v": 2, "w": 3}, {"k": "a", "l": 1, "v": 2}]`, false},
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

// TestAccess covers CEL-043, CEL-047, CEL-049.
func TestAccess(t *testing.T) {
	o := of(t, "o", `{"a":null,"b-c":"x","p":1}`).(traits.Mapper)
	for key, want := range map[string]bool{
		"a": false, "b__dash__c": true, "b-c": true, "p": false, "__bad__": false,
	} {
		if _, found := o.Find(types.String(key)); found != want {
			t.Errorf("object, %s: %v", key, found)
		}
	}
	if o.Size() != types.Int(3) {
		t.Error("the size counts all keys")
	}
	var keys []ref.Val
	for it := o.Iterator(); it.HasNext() == types.True; {
		keys = append(keys, it.Next())
	}
	if len(keys) != 3 || keys[1] != types.String("b__dash__c") || keys[2] != nil {
		t.Errorf("keys %v", keys)
	}
	m := of(t, "m", `{"a-b":null}`).(traits.Mapper)
	if v, found := m.Find(types.String("a-b")); !found || v != types.NullValue {
		t.Errorf("map: %v, %v", v, found)
	}
	strict := of(t, "strict", `{"a":null}`).(traits.Mapper)
	if v := strict.Contains(types.String("a")); !types.IsError(v) {
		t.Errorf("strict map: %v", v)
	}
	l := of(t, "atomic", `[1,"x"]`).(traits.Lister)
	if l.Get(types.Int(2)).(*types.Err).Error() != "index out of bounds: 2" ||
		l.Contains(types.Int(1)) != types.True {
		t.Error("list access")
	}
	if v := l.Contains(types.Int(5)); !types.IsError(v) {
		t.Errorf("an item that is no integer: %v", v)
	}
}
