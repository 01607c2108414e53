package upgrade_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/upgrade"
)

// subresources adds subresources to the only version of a definition.
func subresources(document []byte, list string) []byte {
	return bytes.Replace(document, []byte(`"storage": true,`),
		[]byte(`"storage": true, "subresources": `+list+`,`), 1)
}

// withStatus returns a definition with a status subresource and schemas of spec
// and status.
func withStatus(spec, status string) []byte {
	text := string(subresources(crd(spec), `{"status": {}}`))
	return []byte(strings.TrimSuffix(text, `}}}}]}}`) + `, "status": ` + status + `}}}}]}}`)
}

// A judgement lists what happens to an object: each error once, then the fields
// that are removed and those that are filled in.
func TestFindings(t *testing.T) {
	const status = `{"type": "object", "properties": {"s": {"type": "string", "maxLength": %d}}}`
	old := withStatus(`{"a": {"type": "string"}, "b": {"type": "string"}}`, fmt.Sprintf(status, 9))
	changed := withStatus(`{"a": {"type": "string", "maxLength": 3},
"c": {"type": "string", "default": "x"}, "d": {"type": "string", "default": "y"}}`,
		fmt.Sprintf(status, 2))
	report := compare(t, old, changed)
	for _, c := range []struct {
		name         string
		spec, status map[string]any
		fate, before upgrade.Fate
		severity     upgrade.Severity
		want         []string
	}{
		{"nothing", map[string]any{"a": "ok", "c": "1", "d": "2"}, nil,
			upgrade.Unaffected, upgrade.Unaffected, upgrade.Fine, nil},
		{"filled in", map[string]any{}, map[string]any{"s": "ok"}, upgrade.Defaulted, upgrade.Unaffected,
			upgrade.Fine, []string{"spec.c: defaulted", "spec.d: defaulted"}},
		{"all", map[string]any{"a": "long", "b": "1", "c": "1"}, map[string]any{"s": "long"},
			upgrade.Ratcheted, upgrade.Pruned, upgrade.Notable, []string{
				"tolerated while unchanged: spec.a: Too long: may not be more than 3 bytes",
				"tolerated while unchanged: status.s: Too long: may not be more than 2 bytes",
				"spec.b: pruned", "spec.d: defaulted"}},
	} {
		object := storedFoo(c.spec)
		if c.status != nil {
			object["status"] = c.status
		}
		j, err := report.Judge(t.Context(), object)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range j.Findings() {
			got = append(got, f.String())
		}
		if j.Fate != c.fate || j.Before != c.before || j.Severity != c.severity {
			t.Errorf("%s: %s, before %s: %s", c.name, j.Fate, j.Before, j.Severity)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A finding reads as its text, its path, or its effect alone.
func TestFindingString(t *testing.T) {
	for want, f := range map[string]upgrade.Finding{
		"pruned":         {Effect: upgrade.PrunedOnRead},
		"spec.a: pruned": {Effect: upgrade.PrunedOnRead, Path: "spec.a"},
		"pruned: x":      {Effect: upgrade.PrunedOnRead, Path: "spec.a", Text: "x"},
	} {
		if got := f.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A null is refused where the scale subresource reads a number, and is nothing
// on the way to it.
func TestScaledNull(t *testing.T) {
	for schemas, want := range map[[2]string]upgrade.Severity{
		{`{"r": {"type": "integer"}}`, `{"r": {"type": "integer", "nullable": true}}`}: upgrade.Breaking,
		{`{"o": {"type": "object", "properties": {"r": {"type": "integer"}}}}`,
			`{"o": {"type": "object", "nullable": true, "properties": {"r": {"type": "integer"}}}}`}: upgrade.Fine,
		{`{"o": {"type": "object", "properties": {"r": {"type": "integer"}}}}`,
			`{"o": {"type": "object", "default": {}, "properties": {"r": {"type": "integer"}}}}`}: upgrade.Fine,
		{`{"o": {"type": "object", "properties": {"r": {"type": "integer"}}}}`,
			`{"o": {"type": "object", "default": {"r": -1}, "properties": {"r": {"type": "integer"}}}}`}: upgrade.Breaking,
	} {
		path := ".spec.r"
		if strings.HasPrefix(schemas[0], `{"o"`) {
			path = ".spec.o.r"
		}
		scaled := func(schema string) []byte {
			return subresources(crd(schema),
				`{"scale": {"specReplicasPath": "`+path+`", "statusReplicasPath": ".status.r"}}`)
		}
		changed := compare(t, scaled(schemas[0]), scaled(schemas[1])).Changes
		if got, changes := severity(changed); got != want {
			t.Errorf("%s to %s: %s, want %s: %s", schemas[0], schemas[1], got, want, changes)
		}
	}
}

// Another value of a field that the scale subresource reads may be refused.
func TestScaled(t *testing.T) {
	const all = `{"o": {"type": "object", "nullable": %t, "properties": {
"r": {"type": "integer", "default": %d}, "rr": {"type": "integer", "default": %[2]d},
"m": {"type": "object", "nullable": %[1]t, "additionalProperties": {"type": "string"}}}}}`
	scale := func(isOther bool, n int) []byte {
		return subresources(crd(fmt.Sprintf(all, isOther, n)), `{"scale": {"specReplicasPath": ".spec.o.r", `+
			`"statusReplicasPath": ".status.r", "labelSelectorPath": ".spec.o.m.x"}}`)
	}
	want := []string{
		`v1 spec.o: nullable false -> true: changes storage`,
		`v1 spec.o.m: nullable false -> true: changes storage`,
		`v1 spec.o.r: default 1 -> -2: changes storage`,
		`v1 spec.o.r: default 1 -> -2: stricter; other values meet the scale subresource`,
		`v1 spec.o.rr: default 1 -> -2: changes storage`,
	}
	var got []string
	changes := compare(t, scale(false, 1), scale(true, -2)).Changes
	for i := range changes {
		line := changes[i].String()
		if changes[i].Message != "" {
			line += "; " + changes[i].Message
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range compare(t, scale(false, 1), scale(false, 2)).Changes {
		if c.Class != upgrade.ChangesStorage {
			t.Errorf("%s, and 2 replicas are taken", c.String())
		}
	}
}

// Where the scale subresource looks below a field that is no object, no object
// has the field: nothing is refused that was not before.
func TestBeforeReplicas(t *testing.T) {
	const scale = `{"scale": {"specReplicasPath": ".spec.a.r", "statusReplicasPath": ".status.r"}}`
	const of = `"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}`
	old := crd(`{"a": {` + of + `}}`)
	changed := crd(`{"a": {` + of + `, "allOf": [{"maxItems": 2}]}}`)
	scaled := compare(t, subresources(old, scale), subresources(changed, scale)).Changes
	if got, changes := severity(scaled); got != upgrade.Fine {
		t.Errorf("%s: %s", got, changes)
	}
	if got, changes := severity(compare(t, old, changed).Changes); got != upgrade.Breaking {
		t.Errorf("without scale: %s: %s", got, changes)
	}
}
