package crdtest_test

import (
	"testing"

	"github.com/crdsem/crdsem/crdtest"
	"github.com/crdsem/crdsem/minors"
)

// Suites are run with the minors that both name.
func TestWithMinors(t *testing.T) {
	suites := []*crdtest.Suite{
		{Name: "any"}, {Name: "old", Kubernetes: "1.29"}, {Name: "some", Kubernetes: "1.30-1.32"},
	}
	in, err := minors.ParseRange("1.31-1.37")
	if err != nil {
		t.Fatal(err)
	}
	got, err := crdtest.WithMinors(suites, in)
	if err != nil || len(got) != 2 || got[0].Kubernetes != "1.31-1.37" ||
		got[1].Kubernetes != "1.31-1.32" || suites[0].Kubernetes != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := crdtest.WithMinors([]*crdtest.Suite{{Kubernetes: "1.2"}}, in); err == nil {
		t.Error("1.2 is known")
	}
}

// A result names its minor.
func TestResultsOfMinors(t *testing.T) {
	crds, err := crdtest.ReadCRDs("testdata/crontab")
	if err != nil {
		t.Fatal(err)
	}
	suites := []*crdtest.Suite{{
		Name: "s", Kubernetes: "1.36-1.37",
		Cases: []crdtest.Case{{Name: "c", Steps: []crdtest.Step{{
			Verb:   crdtest.Create,
			Object: map[string]any{"apiVersion": "stable.example.com/v1", "kind": "CronTab"},
			Want:   crdtest.Want{Errors: []string{"spec: Required value"}},
		}}}},
	}}
	results, err := crdtest.Execute(t.Context(), crds, suites)
	if err != nil || len(results) != 2 || results[0].Kubernetes != "1.36" ||
		results[0].Suite != "s/1.36" || results[0].Err != nil {
		t.Errorf("%+v, %v", results, err)
	}
}
