package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/kit/crdtest"
)

// The report counts what passes, and lists definitions that are refused
// for the cost of a rule apart from other cases. It replaces the old one.
func TestReport(t *testing.T) {
	suites := []*crdtest.Suite{{Cases: make([]crdtest.Case, 3)}}
	text := report(suites, []crdtest.Result{
		{}, {File: "a/b.crd.yaml", Err: errors.New("a/b.crd.yaml:1:2: refused: " +
			"spec.validation.openAPIV3Schema.properties[x]: Forbidden: estimated rule cost " +
			"exceeds " +
			"budget by factor of more than 100x (try simplifying the rule)")},
		{File: "a/c.yaml", Err: errors.New("admitted")},
	})
	for _, want := range []string{
		"3 tests of openshift/api are 3 cases with all variants of the definitions. 1 pass.",
		"refuses to create 1 definitions",
		"| `b.crd.yaml` | `properties[x]` | estimated rule cost exceeds budget by factor of more " +
			"than 100x |\n",
		"\n- `c.yaml`\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	page, err := replaced("before\n"+begin+"old\n"+end+"after\n", text)
	if err != nil || page != "before\n"+begin+text+end+"after\n" {
		t.Errorf("%v: %s", err, page)
	}
	if _, err := replaced("no place", text); err == nil {
		t.Error("a page without a place is written")
	}
}
