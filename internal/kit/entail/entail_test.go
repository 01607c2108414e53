package entail_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/kit/entail"
)

func holds(value int) entail.Truth { return entail.Of(value == 1) }

// orFails is a variable whose third value is an error.
func orFails(value int) entail.Truth { return entail.Truth(value) }

func TestAsk(t *testing.T) {
	variables := make([]*entail.Variable, 3)
	for i := range variables {
		variables[i] = &entail.Variable{Size: 2}
	}
	a, b, c := entail.Is(variables[0], holds), entail.Is(variables[1], holds),
		entail.Is(variables[2], holds)
	may := entail.Is(&entail.Variable{Size: 3}, orFails)
	one := func(n int) bool { return n == 1 }
	type list = []entail.Condition
	for name, q := range map[string]struct {
		facts list
		goal  entail.Condition
		want  bool
	}{
		"itself":              {list{a}, a, true},
		"another":             {list{a}, b, false},
		"by cases":            {list{entail.Any(a, b), entail.Any(entail.Not(a), b)}, b, true},
		"a conditional":       {list{entail.If(a, b, c)}, entail.Any(b, c), true},
		"exactly one":         {list{entail.Count(list{a, b, c}, one)}, entail.Not(entail.All(a, b)), true},
		"one of three":        {list{entail.Count(list{a, b, c}, one)}, a, false},
		"an error":            {nil, entail.Any(may, entail.Not(may)), false},
		"an error is hidden":  {list{a}, entail.Any(may, a), true},
		"an error by if":      {list{entail.If(may, a, a)}, entail.Any(may, entail.Not(may)), true},
		"an error is counted": {list{entail.Count(list{may}, one)}, may, true},
		"nothing holds":       {list{a, entail.Not(a)}, entail.Constant(entail.False), true},
	} {
		answer := entail.Ask(entail.Question{Goal: q.goal, Facts: q.facts, Steps: 1000, Models: 1})
		if answer.Holds != q.want || answer.Holds != (len(answer.Models) == 0) {
			t.Errorf("%s: %v", name, answer)
		}
	}
}

// What is not answered within the steps does not hold.
func TestSteps(t *testing.T) {
	v := &entail.Variable{Size: 100}
	never := entail.Is(v, func(int) entail.Truth { return entail.True })
	for steps, want := range map[int]bool{10: false, 1000: true} {
		if entail.Ask(entail.Question{Goal: never, Steps: steps, Models: 1}).Holds != want {
			t.Errorf("%d steps", steps)
		}
	}
}

func TestConsistent(t *testing.T) {
	v := &entail.Variable{Size: 4, Allows: func(value int) bool { return value != 2 }}
	q := entail.Question{
		Goal:  entail.Is(v, func(value int) entail.Truth { return entail.Of(value == 1) }),
		Steps: 100, Models: 9,
		Consistent: func(m *entail.Model, _ bool) bool {
			value, has := m.Value(v)
			return !has || value != 3
		},
	}
	answer := entail.Ask(q)
	if len(answer.Models) != 1 {
		t.Fatalf("%v", answer)
	}
	if value, _ := answer.Models[0].Value(v); value != 0 {
		t.Errorf("%d", value)
	}
}
