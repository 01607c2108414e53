package objectgen

import (
	"time"

	"cel.dev/cel-go/common/operators"
)

// moment is a timestamp or a duration, in nanoseconds. It counts 1 point if it
// is a timestamp: points add up as nanoseconds do.
type moment struct{ nanos, points int64 }

// momentOf returns the moment of a value.
func momentOf(v any) (m moment, ok bool) {
	of, _ := v.(special)
	if of.function == "timestamp" {
		at, err := time.Parse(time.RFC3339, of.text)
		return moment{at.UnixNano(), 1}, err == nil && at.Year() > 1700 && at.Year() < 2200
	}
	d, err := time.ParseDuration(of.text)
	return moment{int64(d), 0}, err == nil && of.function == "duration"
}

// joined returns the sum or the difference of two moments.
func (m moment) joined(function string, with moment) (sum moment, ok bool) {
	if function == operators.Subtract {
		with = moment{-with.nanos, -with.points}
	} else if function != operators.Add {
		return moment{}, false
	}
	sum = moment{m.nanos + with.nanos, m.points + with.points}
	return sum, sum.points == 0 || sum.points == 1
}

// value returns the moment as a value of a rule.
func (m moment) value() special {
	if m.points == 0 {
		return special{"duration", time.Duration(m.nanos).String()}
	}
	return special{"timestamp", time.Unix(0, m.nanos).UTC().Format(time.RFC3339)}
}

// shifted evaluates an operator of timestamps and durations.
func shifted(function string, a, b any) (any, bool) {
	x, okX := momentOf(a)
	y, okY := momentOf(b)
	sum, ok := x.joined(function, y)
	return sum.value(), ok && okX && okY
}

// shift solves an operator of timestamps and durations for one of its operands.
func (s *solver) shift(t term, operator string, v special) bool {
	args, first := t.args(), s.m.Rand.IntN(2)
	to, ok := momentOf(v)
	for _, i := range []int{first, 1 - first} {
		other, known := s.known(args[1-i])
		k, isMoment := momentOf(other)
		if !ok || !known || !isMoment {
			continue
		}
		of := operator
		var operand moment
		var fits bool
		switch {
		case t.function() == operators.Add:
			operand, fits = to.joined(operators.Subtract, k)
		case i == 0:
			operand, fits = to.joined(operators.Add, k)
		default:
			of = mirrored(operator)
			operand, fits = k.joined(operators.Subtract, to)
		}
		if fits && s.assign(args[i], of, operand.value()) {
			return true
		}
	}
	return false
}

// known is eval. If that fails because of the fields that a term reads, they
// get values for which it does not.
func (s *solver) known(t term) (any, bool) {
	v, ok := s.eval(t)
	if !ok && !s.keeping && s.ground(t) {
		return s.eval(t)
	}
	return v, ok
}

// ground gives fields a value, and those that are read as timestamps and
// durations the text of one. It reports whether it changed any.
func (s *solver) ground(t term) (changed bool) {
	if s.isSpent() {
		return false
	}
	t = t.resolved()
	if c := s.cell(t); c != nil {
		if _, has := c.value(); !has {
			c.set(s.fresh(c))
		}
		return true
	}
	for _, arg := range t.args() {
		changed = s.ground(arg) || changed
		c := s.cell(arg)
		name := t.function()
		if c == nil || name != "timestamp" && name != "duration" {
			continue
		}
		if _, ok := s.eval(t); !ok {
			c.set(Pick(s.m.Rand, samplesOf[name]...))
		}
	}
	return changed
}
