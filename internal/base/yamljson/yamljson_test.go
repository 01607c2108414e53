package yamljson_test

import (
	"fmt"
	"math"
	"reflect"
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

// Decode and ToJSON of whole documents. Keys become strings; a document that
// cannot be JSON has the library's error.
func TestDocuments(t *testing.T) {
	for _, c := range []struct{ name, doc, asJSON, err string }{
		{"empty", "", `null`, ""},
		{"values", "[1, 1.5, 2.0, 1e30, a, true, ~, 2020-01-01, 18446744073709551615]",
			`[1,1.5,2,1e+30,"a",true,null,"2020-01-01",18446744073709551615]`, ""},
		{"keys", "{a: 1, 2: 1, -3: 1, true: 1, 1.5: 1, 1e100: 1, .inf: 1, -.inf: 1, .nan: 1}",
			`{"-.inf":1,"-3":1,".inf":1,".nan":1,"1.5":1,"2":1,"a":1,"true":1}`, ""},
		{"key of 32 bits", "{0.1234567890123: 1}", `{"0.12345679":1}`, ""},
		{"bytes that are no UTF-8", "[!!binary gA==, {? !!binary gGE= : 1}]",
			`["\ufffd",{"\ufffda":1}]`, ""},
		{"not YAML", "[", "", "yaml: line 1: did not find expected node content"},
		{"not YAML behind a duplicate", "{a: 1, a: 2}: [", "",
			"yaml: line 1: did not find expected node content"},
		{"null as key", "a: {~: z}", "",
			"unsupported map key of type: %!s(<nil>), key: <nil>, value: \"z\""},
		{"null as key in a list", "[1, {~: z}]", "",
			"unsupported map key of type: %!s(<nil>), key: <nil>, value: \"z\""},
		{"two such keys, always the same", "18446744073709551615: x\n~: z", "",
			"unsupported map key of type: %!s(<nil>), key: <nil>, value: \"z\""},
		{"no JSON number", "a: .inf", "", "json: unsupported value: +Inf"},
	} {
		var want any
		if c.err == "" {
			var err error
			if want, _, err = jsonvalue.DecodeJSON([]byte(c.asJSON)); err != nil {
				t.Fatal(c.name, err)
			}
		}
		for range 20 {
			text, err := yamljson.ToJSON([]byte(c.doc))
			if string(text) != c.asJSON || says(err) != c.err {
				t.Fatalf("%s: JSON %s, %v, want %s, %s", c.name, text, err, c.asJSON, c.err)
			}
			value, strict, err := yamljson.Decode([]byte(c.doc))
			if !reflect.DeepEqual(value, want) || strict != nil || says(err) != c.err {
				t.Fatalf("%s: %#v, %v, %v, want %#v, %s", c.name, value, strict, err, want, c.err)
			}
		}
	}
}

// JSON cannot be nested more deeply than 10000 lists, whatever YAML allows.
func TestTooDeep(t *testing.T) {
	deep := strings.Repeat("- ", 5001) + strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	value, strict, err := yamljson.Decode([]byte(deep))
	if value != nil || strict != nil || says(err) != "invalid character '[' exceeded max depth" {
		t.Errorf("%v, %v, %v", value, strict, err)
	}
}

func says(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The texts of floats that are whole numbers, and whether they are an int64.
func TestInteger(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want int64
		ok   bool
	}{
		{0, 0, true},
		{math.Copysign(0, -1), 0, true},
		{3, 3, true},
		{-3, -3, true},
		{0.5, 0, false},
		{1 << 53, 9007199254740992, true},
		{1234567890123456768, 1234567890123456800, true},
		{9223372036854774784, 9223372036854775000, true},
		{-9223372036854774784, -9223372036854775000, true},
		{1 << 63, math.MaxInt64, false},
		{-1 << 63, math.MinInt64, false},
		{1e300, math.MaxInt64, false},
		{math.Inf(1), 0, false},
		{math.NaN(), 0, false},
	} {
		if got, ok := yamljson.Integer(c.f); got != c.want || ok != c.ok {
			t.Errorf("%v: %d, %v, want %d, %v", c.f, got, ok, c.want, c.ok)
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
		{"a: 1\na: !!binary gIE=", true},
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
