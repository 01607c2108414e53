package upgrade_test

import (
	"testing"

	"github.com/crdsem/crdsem/kit/upgrade"
)

// Searches beyond a budget are left open, the same ones each time.
func TestBudget(t *testing.T) {
	old := crd(`{"a": {"type": "string"}, "b": {"type": "string"}}`)
	changed := crd(`{"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self.lowerAscii() == self"}]},
		"b": {"type": "string", "x-kubernetes-validations": [{"rule": "self.upperAscii() == self"}]}}`)
	for _, c := range []struct{ objects, tried, open int }{{1000, 2, 0}, {200, 1, 1}, {0, 0, 2}} {
		budget := upgrade.NewBudget(c.objects)
		report, err := upgrade.Compare(t.Context(), old, changed, upgrade.Within(budget))
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for i := range report.Changes {
			if report.Changes[i].Tries > 0 {
				tried++
			}
		}
		if open, _ := budget.LeftOpen(); open != c.open || tried != c.tried {
			t.Errorf("%d objects: %d tried, %d open", c.objects, tried, open)
		}
	}
}

// How many objects show what logic decides changes no verdict.
func TestShownTries(t *testing.T) {
	old := crd(`{"a": {"type": "string"}, "n": {"type": "integer"}}`)
	changed := crd(`{"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self.lowerAscii() == self"}]}, "n": {"type": "integer", "maximum": 3}}`)
	for _, n := range []int{0, 1, 5000} {
		report, err := upgrade.Compare(t.Context(), old, changed, upgrade.ShownTries(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range report.Changes {
			if c.Severity != upgrade.Breaking {
				t.Errorf("with %d objects: %v is %s", n, &c, c.Severity)
			}
			if shown := c.Witness != nil; c.Keyword == "maximum" && shown != (n > 0) {
				t.Errorf("with %d objects: the maximum is shown: %t", n, shown)
			}
		}
	}
}
