package upgrade_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// Each case of testdata/changes.txt has the changes that it lists. What a
// witness shows is what the facade answers. CRDSEM_GOLDEN=write writes the
// changes, which are then to be read.
func TestChanges(t *testing.T) {
	const file = "testdata/changes.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	for i, block := range blocks[1:] {
		lines := strings.SplitN(block, "\n", 4)
		name, old, changed := lines[0], specified(lines[1]), specified(lines[2])
		got := strings.Join(append(lines[:3:3], verdicts(t, name, old, changed)...), "\n")
		line := 1 + strings.Count(strings.Join(blocks[:i+1], "\n\n")+"\n\n", "\n")
		if diff := cmp.Diff(block, got); diff != "" && os.Getenv("CRDSEM_GOLDEN") != "write" {
			t.Errorf("%s:%d: %s: (-want +got)\n%s", file, line, name, diff)
		}
		blocks[i+1] = got
	}
	if os.Getenv("CRDSEM_GOLDEN") == "write" {
		written := []byte(strings.Join(blocks, "\n\n") + "\n")
		if err := os.WriteFile(file, written, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// specified returns a definition with a schema of spec, in YAML after a sign.
func specified(schema string) []byte {
	_, schema, _ = strings.Cut(schema, " ")
	properties := `{"spec": {"type": "object", ` + strings.TrimPrefix(schema, "{")
	with := strings.Replace(string(crd(`{}`)), `{"spec": {"type": "object", "properties": {}}}`,
		properties+"}", 1)
	return []byte("---\n" + with) // YAML, in which names need no quotes
}

// verdicts returns the changes as lines.
func verdicts(t *testing.T, name string, old, changed []byte) (lines []string) {
	t.Helper()
	report, err := upgrade.Compare(t.Context(), old, changed, upgrade.Witnesses(upgrade.Fine))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	changes := report.Changes
	for i := range changes {
		c := &changes[i]
		line := fmt.Sprintf("%v; %s %s %s", c, c.Severities.Writers, c.Severities.Readers,
			c.Severities.Stored)
		if c.Decided {
			line += "; decided"
		}
		if c.Witness != nil {
			checkWitness(t, name, c, old, changed)
			line += "; shown"
		}
		if c.Message != "" {
			first, _, _ := strings.Cut(c.Message, "\n")
			line += "; " + first
		}
		lines = append(lines, line)
	}
	return lines
}

// checkWitness asks the facade about a witness under both definitions.
func checkWitness(t *testing.T, name string, c *upgrade.Change, old, changed []byte) {
	t.Helper()
	w := c.Witness
	before, after := answer(t, w, old), answer(t, w, changed)
	if was, is := message(before), message(after); was != w.Old || is != w.New {
		t.Errorf("%s: %v: the facade says %q and %q, not %+v", name, c, was, is, w)
	}
	shows := map[upgrade.Class]bool{
		upgrade.Stricter: w.Old == "" && w.New != "",
		upgrade.Looser:   w.Old != "" && w.New == "",
		upgrade.ChangesStorage: w.Old == "" && w.New == "" &&
			!cmp.Equal(before.Object, after.Object) && !cmp.Equal(w.StoredOld, w.StoredNew),
	}
	if !shows[c.Class] {
		t.Errorf("%s: %v: not shown by %+v", name, c, w)
	}
}

func message(r *crdsem.Result) string {
	if r.Err() == nil {
		return ""
	}
	return r.Err().Error()
}

// answer sends a witness to the facade.
func answer(t *testing.T, w *upgrade.Witness, document []byte) *crdsem.Result {
	t.Helper()
	definition, err := crdsem.Parse(document)
	if err != nil {
		t.Fatal(err)
	}
	version, err := definition.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	if w.Replaces != nil {
		return version.Update(t.Context(), w.Object, w.Replaces)
	}
	return version.Create(t.Context(), w.Object)
}

// A change of the definition itself has its class and severities.
func TestDefinitionChanges(t *testing.T) {
	const (
		names  = `"kind": "Foo"}`
		served = `"served": true, "storage": true, `
		listed = served + `"additionalPrinterColumns": [{"name": "A", "type": "string", "jsonPath": ".a"}], `
		fields = served + `"selectableFields": [{"jsonPath": ".spec.a"}, {"jsonPath": ".spec.b"}], `
		scale  = served + `"subresources": {"scale": {"specReplicasPath": ".spec.r", ` +
			`"statusReplicasPath": ".status.r"}}, `
	)
	for _, c := range []struct {
		old, changed []string // what is replaced, and what with
		want         []string
	}{
		{nil, nil, nil},
		{nil, []string{names, `"kind": "Foo", "singular": "fo", "shortNames": ["f"], "categories": ["all"]}`},
			[]string{`spec.names.singular: names.singular "foo" -> "fo": cosmetic; fine fine fine`,
				`spec.names.shortNames: names.shortNames "[]" -> "[f]": cosmetic; fine fine fine`,
				`spec.names.categories: names.categories "[]" -> "[all]": cosmetic; fine fine fine`}},
		{nil, []string{names, `"kind": "Foo", "listKind": "Foos"}`}, []string{
			`spec.names.listKind: names.listKind "FooList" -> "Foos": changes serving; breaking breaking fine`}},
		{nil, []string{`"Namespaced"`, `"Cluster"`}, []string{
			`spec.scope: definition refused, by CRD-402; breaking breaking breaking`,
			`spec.scope: scope "Namespaced" -> "Cluster": changes serving; breaking breaking fine`}},
		{nil, []string{`"scope"`, `"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], ` +
			`"clientConfig": {"url": "https://x"}}}, "scope"`}, []string{
			`spec.conversion.strategy: conversion.strategy "None" -> "Webhook": changes storage; notable notable notable`}},
		{nil, []string{served, served + `"deprecated": true, `}, []string{
			`spec.versions[v1]: deprecated false -> true: cosmetic; fine fine fine`}},
		{[]string{served, served + `"deprecated": true, `}, nil, nil},
		{nil, []string{served, served + `"subresources": {"status": {}}, `}, []string{
			`spec.versions[v1].subresources.status: subresources.status false -> true: changes storage; fine fine fine`}},
		{[]string{served, served + `"subresources": {"status": {}}, `}, nil, []string{
			`spec.versions[v1].subresources.status: subresources.status true -> false: changes storage; breaking breaking breaking`}},
		{nil, []string{served, scale}, []string{
			`spec.versions[v1].subresources.scale: subresources.scale absent -> ".spec.r, .status.r, ": changes serving; breaking breaking fine`}},
		{[]string{served, scale}, []string{served, scale}, nil},
		{nil, []string{served, listed}, []string{
			`spec.versions[v1].additionalPrinterColumns: additionalPrinterColumns [] -> ["A .a"]: cosmetic; fine fine fine`}},
		{[]string{served, listed}, []string{served, strings.ReplaceAll(listed, ".a", ".b")}, []string{
			`spec.versions[v1].additionalPrinterColumns: additionalPrinterColumns ["A .a"] -> ["A .b"]: cosmetic; fine fine fine`}},
		{nil, []string{served, fields}, []string{
			`spec.versions[v1].selectableFields: selectableFields [] -> [".spec.a",".spec.b"]: looser; fine fine fine`}},
		{[]string{served, fields}, []string{served, strings.Replace(fields, `{"jsonPath": ".spec.a"}, `, "", 1)}, []string{
			`spec.versions[v1].selectableFields: selectableFields [".spec.a",".spec.b"] -> [".spec.b"]: stricter; breaking fine notable`}},
	} {
		old, changed := replaced(t, c.old), replaced(t, c.changed)
		var got []string
		changes := compare(t, old, changed).Changes
		for i := range changes {
			s := changes[i].Severities
			got = append(got,
				fmt.Sprintf("%v; %s %s %s", &changes[i], s.Writers, s.Readers, s.Stored))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q to %q: %s", c.old, c.changed, diff)
		}
	}
}

// replaced returns a definition with a text in the place of another one.
func replaced(t *testing.T, change []string) []byte {
	t.Helper()
	text := string(crd(`{"a": {"type": "string"}, "b": {"type": "string"}}`))
	if change == nil {
		return []byte(text)
	}
	if !strings.Contains(text, change[0]) {
		t.Fatalf("no %s", change[0])
	}
	return []byte(strings.Replace(text, change[0], change[1], 1))
}
