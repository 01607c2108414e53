package relang

import (
	"context"
	"math"
	"strings"
)

// Language is a set of strings. The zero value is that of all strings.
type Language struct {
	// Patterns are found in the strings. A pattern that does not compile is
	// found in no string.
	Patterns []string
	// MinLength and MaxLength bound the number of code points. Nil is no bound.
	MinLength, MaxLength *int64
}

// Outcome is what [Difference] finds.
type Outcome struct {
	// Decided is unset if the budget is spent, or the context has ended.
	Decided bool
	// Found is set if there is a string in the difference.
	Found bool
	// Word is a shortest string in the difference. It is empty if Long is set.
	Word string
	// Long is set for a string that is too long to be built.
	Long bool
}

// The bounds of a comparison.
const (
	maxSteps = 2_000_000
	maxWord  = 1 << 16
)

// Difference returns a shortest string of one language that is not one of
// another.
func Difference(ctx context.Context, in, notIn Language) Outcome {
	low, high := in.lengths()
	otherLow, otherHigh := notIn.lengths()
	c := begin(ctx)
	defer c.end()
	machines := c.compile(append(in.Patterns[:len(in.Patterns):len(in.Patterns)],
		notIn.Patterns...))
	include, exclude := machines[:len(in.Patterns)], machines[len(in.Patterns):]
	searches := []search{
		{c: c, include: include, low: low, high: min(high, otherLow-1)},
	}
	if otherHigh < math.MaxInt64 {
		searches = append(searches,
			search{c: c, include: include, low: max(low, otherHigh+1), high: high})
	}
	for _, machine := range exclude {
		searches = append(searches, search{
			c: c, include: include, exclude: machine,
			low: low, high: min(high, otherHigh),
		})
	}
	return shortest(searches)
}

// Shortest returns a shortest string of a language.
func Shortest(ctx context.Context, of Language) Outcome {
	c := begin(ctx)
	defer c.end()
	s := search{c: c, include: c.compile(of.Patterns)}
	s.low, s.high = of.lengths()
	return s.run()
}

// shortest returns the shortest string of all searches. It is undecided if one
// of them is, unless another one finds a string.
func shortest(searches []search) Outcome {
	best := Outcome{Decided: true}
	for i := range searches {
		found := searches[i].run()
		switch {
		case !found.Decided:
			best.Decided = best.Found
		case found.Found && (!best.Found || best.Long ||
			!found.Long && len(found.Word) < len(best.Word)):
			best = found
		}
	}
	return best
}

// lengths returns the bounds of the length.
func (l *Language) lengths() (low, high int64) {
	high = math.MaxInt64
	if l.MinLength != nil {
		low = max(0, *l.MinLength)
	}
	if l.MaxLength != nil {
		high = *l.MaxLength
	}
	return low, high
}

// search looks for the shortest string in which each included machine finds its
// pattern, and the excluded one, if any, does not.
type search struct {
	c         *comparison
	include   []*machine
	exclude   *machine
	low, high int64 // the length

	nodes []node
	ids   map[string]struct{}
	key   []byte
}

// node is a place that the search has reached: the states of the machines after
// some letters. Its predecessor is the place before the last letter.
type node struct {
	states      []int32
	length      int64
	predecessor int32
	letter      int32
}

func (s *search) run() Outcome {
	if s.low > s.high {
		return Outcome{Decided: true}
	}
	if len(s.include) == 0 && s.exclude == nil {
		return s.repeated()
	}
	if s.low > maxWord {
		return Outcome{}
	}
	s.ids = map[string]struct{}{}
	start := make([]int32, len(s.include), len(s.include)+1)
	if s.exclude != nil {
		start = append(start, 0)
	}
	s.reach(node{states: start, predecessor: -1})
	for at := int32(0); int(at) < len(s.nodes); at++ {
		n := s.nodes[at]
		accepted := n.length >= s.low && s.accepts(n.states)
		switch {
		case !s.c.goOn(1): // what the machines say is not reliable then
			return Outcome{}
		case accepted:
			return Outcome{Decided: true, Found: true, Word: s.word(at)}
		case n.length < s.high:
			s.expand(at)
		}
	}
	return Outcome{Decided: s.c.left > 0}
}

// repeated returns a string of the least length.
func (s *search) repeated() Outcome {
	if s.low > maxWord {
		return Outcome{Decided: true, Found: true, Long: true}
	}
	return Outcome{Decided: true, Found: true, Word: strings.Repeat("a", int(s.low))}
}

// reach adds a node, unless there is a shorter way to its states already. There
// are at most maxSteps states and lengths, whose numbers fit in three bytes.
func (s *search) reach(n node) {
	s.key = s.key[:0]
	for _, state := range n.states {
		s.key = append(s.key, byte(state), byte(state>>8), byte(state>>16))
	}
	length := min(n.length, s.low)
	s.key = append(s.key, byte(length), byte(length>>8), byte(length>>16))
	if _, ok := s.ids[string(s.key)]; ok {
		return
	}
	s.ids[string(s.key)] = struct{}{}
	s.nodes = append(s.nodes, n)
}

// expand reaches the nodes after each letter. It leaves out those from which no
// string is found.
func (s *search) expand(at int32) {
	from := s.nodes[at]
	for letter := range s.c.letters {
		states := make([]int32, len(from.states), cap(from.states))
		isDead := false
		for i, state := range from.states {
			machine := s.machine(i)
			states[i] = machine.step(state, letter)
			isDead = isDead || i < len(s.include) && states[i] == dead ||
				i == len(s.include) && states[i] == matched
		}
		if !isDead {
			s.reach(node{states, from.length + 1, at, int32(letter)})
		}
		if !s.c.goOn(len(states)) {
			return
		}
	}
}

func (s *search) machine(i int) *machine {
	if i < len(s.include) {
		return s.include[i]
	}
	return s.exclude
}

// accepts reports whether the string may end here.
func (s *search) accepts(states []int32) bool {
	for i, state := range states {
		if s.machine(i).acceptsAt(state) != (i < len(s.include)) {
			return false
		}
	}
	return true
}

// word returns the string that leads to a node.
func (s *search) word(at int32) string {
	word := make([]rune, s.nodes[at].length)
	for i := len(word) - 1; i >= 0; i-- {
		word[i] = s.c.letters[s.nodes[at].letter]
		at = s.nodes[at].predecessor
	}
	return string(word)
}
