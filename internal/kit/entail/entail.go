// Package entail decides whether conditions that hold make another one hold.
//
// A condition is true, false, or ends with an error, as in CEL: an operand of
// && and || that decides alone hides the error of the other one. Conditions are
// made of variables with a few values each, e.g. whether a field is there, or
// the range that a number is in. A search through the values finds a [Model] in
// which the conditions hold and the goal does not.
package entail

// Truth is what a condition comes to.
type Truth int8

// The truths. An error of evaluation is Fails.
const (
	False Truth = iota
	True
	Fails
)

// Of returns the truth of a bool.
func Of(is bool) Truth {
	if is {
		return True
	}
	return False
}

// Variable has one of a few values: 0 to Size-1.
type Variable struct {
	Name string
	Size int
	// Allows reports whether there is a value. It may be nil.
	Allows func(value int) bool
}

// Model gives values to variables.
type Model struct{ values map[*Variable]int }

// Value returns the value of a variable, if it has one.
func (m *Model) Value(v *Variable) (value int, has bool) {
	value, has = m.values[v]
	return value, has
}

// Condition returns its truth in a model. If that depends on a variable that
// has no value yet, it returns the variable.
type Condition func(m *Model) (Truth, *Variable)

// Constant returns a condition of one truth.
func Constant(t Truth) Condition {
	return func(*Model) (Truth, *Variable) { return t, nil }
}

// Is returns the condition that a variable has a value for which a function
// returns the truth.
func Is(v *Variable, of func(value int) Truth) Condition {
	return func(m *Model) (Truth, *Variable) {
		value, has := m.Value(v)
		if !has {
			return False, v
		}
		return of(value), nil
	}
}

// Not returns the opposite of a condition.
func Not(c Condition) Condition {
	return func(m *Model) (Truth, *Variable) {
		t, needs := c(m)
		if t == Fails {
			return Fails, needs
		}
		return True - t, needs
	}
}

// All returns the condition that all of some hold.
func All(list ...Condition) Condition { return joined(False, list) }

// Any returns the condition that one of some holds.
func Any(list ...Condition) Condition { return joined(True, list) }

// joined returns a condition that one operand of a truth decides alone.
func joined(alone Truth, list []Condition) Condition {
	return func(m *Model) (Truth, *Variable) {
		out, first := True-alone, (*Variable)(nil)
		for _, c := range list {
			t, needs := c(m)
			switch {
			case needs != nil:
				if first == nil {
					first = needs
				}
			case t == alone:
				return alone, nil
			case t == Fails:
				out = Fails
			}
		}
		return out, first
	}
}

// If returns a condition that chooses one of two others.
func If(condition, then, otherwise Condition) Condition {
	return func(m *Model) (Truth, *Variable) {
		switch t, needs := condition(m); {
		case needs != nil:
			return False, needs
		case t == True:
			return then(m)
		case t == False:
			return otherwise(m)
		}
		return Fails, nil
	}
}

// Count returns the condition that the number of conditions that hold is one of
// which a function says so. It fails if one of them does.
func Count(list []Condition, holds func(n int) bool) Condition {
	return func(m *Model) (Truth, *Variable) {
		n := 0
		for _, c := range list {
			switch t, needs := c(m); {
			case needs != nil:
				return False, needs
			case t == Fails:
				return Fails, nil
			case t == True:
				n++
			}
		}
		return Of(holds(n)), nil
	}
}

// Question asks whether facts make a goal hold.
type Question struct {
	Goal  Condition
	Facts []Condition
	// Consistent reports whether there may be an object of a model. It is also
	// asked while variables lack a value, and then isWhole is false. It may be
	// nil.
	Consistent func(m *Model, isWhole bool) bool
	// Steps bounds the search, and Models the models that are looked for.
	Steps, Models int
}

// Answer is what a search found.
type Answer struct {
	// Holds is set if the goal holds whenever the facts do.
	Holds bool
	// Models are some in which the facts hold and the goal does not.
	Models []*Model
}

// Ask searches for models in which the facts hold and the goal does not.
func Ask(q Question) Answer {
	s := &search{Question: q, model: &Model{values: map[*Variable]int{}}, left: q.Steps}
	s.run()
	return Answer{Holds: len(s.found) == 0 && s.left > 0, Models: s.found}
}

type search struct {
	Question
	model *Model
	left  int
	found []*Model
}

// isDone reports whether the search has found enough, or takes too long.
func (s *search) isDone() bool { return s.left <= 0 || len(s.found) >= s.Models }

// run looks through all models that the present one is a part of.
func (s *search) run() {
	if s.left--; s.isDone() {
		return
	}
	t, next := s.Goal(s.model)
	if next == nil && t == True {
		return
	}
	for _, fact := range s.Facts {
		switch t, needs := fact(s.model); {
		case needs == nil && t != True:
			return
		case needs != nil && next == nil:
			next = needs
		}
	}
	if s.Consistent != nil && !s.Consistent(s.model, next == nil) {
		return
	}
	if next == nil {
		values := map[*Variable]int{}
		for v, value := range s.model.values {
			values[v] = value
		}
		s.found = append(s.found, &Model{values})
		return
	}
	for value := range next.Size {
		if next.Allows == nil || next.Allows(value) {
			s.model.values[next] = value
			s.run()
		}
	}
	delete(s.model.values, next)
}
