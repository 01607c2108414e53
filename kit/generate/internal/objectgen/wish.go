package objectgen

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/relang"
)

// wish is what rules ask together of the value of a cell.
type wish struct {
	isMade bool
	// in and out are patterns that the whole string matches, or does not match.
	in, out []string
	// low and high bound the length; high counts if it is not nil.
	low  int64
	high *int64
	// candidates are values of which one is likely to do, edits strings that
	// keep more of the current one.
	candidates, edits []any
	relations         []relation
	step, rest        float64 // what a number is divided by, and what is left
}

// relation is a comparison with a number.
type relation struct {
	operator string
	number   float64
}

// wish begins to ask something of a cell. It reports whether that is allowed.
func (s *solver) wish(c *cell) bool {
	if !c.wish.isMade && s.keeping {
		return false
	}
	if !c.wish.isMade {
		c.wish.isMade = true
		s.wished = append(s.wished, c)
	}
	return true
}

func (s *solver) candidates(c *cell, values []any) bool {
	if len(values) == 0 || !s.wish(c) {
		return false
	}
	c.wish.candidates = append(c.wish.candidates, values...)
	return true
}

// wishText asks a cell for a string that matches a pattern.
func (s *solver) wishText(c *cell, pattern string, want bool, edits ...string) bool {
	if !s.wish(c) {
		return false
	}
	if want {
		c.wish.in = append(c.wish.in, pattern)
	} else {
		c.wish.out = append(c.wish.out, pattern)
	}
	for _, text := range edits {
		c.wish.edits = append(c.wish.edits, text)
	}
	return true
}

// length asks for a length that compares with a number as an operator says. It
// reports whether that fits what was asked before, and asks nothing otherwise.
func (w *wish) length(operator string, n int) bool {
	least, most := int64(n), int64(n)
	switch operator {
	case operators.Greater, operators.NotEquals:
		least, most = least+1, math.MaxInt64
	case operators.GreaterEquals:
		most = math.MaxInt64
	case operators.Less:
		least, most = 0, most-1
	case operators.LessEquals:
		least = 0
	}
	least = max(least, w.low)
	if w.high != nil {
		most = min(most, *w.high)
	}
	if least > most {
		return false
	}
	w.low = least
	if most < math.MaxInt64 {
		w.high = &most
	}
	return true
}

// settle gives each cell a value that its wish allows, if it finds one.
func (s *solver) settle() {
	for _, c := range s.wished {
		if v, ok := s.granted(c); ok {
			c.set(v)
		}
	}
}

// granted returns a value that a cell's wish and node allow.
func (s *solver) granted(c *cell) (any, bool) {
	w := &c.wish
	current, has := c.value()
	enum := s.m.enum(c.node)
	listed := setOf(enum)
	fits := func(v any) bool {
		if len(enum) > 0 {
			return listed.has(v) && w.allows(v)
		}
		return w.allows(v) && s.m.allows(c.node, v)
	}
	if has && len(w.candidates) == 0 && fits(current) {
		return nil, false
	}
	for _, choices := range [][]any{enum, w.candidates, w.edits, s.numbersFor(c)} {
		choices = slices.DeleteFunc(slices.Clone(choices), func(v any) bool { return !fits(v) })
		if len(choices) > 0 {
			return jsonvalue.DeepCopy(Pick(s.m.Rand, choices...)), true
		}
	}
	if len(w.relations) > 0 || w.step > 0 || len(enum) > 0 {
		return nil, false
	}
	node := c.node
	if text, ok := current.(string); ok && len(w.in)+len(w.out) == 0 && !c.isKey {
		if s := resized(text, w); fits(s) {
			return s, true
		}
	}
	if node.typ() == "string" {
		for range 3 {
			if v := s.m.string(node); fits(v) {
				return v, true
			}
		}
	}
	return s.m.word(w, node)
}

// resized returns a string that is cut or repeated to a length that is asked
// for. Its ends are kept.
func resized(text string, w *wish) string {
	runes := []rune(text)
	if len(runes) == 0 {
		runes = []rune("a")
	}
	middle := len(runes) / 2
	if missing := min(w.low, maxString) - int64(len(runes)); missing > 0 {
		runes = slices.Insert(runes, middle, slices.Repeat(runes[middle:middle+1], int(missing))...)
	}
	if w.high != nil && int64(len(runes)) > *w.high {
		kept := int(*w.high)
		runes = slices.Delete(runes, kept/2, kept/2+len(runes)-kept)
	}
	return string(runes)
}

// allows reports whether a value is as wished.
func (w *wish) allows(v any) bool {
	switch v := v.(type) {
	case string:
		length := int64(utf8.RuneCountInString(v))
		if length < w.low || w.high != nil && length > *w.high {
			return false
		}
		return !slices.ContainsFunc(w.in, func(p string) bool { return !matchesWhole(p, v) }) &&
			!slices.ContainsFunc(w.out, func(p string) bool { return matchesWhole(p, v) })
	case int64, float64:
		n, _ := toFloat(v)
		if w.step > 0 && math.Mod(n, w.step) != w.rest {
			return false
		}
		return !slices.ContainsFunc(w.relations, func(r relation) bool {
			return !holds(r.operator, sign(n-r.number))
		})
	}
	return true
}

func sign(f float64) int {
	switch {
	case f < 0:
		return -1
	case f > 0:
		return 1
	}
	return 0
}

func matchesWhole(pattern, s string) bool {
	re, err := regexp.Compile(`\A(?:` + pattern + `)\z`)
	return err == nil && re.MatchString(s)
}

// allows reports whether the keywords of a scalar node other than enum allow a
// value.
func (m *Maker) allows(n Node, v any) bool {
	switch v := v.(type) {
	case string:
		return m.matches(n, v) && n.fitsLength(v)
	case int64, float64:
		f, _ := toFloat(v)
		low, high := n.limits(math.SmallestNonzeroFloat64)
		least, most := n.bounds()
		step := n.multipleOf()
		return (least == nil || f >= low) && (most == nil || f <= high) &&
			(step <= 0 || math.Mod(f, step) == 0)
	}
	return true
}

// numbersFor returns numbers near to those of a wish, and near to the limits of
// the node.
func (s *solver) numbersFor(c *cell) (numbers []any) {
	if len(c.wish.relations) == 0 && c.wish.step == 0 {
		return nil
	}
	current, _ := c.value()
	from, _ := toFloat(current)
	starts := []float64{from}
	for _, r := range c.wish.relations {
		starts = append(starts, r.number)
	}
	least, most := c.node.bounds()
	for _, limit := range []*float64{least, most} {
		if limit != nil {
			starts = append(starts, *limit)
		}
	}
	for i := range len(starts) - 1 {
		starts = append(starts, (starts[i]+starts[i+1])/2)
	}
	step := max(1, c.wish.step)
	for _, start := range starts {
		for _, by := range []float64{0, step, -step, 10 * step, 0.5, -0.5} {
			n := start + by
			if c.wish.step > 0 {
				n = math.Floor(n/step)*step + c.wish.rest
			}
			if c.node.typ() != "number" {
				n = math.Round(n)
			}
			numbers = append(numbers, plain(n))
		}
	}
	return numbers
}

// word returns a shortest string that a wish and a node allow.
func (m *Maker) word(w *wish, n Node) (string, bool) {
	low, high := w.low, w.high
	if least, ok := n.atLeast(minLength); ok {
		low = max(low, int64(least))
	}
	if most, ok := n.atMost(maxLength); ok && (high == nil || *high > int64(most)) {
		bound := int64(most)
		high = &bound
	}
	of := relang.Language{MinLength: &low, MaxLength: high}
	for _, p := range w.in {
		of.Patterns = append(of.Patterns, `\A(?:`+p+`)\z`)
	}
	if p := n.pattern(); p != "" {
		of.Patterns = append(of.Patterns, p)
	}
	key := fmt.Sprint(of.Patterns, w.out, low, high != nil)
	if high != nil {
		key += fmt.Sprint(*high)
	}
	if known, ok := m.words[key]; ok {
		return known.Word, known.Found && !known.Long
	}
	found := relang.Outcome{}
	if low < maxWordLength && len(m.words) < maxWords {
		out := relang.Language{Patterns: []string{`\A(?:` + strings.Join(w.out, "|") + `)\z`}}
		ctx := m.Context
		if ctx == nil {
			ctx = context.Background()
		}
		if found = relang.Shortest(ctx, of); len(w.out) > 0 {
			found = relang.Difference(ctx, of, out)
		}
	}
	if m.words == nil {
		m.words = map[string]relang.Outcome{}
	}
	m.words[key] = found
	return found.Word, found.Found && !found.Long
}

// The bounds of the search for strings, which intersects automata.
const (
	maxWordLength = 1 << 10
	maxWords      = 64
)
