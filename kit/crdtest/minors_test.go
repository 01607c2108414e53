package crdtest_test

import (
	"path/filepath"
	"testing"

	"github.com/crdsem/crdsem/internal/app/mutation"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/minors"
)

// Suites are run with the minors that both name, and skipped if there are none.
func TestWithMinors(t *testing.T) {
	suites := []*crdtest.Suite{
		{Name: "any"}, {Name: "old", Kubernetes: "1.30", Cases: []crdtest.Case{{Name: "c"}}}, {Name: "some", Kubernetes: "1.30-1.32"},
	}
	in, err := minors.ParseRange("1.31-1.37")
	if err != nil {
		t.Fatal(err)
	}
	got, err := crdtest.WithMinors(suites, in)
	if err != nil || len(got) != 3 || got[0].Kubernetes != "1.31-1.37" ||
		got[2].Kubernetes != "1.31-1.32" || suites[0].Kubernetes != "" {
		t.Fatalf("%+v, %v", got, err)
	}
	results, err := crdtest.Execute(t.Context(), nil, got)
	const want = "its suite is for Kubernetes 1.30, and it is run with 1.31-1.37"
	if err != nil || len(results) != 1 || results[0].Name() != "old/c" ||
		results[0].Skipped != want {
		t.Errorf("%+v, %v", results, err)
	}
	apart, err := minors.ParseRange("1.30,1.32")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := crdtest.WithMinors(suites, apart); err != nil ||
		got[0].Kubernetes != "1.30,1.32" || got[2].Kubernetes != "1.30,1.32" {
		t.Errorf("%+v, %v", got, err)
	}
	if none, err := crdtest.WithMinors(suites, nil); err != nil || len(none) != 3 {
		t.Errorf("%+v, %v", none, err)
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

// A case that is for none of the minors of its suite is skipped, once, and says
// why. Coverage, mutants and Rewrite do without it.
func TestCaseOfOtherMinors(t *testing.T) {
	const refused = "create: {apiVersion: stable.example.com/v1, kind: CronTab}"
	for header, want := range map[string]string{
		"": "x/old: it is for Kubernetes 1.31, and the suite is run with " +
			minors.Newest().String(),
		"kubernetes: 1.36-1.37\n": "x/old: it is for Kubernetes 1.31, and the suite is run with " +
			"1.36-1.37",
	} {
		file, _ := crdcases.Suite(t, crontab, "")
		crdcases.Write(t, filepath.Dir(file), "x.crdtest.yaml",
			header+"crds: crd.yaml\ncases:\n- {name: old, kubernetes: '1.31', "+refused+"}\n"+
				"- {name: new, "+refused+", want: {error: 'spec: Required value'}}\n")
		suites, err := crdtest.ReadSuites(file)
		if err != nil {
			t.Fatal(err)
		}
		results, err := crdtest.Execute(t.Context(), nil, suites)
		if err != nil {
			t.Fatal(err)
		}
		var skipped []string
		for _, r := range results {
			if r.Err != nil {
				t.Error(r.Err)
			}
			if r.Skipped != "" {
				skipped = append(skipped, r.Name()+": "+r.Skipped)
			}
		}
		if len(skipped) != 1 || skipped[0] != want {
			t.Errorf("skipped %q, want %q", skipped, want)
		}
		changed, err := crdtest.Rewrite(t.Context(), nil, suites)
		if err != nil || len(changed) > 0 {
			t.Errorf("rewritten %v, %v", changed, err)
		}
		if report, err := mutation.Run(t.Context(), nil, suites); err != nil ||
			report.Score().Reached == 0 {
			t.Errorf("mutants %+v, %v", report, err)
		}
	}
}
