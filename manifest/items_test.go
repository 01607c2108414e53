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
// returns the places and values of a few fields, and errors.
func readObjects(text string, whole int) (got []string) {
	r := &reader{
		name: "f", in: bufio.NewReaderSize(strings.NewReader(text), 16), limit: 1000, whole: whole,
	}
	r.readObjects(func(doc *Document, err error) bool {
		if err != nil {
			got = append(got, err.Error())
			return true
		}
		object, _, err := doc.Object()
		if err != nil {
			got = append(got, fmt.Sprint(doc.Item, " ", err))
			return true
		}
		value, _ := json.Marshal(object)
		place := doc.Find("spec.a")
		got = append(got, fmt.Sprintf("%s %v %v %s", doc.Item, doc.Start(), place.Value, value))
		return true
	})
	return got
}

const (
	twoItems = `{"kind": "T", "spec": {"a": "x,]}\"é"}}, {"spec": {"a": [1, {}]}, "kind": "T"}`
	yamlList = `apiVersion: v1
items: # all
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
---
kind: T
spec: {a: 1}
`
)

// Lists have the same items in the same places, whether or not they are cut.
func TestReadObjects(t *testing.T) {
	for name, text := range map[string]string{
		"JSON":          "{\n  \"items\": [\n    " + twoItems + "\n  ],\n  \"kind\": \"List\"}\n{\"kind\": \"T\", \"spec\": {\"a\": 1}}\n",
		"one line":      `{"kind":"TList","items":[` + twoItems + `]}{"kind":"T","spec":{"a":1}} {"kind":"List","items":[` + twoItems + "]}\n---\nspec: {a: 1}\n",
		"JSON, no item": `{"kind": "List", "metadata": {"a": "` + strings.Repeat("x", 40) + `"}, "items": [ ]}`,
		"JSON lines":    "{\"kind\": \"T\", \"spec\": {\"a\": 1}}\n\n{\"kind\": \"T\", \"spec\": {\"a\": 2}}\n",
		"YAML":          fmt.Sprintf(yamlList, ""),
		"YAML, indent":  fmt.Sprintf(yamlList, "  "),
		"no list":       "kind: T\nitems:\n- 1\n---\n{\"kind\": \"T\", \"items\": [1]}\n---\n{\"spec\": {\"items\": [" + twoItems + "]}}",
		"long comments": "# " + strings.Repeat("x", 60) + "\n--- # " + strings.Repeat("x", 60) + "\nspec: {a: 1}\n" + strings.Repeat(" ", 60) + "\n",
	} {
		want := readObjects(text, 900)
		if len(want) == 0 && !strings.Contains(name, "no item") {
			t.Errorf("%s: nothing is read", name)
		}
		for _, whole := range []int{1, 20, 50} {
			if diff := cmp.Diff(want, readObjects(text, whole)); diff != "" {
				t.Errorf("%s, cut from %d bytes: %s", name, whole, diff)
			}
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
		{"broken off", `{"items": [{"a": 1}, {"spec"`, []string{
			`items[0] f:1:12 f:1:12 {"a":1}`, "f:1: the list ends within items[1]",
		}},
		{"YAML, no object", "kind: TList\nitems:\n- 7\n- spec: {a: 1}\n", []string{
			"items[0] f:3:3: expected an object, got integer",
			`items[1] f:4:3 f:4:13 {"spec":{"a":1}}`,
		}},
	} {
		if diff := cmp.Diff(c.want, readObjects(c.text, 20)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// The items of a typed list get its type, as in the server's decoder. A type of
// their own stays.
func TestTypedList(t *testing.T) {
	const text = `{"apiVersion": "g.io/v1", "kind": "CronTabList", "items": [{"spec": {}},
{"kind": "Other"}, {"apiVersion": "g.io/v2"}]}`
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
		`{"kind":"Other"}`, `{"apiVersion":"g.io/v2"}`,
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
