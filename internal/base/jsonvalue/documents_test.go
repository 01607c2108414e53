package jsonvalue_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"
)

// What starts with { is JSON, anything else is YAML. The columns are the value,
// the strict errors, and the error.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		text                  string
		isJSON, looksLikeJSON bool
		json, yaml            string
	}{
		{`{"a":1.0}`, true, true, "map[a:1] [] <nil>", "map[a:1] [] <nil>"},
		{`{"a":1,"a":2}`, true, true, `map[a:2] [duplicate field "a"] <nil>`,
			"map[a:2] [yaml: unmarshal errors:\n  line 1: key \"a\" already set in map] <nil>"},
		{"{a: 1}", true, true,
			"<nil> [] invalid character 'a' looking for beginning of object key string",
			"map[a:1] [] <nil>"},
		{" \t\n\u00a0{}", false, true, "<nil> [] invalid character 'Â' looking for beginning of value",
			"<nil> [] yaml: found character that cannot start any token"},
		{"a: 1\nb: [x]\n", false, false,
			"<nil> [] invalid character 'a' looking for beginning of value",
			"map[a:1 b:[x]] [] <nil>"},
		{"\xff", false, false, "<nil> [] invalid character 'ÿ' looking for beginning of value",
			"<nil> [] yaml: invalid leading UTF-8 octet"},
		{"", false, false, "<nil> [] unexpected end of JSON input", "<nil> [] <nil>"},
	} {
		data := []byte(c.text)
		want := c.yaml
		if c.isJSON {
			want = c.json
		}
		if got := fmt.Sprint(three(jsonvalue.DecodeJSON(data))...); got != c.json {
			t.Errorf("%q as JSON: %s, want %s", c.text, got, c.json)
		}
		if got := fmt.Sprint(three(jsonvalue.DecodeYAML(data))...); got != c.yaml {
			t.Errorf("%q as YAML: %s, want %s", c.text, got, c.yaml)
		}
		if got := fmt.Sprint(three(jsonvalue.Decode(data))...); got != want {
			t.Errorf("%q: %s, want %s", c.text, got, want)
		}
		if jsonvalue.IsJSONObject(data) != c.isJSON ||
			jsonvalue.LooksLikeJSON(data) != c.looksLikeJSON {
			t.Errorf("%q: another kind of text", c.text)
		}
	}
}

func three(value any, strict []error, err error) []any {
	return []any{value, " ", strict, " ", err}
}

// DecodeObject has the results of Decode if they are an object.
func TestDecodeObject(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"a":2}`: `map[a:2] [duplicate field "a"] <nil>`,
		"a: 1\n":        "map[a:1] [] <nil>",
		"{":             "map[] [] unexpected end of JSON input",
		"[1]":           "map[] [] expected an object, got array",
		"- a\n- a":      "map[] [] expected an object, got array",
		"null":          "map[] [] expected an object, got null",
		`"a"`:           "map[] [] expected an object, got string",
		"5":             "map[] [] expected an object, got integer",
		"5.5":           "map[] [] expected an object, got number",
		"true":          "map[] [] expected an object, got boolean",
	} {
		object, strict, err := jsonvalue.DecodeObject([]byte(text))
		if got := fmt.Sprint(object, strict, err); got != want || err != nil && object != nil {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for value, want := range map[any]string{nil: "null", 5: "int"} {
		if got := jsonvalue.KindOf(value); got != want {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
	}
	if got := jsonvalue.KindOf(map[string]any{}); got != "object" {
		t.Error(got)
	}
}

func TestSplitYAMLErrors(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                 {""},
		"a":                                {"a"},
		"error converting YAML to JSON: a": {"error converting YAML to JSON: a"},
		"yaml: unmarshal errors:\n  line 1: a\n  line 2: b":        {"line 1: a", "line 2: b"},
		"error converting YAML to JSON: yaml: unmarshal errors:\n": {""},
		"x yaml: unmarshal errors:\n  line 1: a":                   {"x yaml: unmarshal errors:\n  line 1: a"},
	} {
		if got := jsonvalue.SplitYAMLErrors(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A copy has no map and no list in common with what it was copied from. Nil
// stays nil.
func TestDeepCopy(t *testing.T) {
	for _, value := range []any{
		nil, "a", int64(1), 5, []any(nil), []any{}, map[string]any(nil), map[string]any{},
		map[string]any{"a": []any{"b", map[string]any{"c": nil}}, "d": []any{[]any{"e"}}},
	} {
		if got := jsonvalue.DeepCopy(value); !reflect.DeepEqual(got, value) {
			t.Errorf("%#v, want %#v", got, value)
		}
	}
	inner, item := map[string]any{"a": "b"}, []any{"c"}
	value := map[string]any{"m": inner, "l": []any{item}}
	object, _ := jsonvalue.DeepCopy(value).(map[string]any)
	inner["a"], item[0], value["l"].([]any)[0] = "x", "x", "x"
	if got := fmt.Sprint(object); got != "map[l:[[c]] m:map[a:b]]" {
		t.Error(got)
	}
}

func TestSortedKeys(t *testing.T) {
	for want, object := range map[string]map[string]int{
		"[]string(nil)": {}, `[]string{"a"}`: {"a": 1}, `[]string{"B", "a", "é"}`: {"é": 1, "a": 1, "B": 1},
	} {
		if got := fmt.Sprintf("%#v", jsonvalue.SortedKeys(object)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// IsPlain finds what Check finds.
func TestIsPlain(t *testing.T) {
	for _, value := range []any{
		nil, true, "", "a", int64(1), 1.5, []any{}, []any{"a", []any{1.5}}, map[string]any{"a": []any{nil}},
	} {
		if err := jsonvalue.Check(value); err != nil || !jsonvalue.IsPlain(value, 0) {
			t.Errorf("%v: %v", value, err)
		}
	}
	for _, value := range []any{
		1, "\xff", math.NaN(), math.Inf(1), math.Inf(-1), []any{"a", 1}, []any{1, "a"},
		map[string]any{"\xff": "a"}, map[string]any{"a": "\xff"}, map[string]string{},
	} {
		if err := jsonvalue.Check(value); err == nil || jsonvalue.IsPlain(value, 0) {
			t.Errorf("%v: %v", value, err)
		}
	}
	for _, value := range []any{[]any{"a"}, map[string]any{"a": "b"}} {
		if !jsonvalue.IsPlain(value, jsonvalue.MaxDepth-1) ||
			jsonvalue.IsPlain(value, jsonvalue.MaxDepth) {
			t.Errorf("%v: not the bound of the depth", value)
		}
	}
}

// A hundred duplicate fields are reported, as by the library.
func TestManyDuplicates(t *testing.T) {
	for _, n := range []int{99, 100, 101} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"k%d":[{"a":1,"a":{}}]`, i)
		}
		text := []byte("{" + b.String()[1:] + "}")
		var want, got any
		strict, err := kjson.UnmarshalStrict(text, &want, kjson.DisallowDuplicateFields)
		if err != nil {
			t.Fatal(err)
		}
		found, err := jsonvalue.UnmarshalStrict(text, &got)
		if err != nil || !reflect.DeepEqual(texts(found), texts(strict)) ||
			!jsonvalue.Equal(got, want) {
			t.Errorf("%d: %q, %v, want %q", n, found, err, strict)
		}
	}
}

// Of a thousand places with one path, only the path is reported, and then no
// other one.
func TestDuplicatesAtOnePath(t *testing.T) {
	const one, other = `duplicate field "x.x.x.x.x.x.x.x.x.x.x"`, `duplicate field "z"`
	for left, want := range map[int][]string{999: {one, other}, 1000: {one}} {
		var places func(n int) string
		places = func(n int) string {
			var fields []string
			for k := 1; k <= n && left > 0; k++ {
				key := `"x` + strings.Repeat(".x", k-1) + `":`
				if k < n {
					fields = append(fields, key+places(n-k))
					continue
				}
				left--
				fields = append(fields, key+"1,"+key+"1")
			}
			return "{" + strings.Join(fields, ",") + "}"
		}
		text := strings.TrimSuffix(places(11), "}") + `,"z":1,"z":1}`
		var into any
		strict, err := jsonvalue.UnmarshalStrict([]byte(text), &into)
		if err != nil || !reflect.DeepEqual(texts(strict), want) {
			t.Errorf("%q, %v, want %q", strict, err, want)
		}
	}
}

// Paths may take 32 MiB: two of a half are no more than that.
func TestMemoryOfDuplicates(t *testing.T) {
	key := strings.Repeat("k", jsonvalue.StrictMemory/2-len(".a"))
	text := `{"` + key + `":{"a":1,"a":1,"b":1,"b":1},"y":1,"y":1,"z":1,"z":1}`
	var into any
	strict, err := jsonvalue.UnmarshalStrict([]byte(text), &into)
	if err != nil || len(strict) != 4 {
		t.Fatalf("%d, %v", len(strict), err)
	}
	for i, want := range []string{key + ".a", key + ".b", "y"} {
		var e interface{ FieldPath() string }
		if !errors.As(strict[i], &e) || e.FieldPath() != want {
			t.Errorf("error %d is another", i)
		}
	}
	if !errors.Is(strict[3], jsonvalue.ErrMoreFields) {
		t.Errorf("%.100v", strict[3])
	}
}

// YAML that is all flow collections is not decoded piece by piece.
func TestDenseYAML(t *testing.T) {
	const lines, most = 50_000, 60 << 20
	text := []byte("l:\n" + strings.Repeat("- [a]\n", lines))
	made := allocs.Bytes(func() {
		if _, _, err := jsonvalue.DecodeYAML(text); err != nil {
			t.Error(err)
		}
	})
	t.Logf("%d KB: %d MB", len(text)>>10, made>>20)
	if made > most {
		t.Errorf("%d bytes took %d, want at most %d", len(text), made, most)
	}
}
