package lint_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/advice/lint"
)

// The errors of real definitions were read, and are none of this package:
// jobset, kgateway and Strimzi's examples read optional fields, which objects
// are refused for, and examples of Strimzi have a scale subresource without its
// fields.
func TestCorpus(t *testing.T) {
	want := map[string]int{
		"LINT-has jobsets.jobset.x-k8s.io.yaml":                                 2,
		"LINT-has upstreams.gateway.kgateway.dev.yaml":                          2,
		"LINT-has examples.crdgenerator.strimzi.io.yaml":                        3,
		"LINT-path examples.crdgenerator.strimzi.io--strimzi-crdgenerator.yaml": 6,
		"LINT-path exampleswithsubresources.crdgenerator.strimzi.io.yaml":       6,
	}
	got, counts := map[string]int{}, map[string]int{}
	for _, file := range corpus.Definitions(t) {
		for line := range strings.Lines(linted(t, string(file.Text))) {
			check, _, _ := strings.Cut(line, " ")
			counts[check]++
			if (lint.Settings{}).Of(check) == lint.Error {
				got[check+" "+file.Name()]++
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("errors %v, want %v", got, want)
	}
	t.Log(counts)
}

// docs/lint.md has the texts of the checks.
func TestChecksAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	_, documented, _ := strings.Cut(strings.Join(strings.Fields(string(page)), " "), " ## LINT-")
	var want []string
	for _, c := range lint.Checks() {
		want = append(want, "## "+c.ID+" "+c.Text)
	}
	if got := strings.Join(want, " "); got != "## LINT-"+documented {
		t.Errorf("checks:\n%s\npage:\n## LINT-%s", got, documented)
	}
}
