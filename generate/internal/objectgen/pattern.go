package objectgen

import (
	"regexp"
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
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	for extra := range 8 {
		var out strings.Builder
		m.sample(&out, tree, extra)
		if s := out.String(); re.MatchString(s) && n.fitsLength(s) {
			return s, true
		}
	}
	return "", false
}

// sample writes a string that an expression matches. Repetitions occur up to
// extra times more often than the least that they ask for.
func (m *Maker) sample(out *strings.Builder, re *syntax.Regexp, extra int) {
	if out.Len() > 1<<10 {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		m.sampleClass(out, re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteString(Pick(m.Rand, "a", "b", "1"))
	case syntax.OpCapture:
		m.sample(out, re.Sub[0], extra)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			m.sample(out, sub, extra)
		}
	case syntax.OpAlternate:
		m.sample(out, Pick(m.Rand, re.Sub...), extra)
	case syntax.OpStar:
		m.repeat(out, re.Sub[0], 0, -1, extra)
	case syntax.OpPlus:
		m.repeat(out, re.Sub[0], 1, -1, extra)
	case syntax.OpQuest:
		m.repeat(out, re.Sub[0], 0, 1, extra)
	case syntax.OpRepeat:
		m.repeat(out, re.Sub[0], re.Min, re.Max, extra)
	}
}

func (m *Maker) repeat(out *strings.Builder, re *syntax.Regexp, least, most, extra int) {
	times := least + m.Rand.IntN(extra+1)
	if most >= 0 {
		times = min(times, most)
	}
	for range min(times, 64) {
		m.sample(out, re, extra)
	}
}

// sampleClass writes a character of a class, which is given as pairs of
// limits. It prefers characters that are easy to read.
func (m *Maker) sampleClass(out *strings.Builder, pairs []rune) {
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
		out.WriteRune(Pick(m.Rand, readable...))
	case len(pairs) > 0:
		out.WriteRune(pairs[0])
	}
}
