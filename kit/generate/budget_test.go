package generate

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Searches that share a budget end with it, each with an error that says so,
// and take from it what rules cost.
func TestBudgetIsShared(t *testing.T) {
	const root = "openAPIV3Schema:\n"
	never := strings.Replace(searched, root, root+"        x-kubernetes-validations: "+
		"[{rule: has(self.spec) && self.spec.size > 7}]\n", 1)
	all, err := ParseResources([]byte(never), "")
	if err != nil {
		t.Fatal(err)
	}
	budget := NewBudget(3)
	shared, random := all.Sharing(budget), rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 2; n++ {
		_, err := shared.Valid(random)
		const want = "found no valid object: the budget of all searches is spent"
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("search %d: %v, want %s", n, err, want)
		}
		if open, patterns := budget.LeftOpen(); open != n || patterns != 0 {
			t.Errorf("after search %d: %d and %d are left open", n, open, patterns)
		}
	}
	if _, err := all.Valid(random); err == nil || strings.Contains(err.Error(), "budget") {
		t.Errorf("without the budget: %v", err)
	}
	budget = NewBudget(100)
	budget.take(49 * costOfTry)
	if left := budget.objects.Load(); left != 50 {
		t.Errorf("%d tries are left", left)
	}
}
