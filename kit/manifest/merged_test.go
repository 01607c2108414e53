package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kubectl "sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kit/manifest"
)

// Keys that override merged ones are no duplicates, and real duplicates stay.
func TestMergeKeys(t *testing.T) {
	const anchors = "a: &a {x: 1, y: 2}\nb: &b {x: 3}\n"
	for text, want := range map[string]string{
		"c: {<<: *a, x: 5}\n":               "",
		"c: {x: 5, <<: *a}\n":               "",
		"c:\n  <<: [*a, *b]\n  x: 5\n":      "",
		"c:\n  <<: *a\n  x: 5\n  x: 6\n":    `[f:6:3: key "x" already set in map]`,
		"c: {<<: *a, x: 5}\nd: 1\nd: 2\n":   `[f:5:1: key "d" already set in map]`,
		"c: &c {z: 1, z: 2}\nd: *c\n":       `[f:3:14: key "z" already set in map]`,
		"c: &c {z: 1, z: 2}\nd: {<<: *c}\n": `[f:3:14: key "z" already set in map]`,
	} {
		doc := document(t, anchors+text)
		object, strict, err := doc.Object()
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		got := ""
		if strict != nil {
			seen := map[string]bool{}
			for _, e := range strict {
				seen[e.Error()] = true
			}
			for e := range seen {
				got += fmt.Sprintf("[%s]", e)
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		asKubectl(t, anchors+text, object)
	}
}

// Documents are read as kubectl reads files: by sigs.k8s.io/yaml, not strictly.
func TestObjectAsKubectl(t *testing.T) {
	for _, value := range []string{
		"yes", "Y", "on", "off", "NO", "~", "null", "Null", "0o14", "014", "0x1F", "0b101", "1_000",
		"12:30:45", "1e3", "1.0", ".5", ".inf", "1.10", "2001-12-14", "2001-12-14t21:59:43.10-05:00",
		"!!str 5", "!!int '5'", "!!binary aGVsbG8=", "'a''b'", "\"a\\x41\\u00e9\"", "|\n  a\n  b\n",
		">-\n  a\n  b\n", "{y: 1, on: 2}", "{1: a, 1.5: b, true: c, ~: d}", "[a, , b]", "a: b", "=",
		"9223372036854775807", "-0", "+1", "0.1e-5", "&x {<<: {a: 1}, a: 2}",
		"{a: 1, <<: {a: 2}}", "{<<: [{a: 1}, {a: 2}], b: 1}", "{a: 1, a: 2}",
	} {
		text := "v: " + value + "\n"
		var want map[string]any
		wantErr := kubectl.Unmarshal([]byte(text), &want)
		doc := document(t, text)
		got, _, err := doc.Object()
		if (err != nil) != (wantErr != nil) {
			t.Errorf("%s: error %v, kubectl %v", value, err, wantErr)
			continue
		}
		if err == nil {
			asKubectl(t, text, got)
		}
	}
}

// asKubectl compares an object with what kubectl makes of a file.
func asKubectl(t *testing.T, text string, got map[string]any) {
	t.Helper()
	want, err := kubectl.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	asJSON, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(asJSON)); diff != "" {
		t.Errorf("%q (-kubectl +got):\n%s", text, diff)
	}
}

func document(t *testing.T, text string) *manifest.Document {
	t.Helper()
	for doc, err := range manifest.Read("f", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	t.Fatalf("%q: no document", text)
	return nil
}
