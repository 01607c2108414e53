package skew_test

import (
	"fmt"
	"strconv"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// curable is a definition with a rule in the items of a list.
func curable(t *testing.T, rule string) map[string]any {
	t.Helper()
	return decoded(t, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: hosts, singular: host, kind: Host, listKind: HostList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          l:
            type: array
            maxItems: 50
            items:
              type: object
              properties:
                a: {type: string}
                b: {type: string}
                c: {type: boolean}
                s: {type: string, maxLength: 30}
                o: {type: array, maxItems: 3, items: {type: object, properties: {
                  name: {type: string, maxLength: 5}}}}
              x-kubernetes-validations:
              - rule: `+strconv.Quote(rule)+"\n")
}

// decoded returns a document as a server decodes it.
func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	document, _, err := jsonvalue.DecodeObject(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// cureOf returns the cure for the only rule of a definition, as 1.38 estimates
// it.
func cureOf(t *testing.T, document map[string]any) *skew.Cure {
	t.Helper()
	crd, _, err := definition.FromMap(document)
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := check.Costs(t.Context(), model.Version("v1").Schema(),
		structural.Kubernetes("1.38"))
	if err != nil || len(costs) != 1 || costs[0].ShareOfRuleLimit <= 1 {
		t.Fatalf("costs %+v, %v", costs, err)
	}
	cure, err := skew.CureOf(t.Context(), document,
		"spec.versions[0].schema.openAPIV3Schema", &costs[0])
	if err != nil {
		t.Fatal(err)
	}
	return cure
}

// A rule that 1.38 refuses is written so that every minor accepts it. It judges
// every object as before, unless a bound is the cure.
func TestCureOf(t *testing.T) {
	const items = "spec.versions[0].schema.openAPIV3Schema.properties[l].items"
	for rule, want := range map[string]string{
		"has(self.a) != has(self.b)":                "has(self.a) ? !has(self.b) : has(self.b)",
		"has(self.a) == has(self.b)":                "has(self.a) ? has(self.b) : !has(self.b)",
		"has(self.c) || has(self.a) != has(self.b)": "has(self.c) || (has(self.a) ? !has(self.b) : has(self.b))",
		"self.s.split('/')[0].matches('^[a-z]+$')": `(self.s + "/").substring(0, ` +
			`(self.s + "/").indexOf("/")).matches("^[a-z]+$")`,
		"self.s.split('/')[self.s.split('/').size() - 1].matches('^[a-z]+$')": `self.s.substring(` +
			`self.s.lastIndexOf("/") + 1).matches("^[a-z]+$")`,
		"!has(self.s) || 'abc'.startsWith(self.s.split('.')[0])": `!has(self.s) || ` +
			`"abc".startsWith((self.s + ".").substring(0, (self.s + ".").indexOf(".")))`,
		"self.s.findAll('[0-9]+')[0].matches('^1')": `self.s.findAll("[0-9]+").size() > 0 && ` +
			`self.s.find("[0-9]+").matches("^1")`,
		"(self.c ? self.o[0] : self.o[1]).name.matches('^a')": `(self.c ? self.o[0].name : self.o[1].name)` +
			`.matches("^a")`,
		"dyn(self.o)[0].name.matches('^a')": `self.o[0].name.matches("^a")`,
		"{'a': self.s}.a.matches('^a')":     `self.s.matches("^a")`,

		"self.s.split('/').size() == 2 && self.s.split('/')[1].matches('^a')": `self.s.split("/").size() == 2 && ` +
			`(self.s + "/").substring((self.s + "/").indexOf("/") + 1, ` +
			`(self.s + "/").indexOf("/", (self.s + "/").indexOf("/") + 1)).matches("^a")`,
		"self.s.split('/')[1].matches('^a')": `(self.s + "/").substring((self.s + "/").indexOf("/") + 1, ` +
			`(self.s + "/").indexOf("/", (self.s + "/").indexOf("/") + 1)).matches("^a")`,
		"self.s.split('.', 2)[0].matches('^a')": `(self.s + ".").substring(0, ` +
			`(self.s + ".").indexOf(".")).matches("^a")`,
		"self.s.split('.', 2)[1].matches('^a')": `self.s.substring(self.s.indexOf(".")).substring(1)` +
			`.matches("^a")`,
		"self.s.split('.', 3)[1].matches('^a')": "",
		"self.s.split('::')[0].matches('^a')":   "",
		"url(self.s).getQuery()['a'].exists(v, v == 'x')": `(url(self.s).getQuery()["a"].size() > 0) ? ` +
			`self.s.matches("^[^?#]*[?]([^#]*&)?(a|%61)=(x|%78)([&#]|$)") : false`,
		"url(self.s).getQuery()['a'].exists(v, v.startsWith('x'))": "",
		"self.a == '' || self.s.findAll('a')[0].matches('^1')":     "",
	} {
		document := curable(t, rule)
		cure := cureOf(t, document)
		got := ""
		if cure != nil {
			got = fmt.Sprint(cure.Edits[0].Value)
			if cure.Stricter || len(cure.Edits) != 1 || cure.Edits[0].Keyword != "rule" ||
				cure.Edits[0].Path != items+".x-kubernetes-validations[0]" ||
				len(cure.Minors) != len(minors.All()) {
				t.Errorf("%s: %+v", rule, cure)
			}
		}
		if got != want {
			t.Errorf("%s:\n%s, want\n%s", rule, got, want)
		}
		if cure != nil {
			acceptedByAll(t, cure.Apply(document))
			sameVerdicts(t, document, cure.Apply(document))
		}
	}
}

// The cure of a query finds what the query's own parser finds.
func TestCureOfQuery(t *testing.T) {
	tokens := []string{"a", "%61", "=", "x", "%78", "+%2b", "&", ";", "#", "?"}
	queries := []string{"?a=+%2B", "?a=%c3%A9", "?b=x&a=é", "http:a?a=x", "?b#?a=x", "%zz?a=x"}
	for n := 0; n < 10_000; n += 7 {
		queries = append(queries, "?"+tokens[n/1000]+tokens[n/100%10]+tokens[n/10%10]+tokens[n%10])
	}
	for _, rule := range []string{
		"url(self.s).getQuery()['a'].exists(v, 'x' == v)", "'' in url(self.s).getQuery()['a']",
		"' +' in url(self.s).getQuery()['a']", "'é' in url(self.s).getQuery()['a']",
		"!('x' in url(self.s).getQuery()['a'])",
	} {
		document := curable(t, rule)
		cure := cureOf(t, document)
		if cure == nil || cure.Stricter {
			t.Fatalf("%s: %+v", rule, cure)
		}
		versions := []*crdsem.Version{
			versionIn(t, document, "1.37"), versionIn(t, cure.Apply(document), "1.37"),
		}
		admitted := 0
		for _, query := range queries {
			object := hostOf(map[string]any{"s": "http://h/" + query})
			was := versions[0].Create(t.Context(), object)
			is := versions[1].Create(t.Context(), object)
			if was.Admitted() != is.Admitted() {
				t.Errorf("%s: %s: %v, and %v", rule, query, was.Err(), is.Err())
			}
			if is.Admitted() {
				admitted++
			}
		}
		if admitted == 0 || admitted == len(queries) {
			t.Errorf("%s: %d of %d are admitted", rule, admitted, len(queries))
		}
	}
}

// acceptedByAll fails the test if a server refuses a definition.
func acceptedByAll(t *testing.T, document map[string]any) {
	t.Helper()
	crd, _, err := definition.FromMap(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, minor := range minors.All() {
		found := validate.Create(t.Context(), crd.In(minor).ForCreate())
		if len(found.Errors) > 0 {
			t.Errorf("%s: %v", minor, found.Errors)
		}
	}
}

// sameVerdicts fails the test if two definitions judge an object otherwise.
func sameVerdicts(t *testing.T, a, b map[string]any) {
	t.Helper()
	for _, minor := range []minors.Minor{"1.31", "1.37", "1.38"} {
		var versions []*crdsem.Version
		for _, document := range []map[string]any{a, b} {
			versions = append(versions, versionIn(t, document, minor))
		}
		for _, item := range curableItems() {
			object := hostOf(item)
			was := versions[0].Create(t.Context(), object)
			is := versions[1].Create(t.Context(), object)
			if was.Admitted() != is.Admitted() {
				t.Errorf("%s: %v: %v, and %v", minor, item, was.Err(), is.Err())
				return
			}
		}
	}
}

// versionIn returns the version of a definition as a minor has it.
func versionIn(t *testing.T, document map[string]any, minor minors.Minor) *crdsem.Version {
	t.Helper()
	crd, _, err := definition.FromMap(document, structural.Kubernetes(minor))
	if err != nil {
		t.Fatal(err)
	}
	def, err := crdsem.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	version, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return version
}

// hostOf returns an object with an item.
func hostOf(item map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1", "kind": "Host",
		"metadata": map[string]any{"name": "a", "namespace": "b"}, "l": []any{item},
	}
}

// curableItems returns items of the list: with strings of all short texts of an
// alphabet, and with and without the other fields.
func curableItems() (items []map[string]any) {
	texts := []string{""}
	for at := 0; len(texts) < 400; at++ {
		for _, letter := range "a/1.:" {
			texts = append(texts, texts[at]+string(letter))
		}
	}
	for i, text := range texts {
		item := map[string]any{"s": text, "c": i%2 == 0, "o": []any{
			map[string]any{"name": text[:min(len(text), 5)]}, map[string]any{"name": "a"},
		}}
		if i%3 == 0 {
			item["a"] = text
		}
		if i%5 < 2 {
			item["b"] = "b"
		}
		if i%7 == 0 {
			delete(item, "c")
		}
		if i%11 == 0 {
			delete(item, "s")
		}
		if i%13 == 0 {
			item["o"] = []any{}
		}
		items = append(items, item)
	}
	return items
}

// A rule that cannot be written otherwise gets bounds, if there are any that
// suffice.
func TestCureByBounds(t *testing.T) {
	document := curable(t, "self.a.matches('^[a-z]+$')")
	cure := cureOf(t, document)
	if cure == nil || !cure.Stricter || len(cure.Edits) != 1 ||
		cure.Edits[0].Keyword != "maxLength" {
		t.Fatalf("cure %+v", cure)
	}
	acceptedByAll(t, cure.Apply(document))
	const query = "url(self.s).getQuery()['a'].exists(v, v.startsWith('x'))"
	if cure := cureOf(t, curable(t, query)); cure != nil {
		t.Errorf("cure %+v", cure)
	}
	missing := &skew.Cure{Edits: []skew.Edit{{Path: "spec.versions[3]", Keyword: "rule"}}}
	if edited := missing.Apply(document); edited != nil {
		t.Errorf("applied to %v", edited)
	}
}
