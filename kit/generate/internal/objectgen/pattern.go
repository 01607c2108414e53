package objectgen

import (
	"regexp/syntax"
	"strings"
)

// matching makes a string that matches a pattern and has a length that the
// node allows; ok is false if it found none.
func (m *Maker) matching(pattern string, n Node) (s string, ok bool) {
	for _, p := range Patterns {
		if p.Name == pattern {
			s = Pick(m.Rand, p.Matching...)
			return s, n.fitsLength(s)
		}
	}
	re := m.compiled(pattern)
	if re == nil {
		return "", false
	}
	tree, _ := syntax.Parse(pattern, syntax.Perl) // as before, so that it parses
	for extra := range 8 {
		out := sampler{Maker: m}
		out.sample(tree, extra)
		if s := out.String(); re.MatchString(s) && n.fitsLength(s) {
			return s, true
		}
	}
	return "", false
}

// sampler writes a string that an expression matches.
type sampler struct {
	*Maker
	strings.Builder
	visits int
}

// The length of a sample, and how many parts of the expression it may visit:
// repetitions of nothing write nothing.
const (
	maxSample = 1 << 10
	maxVisits = 1 << 14
)

// sample writes a string. Repetitions occur up to extra times more often than
// the least that they ask for.
func (out *sampler) sample(re *syntax.Regexp, extra int) {
	if out.visits++; out.Len() > maxSample || out.visits > maxVisits {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		out.sampleClass(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteString(Pick(out.Rand, "a", "b", "1"))
	case syntax.OpCapture:
		out.sample(re.Sub[0], extra)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			out.sample(sub, extra)
		}
	case syntax.OpAlternate:
		out.sample(Pick(out.Rand, re.Sub...), extra)
	case syntax.OpStar:
		out.repeat(re.Sub[0], 0, -1, extra)
	case syntax.OpPlus:
		out.repeat(re.Sub[0], 1, -1, extra)
	case syntax.OpQuest:
		out.repeat(re.Sub[0], 0, 1, extra)
	case syntax.OpRepeat:
		out.repeat(re.Sub[0], re.Min, re.Max, extra)
	}
}

func (out *sampler) repeat(re *syntax.Regexp, least, most, extra int) {
	times := least + out.Rand.IntN(extra+1)
	if most >= 0 {
		times = min(times, most)
	}
	for range min(times, 64) {
		out.sample(re, extra)
	}
}

// sampleClass writes a character of a class, which is given as pairs of
// limits. It prefers characters that are easy to read.
func (out *sampler) sampleClass(pairs []rune) {
	var readable []rune
	for i := 0; i+1 < len(pairs); i += 2 {
		for _, c := range "abcxyzABC0123459-._/:" {
			if pairs[i] <= c && c <= pairs[i+1] {
				readable = append(readable, c)
			}
		}
	}
	switch {
	case len(readable) > 0:
		out.WriteRune(Pick(out.Rand, readable...))
	case len(pairs) > 0:
		out.WriteRune(pairs[0])
	}
}
