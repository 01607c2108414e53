package crdtest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// refusedCRD has a property without a type, and a rule with an empty message.
const refusedCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, kind: CronTab}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          a: {}
          b:
            type: string
            maxLength: 3
            x-kubernetes-validations: [{rule: 'self.size() > 0', message: ""}]
`

const (
	refusedA = "refused: spec.validation.openAPIV3Schema.properties[a].type: Required value: " +
		"must not be empty for specified object fields"
	definitionCase = "definition crontabs.stable.example.com"
)

// A definition that a server refuses is one failed result for each minor, and
// the cases are run all the same.
func TestRefusedDefinition(t *testing.T) {
	folder := t.TempDir()
	crd := crdcases.Write(t, folder, "crd.yaml", refusedCRD)
	const create = "{apiVersion: stable.example.com/v1, kind: CronTab, a: x}"
	const cases = "cases:\n- {name: c, create: " + create + "}\n" +
		"- {name: d, create: " + create + "}\n"
	crdcases.Write(t, folder, "a.crdtest.yaml", "crds: crd.yaml\nkubernetes: 1.30,1.37\n"+cases)
	crdcases.Write(t, folder, "b.crdtest.yaml", "crds: .\n"+cases)
	crdcases.Write(t, folder, "c.crdtest.yaml", cases)
	crdcases.Write(t, folder, "other.yaml", "apiVersion: v1\nkind: Pod\n")
	crds, suites := crdcases.Read(t, []string{crd}, folder)
	results, err := crdtest.Execute(t.Context(), crds, suites[:1])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range results {
		text := ""
		if r.Err != nil {
			text = r.Err.Error()
		}
		got = append(got, r.Name()+": "+text)
	}
	at := crd + ":16:11: "
	want := []string{
		"a/1.30/" + definitionCase + ": " + at + refusedA, "a/1.30/c: ", "a/1.30/d: ",
		"a/1.37/" + definitionCase + ": " + at + refusedA, "a/1.37/c: ", "a/1.37/d: ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r := results[0]; r.File != crd || r.Line != 1 || r.Kubernetes != "1.30" {
		t.Errorf("%+v", r)
	}
	// Suites share a definition, and one that no case needs does not matter.
	for _, c := range []struct {
		suites []*crdtest.Suite
		want   int
	}{{suites, 2}, {suites[2:3], 1}, {suites[3:], 0}} {
		results, err := crdtest.Execute(t.Context(), crds, c.suites)
		count := 0
		for _, r := range results {
			if r.Case == definitionCase {
				count++
			}
		}
		if err != nil || count != c.want {
			t.Errorf("%d results of definitions, want %d: %v", count, c.want, err)
		}
	}
}

// A definition that does not decode is refused, too.
func TestUndecodableDefinition(t *testing.T) {
	crds, err := crdtest.ParseCRDs("crd.yaml", []byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {kind: CronTab}
  versions: 3
`))
	if err != nil {
		t.Fatal(err)
	}
	suite := createSuite(cronTab(nil), crdtest.Want{})
	got, _ := crdcases.Failures(t, crds, []*crdtest.Suite{suite})
	if len(got) != 2 || got["s/"+definitionCase] == "" || got["s/c"] == "" {
		t.Error(got)
	}
}

// The first test that needs a definition that a server refuses fails.
func TestTesterOfRefusedDefinition(t *testing.T) {
	crds, err := crdtest.ParseCRDs("crd.yaml", []byte(refusedCRD))
	if err != nil {
		t.Fatal(err)
	}
	api := crdtest.NewTester(crds)
	r := &recorder{TB: t}
	api.Create(r, cronTab(nil))
	api.Create(r, cronTab(nil))
	want := []string{definitionCase + ": crd.yaml:16:11: " + refusedA}
	if diff := cmp.Diff(want, r.errors); diff != "" {
		t.Error(diff)
	}
}

// What a server refuses in a definition that is stored is a warning.
func TestStoredDefinition(t *testing.T) {
	const status = "status: {conditions: [{type: Established, status: 'True'}]}\n"
	for _, c := range []struct {
		text    string
		options []crdsem.DefinitionOption
	}{
		{refusedCRD + status, nil},
		{refusedCRD, []crdsem.DefinitionOption{nil, crdsem.Stored()}},
	} {
		crds, err := crdtest.ParseCRDs("crd.yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		crds[0].Options = c.options
		suite := createSuite(cronTab(nil), crdtest.Want{})
		results, err := crdtest.Execute(t.Context(), crds, []*crdtest.Suite{suite})
		if err != nil || len(results) != 2 {
			t.Fatal(err, results)
		}
		if r := results[0]; r.Case != definitionCase || r.Err != nil || r.Warning == nil ||
			!strings.Contains(r.Warning.Error(), refusedA) {
			t.Errorf("%+v", r)
		}
		if r := results[1]; r.Err != nil || r.Warning != nil {
			t.Errorf("%+v", r)
		}
		r := &recorder{TB: t}
		crdtest.NewTester(crds).Create(r, cronTab(nil))
		const want = definitionCase + ": a server has stored the definition: it is believed, but " +
			"as a new one it would be crd.yaml:16:11: " + refusedA
		if len(r.errors) > 0 || len(r.logs) != 1 || r.logs[0] != want {
			t.Error(r.errors, r.logs)
		}
	}
}
