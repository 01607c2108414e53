package unstructured

import (
	"testing"

	"sigs.k8s.io/yaml"
)

// Of keys that become the same text the one that is text counts, then the integer, whatever their order.
func TestYAMLToJSONOfEqualKeys(t *testing.T) {
	for doc, want := range map[string]string{
		"1: a\n'1': b":                `{"1":"b"}`,
		"'1': b\n1: a":                `{"1":"b"}`,
		"true: a\n'true': b":          `{"true":"b"}`,
		"1: a\n1.0: b":                `{"1":"a"}`,
		"0.1: a\n0.10000000001: b":    `{"0.1":"b"}`,
		"x: [{1: {2: a, '2': b}}]":    `{"x":[{"1":{"2":"b"}}]}`,
		".inf: a\n'.inf': b\n.nan: c": `{".inf":"b",".nan":"c"}`,
	} {
		for range 20 {
			if got, err := YAMLToJSON([]byte(doc)); err != nil || string(got) != want {
				t.Fatalf("%q: %s, %v, want %s", doc, got, err, want)
			}
		}
	}
}

// Of several keys that cannot be text, the same one is always told.
func TestYAMLToJSONOfUnusableKeys(t *testing.T) {
	const doc = "{[a]: 1}: x\n~: y\n"
	_, first := YAMLToJSON([]byte(doc))
	if first == nil {
		t.Fatal("no error")
	}
	for range 20 {
		if _, err := YAMLToJSON([]byte(doc)); err == nil || err.Error() != first.Error() {
			t.Fatalf("%v, then %v", first, err)
		}
	}
}

// FuzzYAMLToJSON compares with the library's function on documents that convert the same way twice.
func FuzzYAMLToJSON(f *testing.F) {
	for _, doc := range []string{"a: 1", "1: a\ntrue: b\n1.5: c", "~: a", "[1, 2.0, .inf]", "a: &x {b: 1}\nc: *x", "- a: 2020-01-01", "{", "a: !!binary aGk=", "1e100: x", "18446744073709551615: x"} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		want, wantErr := yaml.YAMLToJSON([]byte(doc))
		for range 8 {
			if again, err := yaml.YAMLToJSON([]byte(doc)); string(again) != string(want) || (err == nil) != (wantErr == nil) ||
				err != nil && err.Error() != wantErr.Error() {
				return
			}
		}
		got, err := YAMLToJSON([]byte(doc))
		switch {
		case (err == nil) != (wantErr == nil), err == nil && string(got) != string(want):
			t.Errorf("%q: %s, %v, want %s, %v", doc, got, err, want, wantErr)
		case err != nil && err.Error() != wantErr.Error():
			t.Errorf("%q: error %v, want %v", doc, err, wantErr)
		}
	})
}
