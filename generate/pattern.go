package generate

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// matching makes a string that matches a pattern and has a length that the node
// allows, or tells that it found none.
func (o *objects) matching(pattern string, n node) (string, bool) {
	for _, p := range patterns {
		if p.pattern == pattern {
			s := p.matching[o.r.Intn(len(p.matching))]
			return s, fitsLength(n, s)
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
		o.sample(&out, tree, extra)
		if s := out.String(); re.MatchString(s) && fitsLength(n, s) {
			return s, true
		}
	}
	return "", false
}

// sample writes a text that an expression matches, its repetitions up to extra
// times more often than they must.
func (o *objects) sample(out *strings.Builder, re *syntax.Regexp, extra int) {
	if out.Len() > 1<<10 {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		o.sampleClass(out, re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteString(pick(o.r, "a", "b", "1"))
	case syntax.OpCapture:
		o.sample(out, re.Sub[0], extra)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			o.sample(out, sub, extra)
		}
	case syntax.OpAlternate:
		o.sample(out, re.Sub[o.r.Intn(len(re.Sub))], extra)
	case syntax.OpStar:
		o.repeat(out, re.Sub[0], 0, -1, extra)
	case syntax.OpPlus:
		o.repeat(out, re.Sub[0], 1, -1, extra)
	case syntax.OpQuest:
		o.repeat(out, re.Sub[0], 0, 1, extra)
	case syntax.OpRepeat:
		o.repeat(out, re.Sub[0], re.Min, re.Max, extra)
	}
}

func (o *objects) repeat(out *strings.Builder, re *syntax.Regexp, least, most, extra int) {
	times := least + o.r.Intn(extra+1)
	if most >= 0 {
		times = min(times, most)
	}
	for range min(times, 64) {
		o.sample(out, re, extra)
	}
}

// sampleClass writes a character of a class, given as pairs of limits: one that is
// easy to read where there is one.
func (o *objects) sampleClass(out *strings.Builder, pairs []rune) {
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
		out.WriteRune(readable[o.r.Intn(len(readable))])
	case len(pairs) > 0:
		out.WriteRune(pairs[0])
	}
}
