package yamljson_test

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/yamljson"
)

// Of keys that become the same string, a string counts before an integer,
// whatever their order.
func TestToJSONOfEqualKeys(t *testing.T) {
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
			if got, err := yamljson.ToJSON([]byte(doc)); err != nil || string(got) != want {
				t.Fatalf("%q: %s, %v, want %s", doc, got, err, want)
			}
		}
	}
}

// If several keys cannot be strings, the error always names the same one.
func TestToJSONOfUnusableKeys(t *testing.T) {
	const doc = "{[a]: 1}: x\n~: y\n"
	_, first := yamljson.ToJSON([]byte(doc))
	if first == nil {
		t.Fatal("no error")
	}
	for range 20 {
		if _, err := yamljson.ToJSON([]byte(doc)); err == nil || err.Error() != first.Error() {
			t.Fatalf("%v, then %v", first, err)
		}
	}
}

// Decode has the result of going through JSON text. It reports duplicate keys,
// and the last one counts.
func TestLibraryYAML(t *testing.T) {
	for _, c := range []struct {
		doc        string
		duplicates bool
	}{
		{"a: &x {b: 1.0, c: -0.0, d: 1e30, e: 1.5, f: 1e-9}\ng: *x\nh: [9223372036854775807, 9223372036854775808, 1e18, 1e19]", false},
		{"a: !!binary gIE=\nb: [1, 2.0]\n? !!binary gA==\n: 1", false},
		{"a: .inf", false},
		{"a: 2020-01-01\nb: !!timestamp 2020-01-01\nc: 18446744073709551615", false},
		{"a: 1\na: 2\nb: {c: 1, c: 2, d: 3.0}", true},
		{"a: &x {b: 1}\nc: {<<: *x, b: 2}", true},
		{"a: [", false},
		{"[a]: b", false},
		{strings.Repeat("[", 600) + "1.0" + strings.Repeat("]", 600), false},
	} {
		got, strict, err := yamljson.Decode([]byte(c.doc))
		asJSON, wantErr := yamljson.ToJSON([]byte(c.doc))
		if wantErr != nil {
			if err == nil || err.Error() != wantErr.Error() {
				t.Errorf("%q: error %v, want %v", c.doc, err, wantErr)
			}
			continue
		}
		want, _, _ := jsonvalue.DecodeJSON(asJSON)
		if err != nil || !jsonvalue.Equal(got, want) || (len(strict) > 0) != c.duplicates {
			t.Errorf("%q: got %#v, %v, %v, want %#v", c.doc, got, strict, err, want)
		}
		_, wantErr = yaml.YAMLToJSONStrict([]byte(c.doc))
		if c.duplicates && (wantErr == nil || strict[0].Error() != wantErr.Error()) {
			t.Errorf("%q: strict errors %v, want %v", c.doc, strict, wantErr)
		}
	}
}

// isRandom reports whether the library's function has several results, as it
// has for keys that are the same in JSON: 1 and 1.0. Of two such keys it takes
// one or the other.
func isRandom(doc string) bool {
	want, wantErr := yaml.YAMLToJSON([]byte(doc))
	for range 1000 {
		got, err := yaml.YAMLToJSON([]byte(doc))
		if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			return true
		}
	}
	return false
}

// FuzzToJSON compares with the library's function on documents for which that
// is not random.
func FuzzToJSON(f *testing.F) {
	for _, doc := range []string{
		"a: 1", "1: a\ntrue: b\n1.5: c", "~: a", "[1, 2.0, .inf]", "a: &x {b: 1}\nc: *x",
		"- a: 2020-01-01", "{", "a: !!binary aGk=", "1e100: x", "18446744073709551615: x",
	} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if problem := difference(doc); problem != "" && !isRandom(doc) {
			t.Errorf("%q: %s", doc, problem)
		}
	})
}

// difference says what differs from the library's functions.
func difference(doc string) string {
	want, wantErr := yaml.YAMLToJSON([]byte(doc))
	got, err := yamljson.ToJSON([]byte(doc))
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && string(got) != string(want) {
		return fmt.Sprintf("%s, %v, want %s, %v", got, err, want, wantErr)
	}
	if err != nil {
		return ""
	}
	wantValue, _, wantErr := jsonvalue.DecodeJSON(want)
	_, wantStrict := yaml.YAMLToJSONStrict([]byte(doc))
	value, strict, err := yamljson.Decode([]byte(doc))
	if (err == nil) != (wantErr == nil) || err == nil && !jsonvalue.Equal(value, wantValue) ||
		(len(strict) > 0) != (wantStrict != nil) {
		return fmt.Sprintf("read %#v, %v, %v, want %#v, %v, %v",
			value, strict, err, wantValue, wantStrict, wantErr)
	}
	return ""
}
