package v1_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	v1 "github.com/crdsem/crdsem/internal/belowstructural/crd/v1"
)

// The first byte of a union decides what it is. A value that is neither leaves
// it empty, and is written as false (STR-003 to STR-005).
func TestUnions(t *testing.T) {
	const typed = `{"type":"string"}`
	schema := &v1.JSONSchemaProps{Type: "string"}
	const refused = "json: cannot unmarshal number into Go struct field JSONSchemaProps.type " +
		"of type string"
	type union interface {
		json.Unmarshaler
		json.Marshaler
	}
	for _, c := range []struct {
		text    string
		read    union // decodes and is written again
		want    union
		written string
		err     string
	}{
		{typed, &v1.JSONSchemaPropsOrBool{}, &v1.JSONSchemaPropsOrBool{Schema: schema, Allows: true},
			typed, ""},
		{"true", &v1.JSONSchemaPropsOrBool{}, &v1.JSONSchemaPropsOrBool{Allows: true}, "true", ""},
		{"false", &v1.JSONSchemaPropsOrBool{Schema: schema}, &v1.JSONSchemaPropsOrBool{}, "false", ""},
		{"1", &v1.JSONSchemaPropsOrBool{Allows: true}, &v1.JSONSchemaPropsOrBool{Allows: true},
			"true", "boolean or JSON schema expected"},
		{"", &v1.JSONSchemaPropsOrBool{}, &v1.JSONSchemaPropsOrBool{}, "false",
			"boolean or JSON schema expected"},
		{`{"type":1}`, &v1.JSONSchemaPropsOrBool{}, &v1.JSONSchemaPropsOrBool{}, "false", refused},
		{typed, &v1.JSONSchemaPropsOrArray{}, &v1.JSONSchemaPropsOrArray{Schema: schema}, typed, ""},
		{"[" + typed + "]", &v1.JSONSchemaPropsOrArray{},
			&v1.JSONSchemaPropsOrArray{JSONSchemas: []v1.JSONSchemaProps{*schema}},
			"[" + typed + "]", ""},
		{"[]", &v1.JSONSchemaPropsOrArray{},
			&v1.JSONSchemaPropsOrArray{JSONSchemas: []v1.JSONSchemaProps{}}, "[]", ""},
		{"true", &v1.JSONSchemaPropsOrArray{Schema: schema}, &v1.JSONSchemaPropsOrArray{}, "false", ""},
		{"[", &v1.JSONSchemaPropsOrArray{Schema: schema}, &v1.JSONSchemaPropsOrArray{}, "false", ""},
		{`{"type":1}`, &v1.JSONSchemaPropsOrArray{Schema: schema},
			&v1.JSONSchemaPropsOrArray{Schema: schema}, typed, refused},
		{typed, &v1.JSONSchemaPropsOrStringArray{}, &v1.JSONSchemaPropsOrStringArray{Schema: schema},
			typed, ""},
		{`["a"]`, &v1.JSONSchemaPropsOrStringArray{},
			&v1.JSONSchemaPropsOrStringArray{Property: []string{"a"}}, `["a"]`, ""},
		{`["a"]`, &v1.JSONSchemaPropsOrStringArray{Schema: schema},
			&v1.JSONSchemaPropsOrStringArray{Property: []string{"a"}}, `["a"]`, ""},
		{`"a"`, &v1.JSONSchemaPropsOrStringArray{}, &v1.JSONSchemaPropsOrStringArray{}, "false", ""},
		{`[1]`, &v1.JSONSchemaPropsOrStringArray{Schema: schema},
			&v1.JSONSchemaPropsOrStringArray{Schema: schema}, typed,
			"json: cannot unmarshal number into Go value of type string"},
		{`{"a": 1}`, new(v1.JSON("x")), new(v1.JSON(`{"a": 1}`)), `{"a":1}`, ""},
		{"null", new(v1.JSON), new(v1.JSON), "null", ""},
		{"null", new(v1.JSON("[]")), new(v1.JSON("[]")), "[]", ""},
		{"null", &v1.Time{}, &v1.Time{}, "null", ""},
		{`"2026-11-25T15:04:05+01:00"`, &v1.Time{}, timeAt(t, "2026-11-25T14:04:05Z"),
			`"2026-11-25T14:04:05Z"`, ""},
		{"null", timeAt(t, "2026-11-25T14:04:05Z"), &v1.Time{}, "null", ""},
		{"1", &v1.Time{}, &v1.Time{}, "null",
			"json: cannot unmarshal number into Go value of type string"},
		{`"now"`, &v1.Time{}, &v1.Time{}, "null",
			`parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"`},
	} {
		got := ""
		if err := c.read.UnmarshalJSON([]byte(c.text)); err != nil {
			got = err.Error()
		}
		if got != c.err {
			t.Errorf("%T of %s: error %q, want %q", c.read, c.text, got, c.err)
		}
		same := cmp.Comparer(func(a, b v1.Time) bool { return encoded(t, a) == encoded(t, b) })
		if diff := cmp.Diff(c.want, c.read, same); diff != "" {
			t.Errorf("%T of %s: %s", c.read, c.text, diff)
		}
		if text := encoded(t, c.read); text != c.written {
			t.Errorf("%T of %s is written as %s, want %s", c.read, c.text, text, c.written)
		}
	}
}

func encoded(t *testing.T, value json.Marshaler) string {
	t.Helper()
	text, err := value.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var written any
	if err := json.Unmarshal(text, &written); err != nil {
		t.Fatal(err)
	}
	for _, schema := range append(schemasOf(written), written) {
		if fields, ok := schema.(map[string]any); ok {
			maps.DeleteFunc(fields, func(_ string, v any) bool {
				return v == nil || v == "" || v == false // the fields that are not set
			})
		}
	}
	if text, err = json.Marshal(written); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func schemasOf(written any) []any {
	list, _ := written.([]any)
	return list
}

func timeAt(t *testing.T, text string) *v1.Time {
	t.Helper()
	var at v1.Time
	if err := at.UnmarshalJSON([]byte(`"` + text + `"`)); err != nil {
		t.Fatal(err)
	}
	return &at
}
