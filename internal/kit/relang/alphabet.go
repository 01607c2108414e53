package relang

import (
	"context"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// comparison has what the machines of one comparison share.
type comparison struct {
	ctx  context.Context
	left int // steps

	budget *Budget // nil without one
	given  int     // steps, at the beginning
	// letters has a character of each letter.
	letters []rune
	// sets are the distinct sets of characters that instructions match.
	sets  []*syntax.Inst
	names map[string]int
	// has reports whether a set has a letter, by letter and set.
	has [][]bool
}

// goOn reports whether there are steps left, and takes some.
func (c *comparison) goOn(steps int) bool {
	const interval = 1024
	before := c.left
	c.left -= steps
	if before/interval != c.left/interval && c.ctx.Err() != nil {
		c.left = 0
	}
	return c.left > 0
}

// compile returns the machines of patterns. All of them are compiled together,
// so that they have the same letters.
func (c *comparison) compile(patterns []string) []*machine {
	machines := make([]*machine, len(patterns))
	c.names = map[string]int{}
	for i, pattern := range patterns {
		machines[i] = newMachine(c, pattern)
	}
	var needs syntax.EmptyOp
	for _, m := range machines {
		needs |= m.needs
	}
	c.divide(needs)
	return machines
}

// set returns the number of the set of characters that an instruction matches.
func (c *comparison) set(inst *syntax.Inst) int {
	name := string(rune(inst.Op)) + string(rune(inst.Arg)) + string(inst.Rune)
	id, ok := c.names[name]
	if !ok {
		id = len(c.sets)
		c.names[name] = id
		c.sets = append(c.sets, inst)
	}
	return id
}

// The operators that depend on the characters next to a place.
const (
	lineOps = syntax.EmptyBeginLine | syntax.EmptyEndLine
	wordOps = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
)

// divide divides all characters into letters: characters that are in the same
// sets, and alike for the operators that are needed.
func (c *comparison) divide(needs syntax.EmptyOp) {
	ids := map[string]int{}
	for _, candidate := range c.boundaries() {
		if !c.goOn(len(c.sets)) {
			return
		}
		if !utf8.ValidRune(candidate) {
			continue
		}
		row, name := make([]bool, len(c.sets)), []byte{byte(kindOf(candidate, needs))}
		for i, set := range c.sets {
			row[i] = set.MatchRune(candidate)
			name = append(name, '0')
			if row[i] {
				name[len(name)-1] = '1'
			}
		}
		id, ok := ids[string(name)]
		if !ok {
			ids[string(name)] = len(c.letters)
			c.letters, c.has = append(c.letters, candidate), append(c.has, row)
		} else if rank(candidate) < rank(c.letters[id]) {
			c.letters[id] = candidate
		}
	}
}

// boundaries returns where intervals begin that no set divides. Some of them
// are not characters: those of the surrogates, and the end of all.
func (c *comparison) boundaries() []rune {
	starts := []rune{0}
	mark := func(low, high rune) { starts = append(starts, low, high+1) }
	for _, r := range ranks {
		mark(r.low, r.high)
	}
	mark('\n', '\n')
	mark('_', '_')
	for _, set := range c.sets {
		if len(set.Rune) == 1 {
			mark(set.Rune[0], set.Rune[0])
			for r := unicode.SimpleFold(set.Rune[0]); r != set.Rune[0]; r = unicode.SimpleFold(r) {
				mark(r, r)
			}
		}
		for i := 0; i+1 < len(set.Rune); i += 2 {
			mark(set.Rune[i], set.Rune[i+1])
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// interval is a range of characters.
type interval struct{ low, high rune }

// ranks are the intervals whose characters are best shown, the best first.
var ranks = []interval{
	{'a', 'z'}, {'0', '9'}, {'A', 'Z'}, {'!', '~'}, {' ', ' '},
	{0xA1, 0xD7FF}, {0xE000, unicode.MaxRune},
}

func rank(r rune) int {
	for i, best := range ranks {
		if best.low <= r && r <= best.high {
			return i
		}
	}
	return len(ranks)
}

// kindOf returns a character that stands for all that are like the given one to
// the operators that are needed.
func kindOf(r rune, needs syntax.EmptyOp) rune {
	const (
		word  = 'a'
		other = ' '
	)
	switch {
	case r == '\n' && needs&lineOps != 0:
		return '\n'
	case syntax.IsWordChar(r) && needs&wordOps != 0:
		return word
	}
	return other
}
