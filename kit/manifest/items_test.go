package manifest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readObjects is ReadObjects with another length from which lists are cut. It
// stops after most objects and errors, and returns the places and values of a
// few fields.
func readObjects(text string, whole, most int) (got []string) {
	r := &reader{
		name: "f", in: bufio.NewReaderSize(strings.NewReader(text), 16), limit: 1000, whole: whole,
	}
	r.readObjects(func(doc *Document, err error) bool {
		got = append(got, placeOf(doc, err))
		return len(got) < most
	})
	return got
}

func placeOf(doc *Document, err error) string {
	if err != nil {
		return err.Error()
	}
	object, _, err := doc.Object()
	if err != nil {
		return fmt.Sprint(doc.Item, " ", err)
	}
	value, _ := json.Marshal(object)
	return fmt.Sprintf("%s %v %v %s", doc.Item, doc.Start(), doc.Find("spec.a").Value, value)
}

const (
	twoItems = `{"kind": "T", "b": "\\", "spec": {"a": "x,]}\"é"}}, {"spec": {"a": [1, {}]}, "kind": "T"}`
	yamlList = `apiVersion: v1
items: # all
# first

%[1]s- kind: T
%[1]s  spec:
%[1]s    a: |
%[1]s      - no item

%[1]s      end
# between
%[1]s- spec: {b: 1, a: 2}
%[1]s-
%[1]s  kind: T
%[1]s  spec: {a: 7}
kind: List
# after
metadata:
  a: 1
---
kind: T
spec: {a: 1}
`
)

// Lists have the same items in the same places, whether or not they are cut or
// their lines come in parts. Reading stops where its caller does.
func TestReadObjects(t *testing.T) {
	for name, text := range map[string]string{
		"JSON":          "{\n  \"items\": [\n    " + twoItems + "\n  ],\n  \"kind\": \"List\"}\n{\"kind\": \"T\", \"spec\": {\"a\": 1}}\n",
		"one line":      `{"kind":"TList","items":[` + twoItems + `]}{"kind":"T","spec":{"a":1}} {"kind":"List","items":[` + twoItems + "]}\n---\nspec: {a: 1}\n",
		"JSON, no item": `{"kind": "List", "metadata": {"a": "` + strings.Repeat("x", 40) + `"}, "items": [ ]}`,
		"JSON lines":    "{\"kind\": \"T\", \"spec\": {\"a\": 1}}\n\n{\"kind\": \"T\", \"spec\": {\"a\": 2}}\n",
		"YAML":          fmt.Sprintf(yamlList, ""),
		"YAML, indent":  fmt.Sprintf(yamlList, "  "),
		"YAML, no item": "apiVersion: v1\nitems: # \"none\"\nkind: 'List'\nmetadata: {a: xxxxxxxxxxxxxx}\n---\na: 1\n",
		"YAML, CRLF":    "kind: \"TList\"\r\nitems:\r\n-\r\n  kind: T\r\n  spec: {a: 1}\r\n- kind: U\r\n-b: 1\r\nc: 1",
		"nested":        `{"kind": "List", "items": [{"kind": "List", "items": [` + twoItems + `]}]}`,
		"YAML, nested":  "kind: List\nitems:\n- kind: List\n  items:\n  - kind: A\n  - kind: B\n- kind: C\n",
		"no list":       "kind: T\nitems:\n- 1\n---\n{\"kind\": \"T\", \"items\": [1]}\n---\n{\"spec\": {\"items\": [" + twoItems + "]}}",
		"no items":      `{"items": {"a": [` + twoItems + `]}} {"kind": 1, "spec": {"a": "` + strings.Repeat("x", 60) + `"}} {"a" "b": "xxxxxxxxxxxxxxxxxxxxxxx"}`,
		"long comments": "# " + strings.Repeat("x", 60) + "\n--- # " + strings.Repeat("x", 60) + "\nspec: {a: 1}\n" + strings.Repeat(" ", 60) + "\n",
	} {
		want := readObjects(text, 0, 100)
		if len(want) == 0 && !strings.Contains(name, "no item") {
			t.Errorf("%s: nothing is read", name)
		}
		for _, whole := range []int{0, 1, 20, 50, 900} {
			for most := 1; most <= len(want)+1; most++ {
				got := readObjects(text, whole, most)
				if diff := cmp.Diff(want[:min(most, len(want))], got); diff != "" {
					t.Errorf("%s, %d, cut from %d bytes: %s", name, most, whole, diff)
				}
			}
		}
	}
}

// The borders of documents are the same whether or not lines come in parts.
func TestReadParts(t *testing.T) {
	long := strings.Repeat("x", 20)
	parts := []string{
		"---\n", "--- # " + long + "\n", "# " + long + "\n", "\n", "a: 1\n", "a: " + long + "\n",
		"--- {a: 1}\n", "--- {a: " + long + "}\n", "...\n", "%YAML 1.1\n", "{\"a\": 1}\n", "null\n",
		"{\"a\": {\"b\": \"}" + long + "\"}} {\"c\": 1}\n", strings.Repeat(" ", 20) + "\n", "\uFEFFb: 1\n",
		strings.Repeat(" ", 20) + "{\"a\": 1}\n", "kind: TList\n", "items:\n", "- kind: " + long + "\n",
	}
	n := len(parts)
	for i := range n * n * n {
		text := parts[i/n/n] + parts[i/n%n] + parts[i%n]
		want := readObjects(text, 0, 100)
		if diff := cmp.Diff(want, readObjects(text, 900, 100)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// A list is cut if it is longer than a bound, and has items before it.
func TestListsAreCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		whole int // up to which the list is not cut
	}{
		{`{"kind": "List", "items": [{"a": 1}]}`, 37},
		{"kind: List\nitems:\n- a: 1\n", 25},
		{"kind: List\nitems: # a\n- a: 1\n", 29},
		{"kind: List\na: 1\nb: 1\nitems:\n- a: 1\n", 20},
	} {
		for whole, cut := range map[int]bool{c.whole: false, c.whole - 1: c.whole > 20} {
			in := bufio.NewReader(strings.NewReader(c.text))
			r := &reader{name: "f", in: in, limit: 99, whole: whole}
			r.readObjects(func(doc *Document, err error) bool {
				if err != nil || doc.Item != "items[0]" || (doc.Data != nil) != cut {
					t.Errorf("%q, %d: %v, %s %q", c.text, whole, err, doc.Item, doc.Data)
				}
				return true
			})
		}
	}
}

// What is wrong with an item of a list that is cut leaves the others alone.
func TestReadObjectsErrors(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no object", `{"items": [7, "a,", {"spec": {"a": 1}}]}`, []string{
			"items[0] f:1:12: expected an object, got integer",
			"items[1] f:1:15: expected an object, got string",
			`items[2] f:1:21 f:1:36 {"spec":{"a":1}}`,
		}},
		{"malformed", `{"items": [{"a" 1}, {"spec": {"a": 1}}]}`, []string{
			"items[0] f:1:17: invalid character '1' after object key",
			`items[1] f:1:21 f:1:36 {"spec":{"a":1}}`,
		}},
		{"too long", `{"items": [{"a": "` + long + `"}, {"spec": {"a": 1}}]}`, []string{
			"f:1:12: items[0]: longer than 1000 bytes",
			`items[1] f:1:2023 f:1:2038 {"spec":{"a":1}}`,
		}},
		{"too long after other fields", `{"metadata": {}, "items": [{"a": "` + long + `"}, {"spec": {"a": 1}}]}`, []string{
			"f:1:28: items[0]: longer than 1000 bytes",
			`items[1] f:1:2039 f:1:2054 {"spec":{"a":1}}`,
		}},
		{"of the longest length", `{"items": [{"a":"` + long[:992] + `"}, {"a":"` + long[:993] + `"}]}`, []string{
			`items[0] f:1:12 f:1:12 {"a":"` + long[:992] + `"}`, "f:1:1014: items[1]: longer than 1000 bytes",
		}},
		{"YAML of the longest length", "items:\n- " + long[:998] + "\n- " + long[:997] + "\n", []string{
			"f:2:1: items[0]: longer than 1000 bytes", "items[1] f:3:3: expected an object, got string",
		}},
		{"broken off", `{"items": [{"a": 1}, {"spec"`, []string{
			`items[0] f:1:12 f:1:12 {"a":1}`, "f:1: the list ends within items[1]",
		}},
		{"YAML, no object", "kind: TList\nitems:\n- 7\n- spec: {a: 1}\n", []string{
			"items[0] f:3:3: expected an object, got integer",
			`items[1] f:4:3 f:4:13 {"spec":{"a":1}}`,
		}},
	} {
		if diff := cmp.Diff(c.want, readObjects(c.text, 20, 100)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// The items of a typed list get its type, as in the server's decoder. A type of
// their own stays.
func TestTypedList(t *testing.T) {
	const text = `{"apiVersion": "g.io/v1", "kind": "CronTabList", "items": [{"spec": {}},
{"kind": "Other"}, {"apiVersion": "g.io/v2"}]} {"kind": "AList", "items": [{"a": 1}]}`
	var got []string
	for doc, err := range ReadObjects("f", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		object, _, err := doc.Object()
		if err != nil {
			t.Fatal(err)
		}
		value, _ := json.Marshal(object)
		got = append(got, string(value))
	}
	want := []string{
		`{"apiVersion":"g.io/v1","kind":"CronTab","spec":{}}`,
		`{"kind":"Other"}`, `{"apiVersion":"g.io/v2"}`, `{"a":1,"kind":"A"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	untyped := strings.NewReader(`{"apiVersion": "v1", "kind": "List", "items": [{"spec": {}}]}`)
	for doc, err := range ReadObjects("f", untyped) {
		object, _, _ := doc.Object()
		if _, typed := object["kind"]; err != nil || typed {
			t.Errorf("%v, %v", object, err)
		}
	}
}

// The keys of a mapping are indexed when a path first leads through it.
func TestKeysAreIndexedOnce(t *testing.T) {
	d := &Document{Data: []byte("a: {b: 1}")}
	d.Find("a.b")
	mapping := d.root.Content[1]
	if d.keys.of(mapping) != d.keys.known[mapping] || len(d.keys.known) != 2 {
		t.Errorf("%d mappings are indexed", len(d.keys.known))
	}
}

// Each call of Object returns an object that the caller owns, also the first
// one after the document was found to be no list.
func TestObjectIsOwned(t *testing.T) {
	for doc, err := range ReadObjects("f", strings.NewReader(`{"kind": "K", "items": 1}`)) {
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := doc.Object()
		first["kind"] = "changed"
		if second, _, _ := doc.Object(); second["kind"] != "K" {
			t.Error(second)
		}
	}
}
