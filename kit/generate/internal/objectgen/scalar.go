package objectgen

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/crdsem/crdsem/structural"
)

// intOrString makes a value for an int-or-string node.
func (m *Maker) intOrString(n Node) any {
	if m.Kind == Wild && Chance(m.Rand, 0.2) {
		return Any(m.Rand)
	}
	if Chance(m.Rand, 0.5) {
		return m.integer(n)
	}
	if n.pattern() == "" && Chance(m.Rand, 0.5) {
		return Pick(m.Rand, "5", "10%", "a")
	}
	return m.string(n)
}

// integer makes an int64 within the limits of a node.
func (m *Maker) integer(n Node) any {
	if m.Kind == Wild && Chance(m.Rand, 0.25) {
		return Pick[any](m.Rand,
			int64(-5), 1.5, 1.0, 2.0, int64(math.MaxInt32)+1, int64(math.MaxInt64), "5")
	}
	low, high := n.limits(1)
	low, high = math.Ceil(low), math.Floor(high)
	v := m.within(low, high)
	if step := n.multipleOf(); step >= 1 {
		v = math.Ceil(low/step) * step
	}
	return toInt(math.Trunc(v))
}

// toInt converts a number; what an int64 does not hold becomes its nearest.
func toInt(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// number makes an int64 or float64 within the limits of a node.
func (m *Maker) number(n Node) any {
	if m.Kind == Wild && Chance(m.Rand, 0.25) {
		return Pick[any](m.Rand, int64(-5), -0.5, 1e21, math.MaxFloat64, 1e39, "5")
	}
	low, high := n.limits(0.125)
	v := m.within(low, high)
	if step := n.multipleOf(); step > 0 {
		v = math.Ceil(low/step) * step
	}
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 && Chance(m.Rand, 0.5) {
		return int64(v)
	}
	return v
}

func (n Node) multipleOf() (step float64) {
	n.each(func(s *structural.Schema) bool {
		if of := s.Values().MultipleOf; of != nil {
			step = *of
		}
		return step == 0
	})
	return step
}

// bounds returns the greatest minimum and the smallest maximum of a node, nil
// without one.
func (n Node) bounds() (low, high *float64) {
	n.each(func(s *structural.Schema) bool {
		v := s.Values()
		if v.Minimum != nil && (low == nil || *v.Minimum > *low) {
			low = v.Minimum
		}
		if v.Maximum != nil && (high == nil || *v.Maximum < *high) {
			high = v.Maximum
		}
		return true
	})
	return low, high
}

// limits returns the range that a node's keywords and format leave. An
// exclusive limit moves by a step.
func (n Node) limits(step float64) (low, high float64) {
	exclusive := func(of func(v *structural.ValueValidation) bool) bool {
		return first(n, func(s *structural.Schema) bool { return of(s.Values()) })
	}
	low, high = -3, 12
	least, most := n.bounds()
	if least != nil {
		low = *least
		high = max(high, low+5)
		if exclusive(func(v *structural.ValueValidation) bool { return v.ExclusiveMinimum }) {
			low += step
		}
	}
	if most != nil {
		high = *most
		if exclusive(func(v *structural.ValueValidation) bool { return v.ExclusiveMaximum }) {
			high -= step
		}
		if least == nil {
			low = min(low, high-5)
		}
	}
	if n.format() == "uint32" && low < 0 {
		low = 0
	}
	return low, max(low, high)
}

func (m *Maker) within(low, high float64) float64 {
	if m.Kind == Boundary {
		return Pick(m.Rand, low, high)
	}
	if high-low > 1e6 {
		high = low + 1e6
	}
	return math.Trunc(low + m.Rand.Float64()*(high-low+1)*0.999)
}

// string makes a string within the limits of a node.
func (m *Maker) string(n Node) any { return m.charged(m.anyString(n)) }

func (m *Maker) anyString(n Node) any {
	if m.Kind == Wild && Chance(m.Rand, 0.3) {
		return Pick[any](m.Rand,
			"", "x", "A B", "é", "a\nb", strings.Repeat("y", 12), int64(5), true)
	}
	if format := n.format(); format != "" {
		if s, ok := m.conforming(format, n); ok {
			return s
		}
	}
	if pattern := n.pattern(); pattern != "" {
		if s, ok := m.matching(pattern, n); ok {
			return s
		}
	}
	return m.ofLength(n)
}

// conforming makes a string of a format, if possible one that keeps the node's
// other keywords. It returns false if the format is not known.
func (m *Maker) conforming(format string, n Node) (s string, ok bool) {
	samples, known := formatSamples(format)
	if !known {
		return "", false
	}
	from := m.Rand.IntN(len(samples.Matching))
	for i := range samples.Matching {
		s = samples.Matching[(from+i)%len(samples.Matching)]
		if n.fitsLength(s) && m.matches(n, s) {
			return s, true
		}
	}
	return s, n.pattern() == ""
}

// matches reports whether a string matches the pattern of a node.
func (m *Maker) matches(n Node, s string) bool {
	pattern := n.pattern()
	if pattern == "" {
		return true
	}
	re := m.compiled(pattern)
	return re != nil && re.MatchString(s)
}

// maxString is where larger limits of a string's length are not tried.
const maxString = 1 << 17

// ofLength makes a string of a length that a node allows.
func (m *Maker) ofLength(n Node) string {
	least, _ := n.atLeast(minLength)
	most, bounded := n.atMost(maxLength)
	length := least + m.Rand.IntN(6)
	if bounded {
		length = min(length, most)
		if m.Kind == Boundary && most < 1<<10 {
			length = Pick(m.Rand, least, most)
		}
	}
	letter := Pick(m.Rand, "a", "b", "x", "a", "é")
	return m.repeated(letter, length)
}

// fitsLength reports whether a string has a length that a node allows.
func (n Node) fitsLength(s string) bool {
	length := utf8.RuneCountInString(s)
	least, _ := n.atLeast(minLength)
	most, bounded := n.atMost(maxLength)
	return length >= least && (!bounded || length <= most)
}
