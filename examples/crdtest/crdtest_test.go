package crdtest_test

import (
	"flag"
	"testing"

	"github.com/crdsem/crdsem/internal/app/coverage"
	"github.com/crdsem/crdsem/kit/crdtest"
)

var update = flag.Bool("update", false, "write the outcomes into the suites")

// TestSuites runs the suites of this folder.
func TestSuites(t *testing.T) {
	suites, err := crdtest.ReadSuites("pools.crdtest.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		changed, err := crdtest.Rewrite(t.Context(), nil, suites)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range changed {
			t.Log("updated: ", file.File, file.Warnings)
		}
		if suites, err = crdtest.ReadSuites("pools.crdtest.yaml"); err != nil {
			t.Fatal(err)
		}
	}
	crdtest.Run(t, nil, suites)
}

// pool is a Pool as a controller might have it, without a Go type.
func pool(replicas int64, class string) map[string]any {
	spec := map[string]any{"replicas": replicas, "class": class}
	return map[string]any{"apiVersion": "example.com/v1", "kind": "Pool", "spec": spec}
}

// TestReplicas is a table of objects and the errors that they give.
func TestReplicas(t *testing.T) {
	crds, err := crdtest.ReadCRDs("../rules")
	if err != nil {
		t.Fatal(err)
	}
	api := crdtest.NewTester(crds)
	for _, tc := range []struct {
		name       string
		replicas   int64
		wantErrors []string
	}{
		{"least", 1, nil},
		{"most", 10, nil},
		{"too few", 0, []string{"replicas must be between 1 and 10"}},
		{"too many", 11, []string{"replicas must be between 1 and 10"}},
		{"negative", -1, []string{"should be greater than or equal to 0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			api.Create(t, pool(tc.replicas, "standard"), tc.wantErrors...)
		})
	}
	api.Update(t, pool(2, "slow"), pool(1, "fast"), "class of a pool cannot be changed")
}

// TestCoverage fails if a rule was not seen to pass and to fail.
func TestCoverage(t *testing.T) {
	suites, err := crdtest.ReadSuites("pools.crdtest.yaml")
	if err != nil {
		t.Fatal(err)
	}
	report, err := coverage.Measure(t.Context(), nil, suites)
	if err != nil {
		t.Fatal(err)
	}
	rules := report.Score(coverage.ValidationRules)
	t.Logf("rules: %s; everything: %s", rules, report.Score())
	for _, v := range report.Versions {
		for _, item := range v.Items {
			for _, goal := range item.Goals {
				if item.Class == coverage.ValidationRules && goal.Count == 0 {
					t.Logf("%s:%d: the rule never %s: %s", v.File, item.Line, goal.Name, item.Text)
				}
			}
		}
	}
	if rules.Percent() < 80 {
		t.Error("less than 80% of what rules can do was seen")
	}
}
