package lint

import (
	"math"
	"regexp/syntax"
)

// lengths are the numbers of characters that a part of a pattern can match.
type lengths struct{ min, max int64 }

// unbounded is the greatest length of a part that has none.
const unbounded = math.MaxInt64

// matchLengths returns the lengths of the strings that match a pattern, which
// compiles. possible is false if there is no such string.
//
// A pattern without anchors matches longer strings too. The result is a bound:
// there may be fewer lengths, and possible may be true for a pattern that
// nothing matches.
func matchLengths(pattern string) (found lengths, possible bool) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return lengths{0, unbounded}, true
	}
	e := measure(parsed)
	if !e.possible {
		return lengths{}, false
	}
	if !e.begins || !e.ends {
		e.max = unbounded
	}
	return e.lengths, true
}

// extent is what a part of a pattern matches.
type extent struct {
	lengths
	possible bool
	begins   bool // every match is at the begin of the string
	ends     bool // every match is at the end of the string
}

// measure returns the extent of a part.
func measure(re *syntax.Regexp) extent {
	exactly := func(n int64) extent { return extent{lengths: lengths{n, n}, possible: true} }
	switch re.Op {
	case syntax.OpNoMatch:
		return extent{}
	case syntax.OpLiteral:
		return exactly(int64(len(re.Rune)))
	case syntax.OpCharClass:
		e := exactly(1)
		e.possible = len(re.Rune) > 0
		return e
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return exactly(1)
	case syntax.OpBeginText:
		e := exactly(0)
		e.begins = true
		return e
	case syntax.OpEndText:
		e := exactly(0)
		e.ends = true
		return e
	case syntax.OpCapture:
		return measure(re.Sub[0])
	case syntax.OpStar:
		return repeated(measure(re.Sub[0]), 0, -1)
	case syntax.OpPlus:
		return repeated(measure(re.Sub[0]), 1, -1)
	case syntax.OpQuest:
		return repeated(measure(re.Sub[0]), 0, 1)
	case syntax.OpRepeat:
		return repeated(measure(re.Sub[0]), int64(re.Min), int64(re.Max))
	case syntax.OpConcat:
		return inOrder(re.Sub)
	case syntax.OpAlternate:
		return either(re.Sub)
	}
	return exactly(0) // an empty match, a line's begin or end, a word's boundary
}

// repeated returns the extent of a part that is repeated. most is -1 if there
// is no greatest number.
func repeated(e extent, least, most int64) extent {
	if least == 0 && !e.possible {
		return extent{possible: true}
	}
	out := extent{possible: e.possible}
	if least > 0 {
		out.begins, out.ends = e.begins, e.ends
	}
	out.min = times(e.min, least)
	out.max = times(e.max, most)
	if most < 0 {
		out.max = unbounded
		if e.max == 0 {
			out.max = 0
		}
	}
	// A part that is at the begin or the end cannot be there twice, unless it
	// is empty.
	if least > 1 && e.min > 0 && (e.begins || e.ends) {
		out.possible = false
	}
	return out
}

// inOrder returns the extent of parts that follow each other.
func inOrder(parts []*syntax.Regexp) extent {
	out := extent{possible: true}
	ended := false // the parts before end the string
	for _, part := range parts {
		e := measure(part)
		switch {
		case !e.possible,
			e.begins && out.min > 0, // something is before the begin
			ended && e.min > 0:      // something is after the end
			return extent{}
		}
		if e.begins {
			// What is before matches nothing.
			out.begins, out.max = true, 0
		}
		if ended {
			e.max = 0
		}
		ended = ended || e.ends
		out.min, out.max = plus(out.min, e.min), plus(out.max, e.max)
	}
	out.ends = ended
	return out
}

// either returns the extent of alternatives.
func either(parts []*syntax.Regexp) extent {
	out := extent{begins: true, ends: true}
	for _, part := range parts {
		e := measure(part)
		if !e.possible {
			continue
		}
		if !out.possible {
			out.lengths = e.lengths
		}
		out.possible = true
		out.min, out.max = min(out.min, e.min), max(out.max, e.max)
		out.begins, out.ends = out.begins && e.begins, out.ends && e.ends
	}
	return out
}

func plus(a, b int64) int64 {
	if a > unbounded-b {
		return unbounded
	}
	return a + b
}

func times(a, n int64) int64 {
	if n > 0 && a > unbounded/n {
		return unbounded
	}
	return a * n
}
