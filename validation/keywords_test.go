package validation_test

import (
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/validation"
)

// keywords are schemas of one keyword, values that pass, and the errors of
// those that do not. In an error, $ is the path of the value.
var keywords = []struct {
	schema string
	good   []string
	bad    map[string]string
}{
	{`{"type":"integer","maximum":4}`, []string{"4", "-9"}, map[string]string{
		"5": "$: Invalid value: 5: $ in body should be less than or equal to 4"}},
	{`{"type":"integer","maximum":4,"exclusiveMaximum":true}`, []string{"3"}, map[string]string{
		"4": "$: Invalid value: 4: $ in body should be less than 4",
		"5": "$: Invalid value: 5: $ in body should be less than 4"}},
	{`{"type":"integer","minimum":4}`, []string{"4", "9"}, map[string]string{
		"3": "$: Invalid value: 3: $ in body should be greater than or equal to 4"}},
	{`{"type":"integer","minimum":4,"exclusiveMinimum":true}`, []string{"5"}, map[string]string{
		"4": "$: Invalid value: 4: $ in body should be greater than 4",
		"3": "$: Invalid value: 3: $ in body should be greater than 4"}},
	{`{"type":"integer","multipleOf":3}`, []string{"3", "0", "-6"}, map[string]string{
		"4": "$: Invalid value: 4: $ in body should be a multiple of 3"}},
	{`{"type":"number","maximum":1.5}`, []string{"1.5", "1", "0", "-2.5"}, map[string]string{
		"1.75": "$: Invalid value: 1.75: $ in body should be less than or equal to 1.5"}},
	{`{"type":"number","maximum":1.5,"exclusiveMaximum":true}`, []string{"1.25"}, map[string]string{
		"1.5":  "$: Invalid value: 1.5: $ in body should be less than 1.5",
		"1.75": "$: Invalid value: 1.75: $ in body should be less than 1.5"}},
	{`{"type":"number","minimum":1.5}`, []string{"1.5", "2"}, map[string]string{
		"1.25": "$: Invalid value: 1.25: $ in body should be greater than or equal to 1.5"}},
	{`{"type":"number","minimum":1.5,"exclusiveMinimum":true}`, []string{"1.75"}, map[string]string{
		"1.5":  "$: Invalid value: 1.5: $ in body should be greater than 1.5",
		"1.25": "$: Invalid value: 1.25: $ in body should be greater than 1.5"}},
	{`{"type":"number","multipleOf":0.5}`, []string{"1.5", "2.5"}, map[string]string{
		"1.25": "$: Invalid value: 1.25: $ in body should be a multiple of 0.5",
		"2":    "$: Invalid value: 0: factor MultipleOf declared for $ must be positive: 0"}},
	{`{"type":"string","maxLength":2}`, []string{`""`, `"ab"`, `"éé"`}, map[string]string{
		`"abc"`: "$: Too long: may not be more than 2 bytes"}},
	{`{"type":"string","minLength":2}`, []string{`"ab"`, `"éé"`}, map[string]string{
		`"a"`: `$: Invalid value: "a": $ in body should be at least 2 chars long`,
		`"é"`: `$: Invalid value: "é": $ in body should be at least 2 chars long`}},
	{`{"type":"string","pattern":"^a"}`, []string{`"ab"`}, map[string]string{
		`"b"`: `$: Invalid value: "b": $ in body should match '^a'`}},
	{`{"type":"string","format":"ipv4"}`, []string{`"1.2.3.4"`}, map[string]string{
		`"b"`: `$: Invalid value: "b": $ in body must be of type ipv4: "b"`}},
	{`{"type":"string","enum":["a","b"]}`, []string{`"a"`, `"b"`}, map[string]string{
		`"c"`: `$: Unsupported value: "c": supported values: "a", "b"`}},
	{`{"type":"string","enum":["a","b","c","d","e","f","g","h","i"]}`, []string{`"a"`, `"i"`}, map[string]string{
		`"k"`: `$: Unsupported value: "k": supported values: "a", "b", "c", "d", "e", "f", "g", "h", "i"`}},
	{`{"x-kubernetes-int-or-string":true,"enum":["a","b","c","d","e","f","g","h",1]}`, []string{`"a"`, `1`},
		map[string]string{
			`"k"`: `$: Unsupported value: "k": supported values: "a", "b", "c", "d", "e", "f", "g", "h", "1"`,
			`2`:   `$: Unsupported value: 2: supported values: "a", "b", "c", "d", "e", "f", "g", "h", "1"`}},
	{`{"type":"number","enum":[1,2.5]}`, []string{`1`, `2.5`, `1.5`}, map[string]string{
		`2`: `$: Unsupported value: 2: supported values: "1", "2.5"`}},
	{`{"type":"boolean","enum":[true]}`, []string{`true`}, map[string]string{
		`false`: `$: Unsupported value: false: supported values: "true"`}},
	{`{"type":"string"}`, []string{`""`, `"a"`}, map[string]string{
		`1`: `$: Invalid value: "integer": $ in body must be of type string: "integer"`}},
	{`{"type":"boolean"}`, []string{`true`}, map[string]string{
		`"x"`: `$: Invalid value: "string": $ in body must be of type boolean: "string"`}},
	{`{"type":"integer"}`, []string{`1`, `2.0`}, map[string]string{
		`2.5`: `$: Invalid value: "number": $ in body must be of type integer: "number"` + "\n" +
			`<nil>: Invalid value: "": Checked value must be of type integer (default format) in $`,
		`true`: `$: Invalid value: "boolean": $ in body must be of type integer: "boolean"`}},
	{`{"x-kubernetes-int-or-string":true}`, []string{`1`, `"x"`}, map[string]string{
		`true`: `$: Invalid value: "boolean": $ in body must be of type integer,string: "boolean"`}},
	{`{"type":"array","maxItems":1}`, []string{`[]`, `[1]`}, map[string]string{
		`[1,2]`: "$: Too many: 2: must have at most 1 item"}},
	{`{"type":"array","minItems":1}`, []string{`[1]`, `[1,2]`}, map[string]string{
		`[]`: "$: Invalid value: 0: $ in body should have at least 1 items"}},
	{`{"type":"array","uniqueItems":true}`, []string{`[]`, `[1]`, `[1,"1"]`}, map[string]string{
		`[1,2,1]`: `$: Invalid value: "": $ in body shouldn't contain duplicates`}},
	{`{"type":"object","maxProperties":1}`, []string{`{}`, `{"x":1}`}, map[string]string{
		`{"x":1,"y":1}`: "$: Too many: 2: must have at most 1 item"}},
	{`{"type":"object","minProperties":1}`, []string{`{"x":1}`, `{"x":1,"y":1}`}, map[string]string{
		`{}`: "$: Invalid value: 0: $ in body should have at least 1 properties"}},
	{`{"type":"object","required":["x","y"]}`, []string{`{"x":1,"y":1}`}, map[string]string{
		`{"x":1}`: "$.y: Required value", `{"y":1}`: "$.x: Required value"}},
	{`{"type":"object","additionalProperties":false,"properties":{"x":{}}}`, []string{`{"x":1}`, `{}`},
		map[string]string{`{"z":1}`: `$: Invalid value: "z": $.z in body is a forbidden property`}},
	{`{"type":"string","allOf":[{"minLength":1}]}`, []string{`"a"`}, map[string]string{
		`""`: `$: Invalid value: "": $ in body should be at least 1 chars long` + "\n" +
			`<nil>: Invalid value: "": "$" must validate all the schemas (allOf). None validated`}},
	{`{"type":"string","not":{"enum":["a"]}}`, []string{`"b"`}, map[string]string{
		`"a"`: `<nil>: Invalid value: "": "$" must not validate the schema (not)`}},
	{`{"type":"string","oneOf":[{"pattern":"a"},{"pattern":"b"}]}`, []string{`"a"`, `"b"`},
		map[string]string{`"ab"`: `<nil>: Invalid value: "": "$" must validate one and only one schema ` +
			`(oneOf). Found 2 valid alternatives`}},
}

// places are schemas around another one, objects around a value, and the path
// of the value.
var places = []struct{ schema, object, path string }{
	{`{"type":"object","properties":{"a":%s}}`, `{"a":%s}`, "a"},
	{`{"type":"object","properties":{"a":%s,"b":{"type":"string"}}}`, `{"a":%s,"c":1,"d":2}`, "a"},
	{`{"type":"object","properties":{"l":{"type":"array","items":%s}}}`, `{"l":[%s]}`, "l[0]"},
	{`{"type":"object","properties":{"o":{"type":"object","properties":{"a":%s}}}}`,
		`{"o":{"a":%s}}`, "o.a"},
	{`{"type":"object","properties":{"m":{"type":"object","additionalProperties":%s}}}`,
		`{"m":{"k":%s}}`, "m.k"},
}

// Each keyword accepts and refuses the same values at every place.
func TestKeywords(t *testing.T) {
	for _, k := range keywords {
		for _, place := range places {
			v := validation.Compile(testschema.Schema(t, fmt.Sprintf(place.schema, k.schema)))
			check := func(value string, want ...string) {
				t.Helper()
				object := testschema.Object(t, fmt.Sprintf(place.object, value))
				got := listed(v.Validate(t.Context(), object))
				if diff := gocmp.Diff(append([]string{}, want...), got); diff != "" {
					t.Errorf("%s at %s: %s (-want +got)\n%s", k.schema, place.path, value, diff)
				}
			}
			for _, value := range k.good {
				check(value)
			}
			for value, text := range k.bad {
				check(value, strings.Split(strings.ReplaceAll(text, "$", place.path), "\n")...)
			}
		}
	}
}

// A branch accepts and refuses the same values.
func TestKeywordsInBranches(t *testing.T) {
	const one, none = "must validate at least one schema (anyOf)",
		"must validate one and only one schema (oneOf). Found none valid"
	for _, k := range keywords {
		for junctor, text := range map[string]string{
			`"anyOf":[%s]`: one, `"oneOf":[%s]`: none, `"not":{"not":%s}`: "must not validate the schema (not)",
		} {
			schema := fmt.Sprintf(`{"type":"object","properties":{"a":{`+junctor+`}}}`, k.schema)
			v := validation.Compile(testschema.Schema(t, schema))
			for _, value := range k.good {
				object := testschema.Object(t, `{"a":`+value+`}`)
				if errs := v.Validate(t.Context(), object); len(errs) > 0 {
					t.Errorf("%s: %s: %v", schema, value, errs)
				}
			}
			for value := range k.bad {
				object := testschema.Object(t, `{"a":`+value+`}`)
				got := listed(v.Validate(t.Context(), object))
				want := `<nil>: Invalid value: "": "a" ` + text
				if len(got) == 0 || got[0] != want && got[len(got)-1] != want {
					t.Errorf("%s: %s: %q, want %q", schema, value, got, want)
				}
			}
		}
	}
}

// An error is reported once, however often branches repeat it and however many
// errors there are (VAL-009).
func TestRepeatedErrors(t *testing.T) {
	const twice = `{"type":"string","allOf":[{"pattern":"^a"},{"pattern":"^a"}]}`
	v := validation.Compile(testschema.Schema(t,
		`{"type":"object","properties":{"l":{"type":"array","items":`+twice+`}}}`))
	for _, count := range []int{1, 8, 9, 40} {
		var want []string
		for i := range count {
			at := fmt.Sprintf("l[%d]", i)
			want = append(want, at+`: Invalid value: "b": `+at+" in body should match '^a'",
				`<nil>: Invalid value: "": "`+at+`" must validate all the schemas (allOf). None validated`)
		}
		object := testschema.Object(t, `{"l":[`+strings.Repeat(`"b",`, count-1)+`"b"]}`)
		if diff := gocmp.Diff(want, listed(v.Validate(t.Context(), object))); diff != "" {
			t.Errorf("%d items (-want +got)\n%s", count, diff)
		}
	}
}

// A list whose first and last items are the same has a duplicate, whatever its
// length.
func TestDuplicatesOfLists(t *testing.T) {
	v := validation.Compile(testschema.Schema(t, `{"type":"object","properties":{
		"u":{"type":"array","uniqueItems":true},"s":{"type":"array","x-kubernetes-list-type":"set"},
		"m":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]}}}`))
	for _, count := range []int{2, 3, 16, 17, 18, 100} {
		items, maps := make([]any, count), make([]any, count)
		for i := range items {
			items[i], maps[i] = int64(i), map[string]any{"k": int64(i)}
		}
		object := map[string]any{"u": items, "s": items, "m": maps}
		if errs := v.Validate(t.Context(), object); len(errs) > 0 {
			t.Errorf("%d items: %v", count, errs)
		}
		items[count-1], maps[count-1] = int64(0), map[string]any{"k": int64(0)}
		want := []string{
			`u: Invalid value: "": u in body shouldn't contain duplicates`,
			fmt.Sprintf(`m[%d]: Duplicate value: {"k":0}`, count-1),
			fmt.Sprintf(`s[%d]: Duplicate value: 0`, count-1),
		}
		if diff := gocmp.Diff(want, listed(v.Validate(t.Context(), object))); diff != "" {
			t.Errorf("%d items (-want +got)\n%s", count, diff)
		}
	}
}
