package relang

import "testing"

// Comparisons that share a budget end when it is spent, and say so. Those
// without one do not.
func TestBudget(t *testing.T) {
	easy, hard := Language{Patterns: []string{"^a$"}}, Language{Patterns: []string{`^(a|b)*a(a|b){300}$`}}
	low := int64(800)
	hard.MinLength = &low
	budget := NewBudget()
	budget.left.Store(1000)
	ctx := WithBudget(t.Context(), budget)
	if !Shortest(ctx, easy).Found || budget.LeftOpen() != 0 {
		t.Errorf("an easy comparison is left open, or %d", budget.LeftOpen())
	}
	for range 2 {
		if Shortest(ctx, hard).Decided {
			t.Fatal("the pattern is decided: it tests nothing")
		}
	}
	if n := budget.LeftOpen(); n != 2 {
		t.Errorf("%d left open", n)
	}
	if Shortest(ctx, easy).Decided || !Shortest(t.Context(), easy).Found {
		t.Error("a comparison goes on without a budget, or ends with none")
	}
}
