package objectgen

import (
	"hash/maphash"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// The budget of one value. From manyValues on, optional properties are left
// out. Once TooManyValues or MaxBytes are made, lists end and objects are
// empty. MaxBytes is the size of the largest request that a server takes.
const (
	manyValues    = 1 << 10
	TooManyValues = 1 << 14
	MaxBytes      = 3 << 20
	// maxSteps bounds what is looked at: branches, names, values of enums.
	maxSteps = 1 << 24
)

// start begins a new value.
func (m *Maker) start() { m.values, m.bytes, m.steps = 0, 0, 0 }

// step counts what is looked at.
func (m *Maker) step(n int) { m.steps += n }

// isSpent reports whether the value must get no larger: its budget is spent, or
// the context has ended.
func (m *Maker) isSpent() bool {
	if m.values > TooManyValues || m.bytes > MaxBytes || m.steps > maxSteps {
		m.Reached = true
		return true
	}
	return m.Context != nil && m.Context.Err() != nil
}

// charged counts the bytes of a value that is made, and returns it.
func (m *Maker) charged(v any) any {
	switch v := v.(type) {
	case string:
		m.bytes += len(v)
	case []any:
		for _, item := range v {
			m.values++
			m.charged(item)
		}
	case map[string]any:
		for name, member := range v {
			m.values++
			m.bytes += len(name)
			m.charged(member)
		}
	}
	return v
}

// repeated returns a letter so many times, as far as the budget goes.
func (m *Maker) repeated(letter string, times int) string {
	if left := max(0, MaxBytes-m.bytes) / len(letter); times > min(left, maxString) {
		m.Reached = true
		times = min(left, maxString)
	}
	return strings.Repeat(letter, times)
}

// enum returns what Node.enum does. It keeps what two enums have in common.
func (m *Maker) enum(n Node) (enum []any) {
	n.each(func(s *structural.Schema) bool {
		own := s.Values().Enum
		switch {
		case len(own) == 0:
		case len(enum) == 0:
			enum = own
		default:
			if both := m.common(enum, own); len(both) > 0 {
				enum = both
			}
		}
		return true
	})
	return enum
}

// common returns the values of one enum that another has too.
func (m *Maker) common(a, b []any) []any {
	key := [2]*any{&a[0], &b[0]}
	if both, known := m.enums[key]; known {
		return both
	}
	if m.enums == nil || len(m.enums) >= maxKept {
		m.enums = map[[2]*any][]any{}
	}
	m.step(len(a) + len(b))
	m.enums[key] = common(a, b)
	return m.enums[key]
}

// compiled returns a pattern, nil if it is not valid. It keeps the last ones.
func (m *Maker) compiled(pattern string) *regexp.Regexp {
	if re, known := m.patterns[pattern]; known {
		return re
	}
	if m.patterns == nil || len(m.patterns) >= maxKept {
		m.patterns = map[string]*regexp.Regexp{}
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		re = nil
	}
	m.patterns[pattern] = re
	return re
}

// maxKept is how many patterns and pairs of enums are kept.
const maxKept = 16

// valueSet holds values. Equal numbers are equal, as in a schema's enum.
type valueSet struct {
	seed   maphash.Seed
	values map[uint64][]any
}

func setOf(values []any) *valueSet {
	s := &valueSet{maphash.MakeSeed(), map[uint64][]any{}}
	for _, v := range values {
		s.add(v)
	}
	return s
}

func (s *valueSet) has(v any) bool {
	return slices.ContainsFunc(s.values[jsonvalue.Hash(s.seed, v)], func(other any) bool {
		return jsonvalue.EqualNumbers(v, other)
	})
}

func (s *valueSet) add(v any) {
	hash := jsonvalue.Hash(s.seed, v)
	s.values[hash] = append(s.values[hash], v)
}
