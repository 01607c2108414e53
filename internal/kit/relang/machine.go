package relang

import (
	"regexp/syntax"
	"slices"
)

// machine is the deterministic automaton of one pattern: it follows all threads
// of the pattern's program at once.
type machine struct {
	c     *comparison
	prog  *syntax.Prog   // nil for a pattern that does not compile
	needs syntax.EmptyOp // the operators that the program has
	sets  []int          // by instruction
	// isAnchored is set if the pattern is found at the beginning only.
	isAnchored bool

	states []state
	ids    map[string]int32

	visited []int // by instruction: the last round that visited it
	round   int
	waiting []uint32 // instructions that wait for a character
	stack   []uint32
}

// state is the program's threads at a place, before the operators of the place
// are applied, and what is before it.
type state struct {
	threads  []uint32
	before   rune // a kind, or -1 at the beginning
	next     []int32
	atEnd    bool
	endKnown bool
}

// States of every machine. The state 0 is the beginning.
const (
	dead    = int32(-1) // no match is possible any more
	matched = int32(-2) // the pattern is found
	unknown = int32(-3) // the next state is not built
)

// Size returns how many instructions the program of a pattern has. That of a
// pattern that does not compile has none.
func Size(pattern string) int {
	if prog := compiled(pattern); prog != nil {
		return len(prog.Inst)
	}
	return 0
}

func compiled(pattern string) *syntax.Prog {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, _ := syntax.Compile(parsed.Simplify()) // what parses compiles
	return prog
}

func newMachine(c *comparison, pattern string) *machine {
	m := &machine{c: c, ids: map[string]int32{}, prog: compiled(pattern)}
	if m.prog == nil {
		return m
	}
	m.isAnchored = m.prog.StartCond()&syntax.EmptyBeginText != 0
	m.visited, m.sets = make([]int, len(m.prog.Inst)), make([]int, len(m.prog.Inst))
	for i := range m.prog.Inst {
		switch inst := &m.prog.Inst[i]; inst.Op {
		case syntax.InstEmptyWidth:
			m.needs |= syntax.EmptyOp(inst.Arg)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			m.sets[i] = c.set(inst)
		}
	}
	m.state([]uint32{uint32(m.prog.Start)}, -1)
	return m
}

// state returns the number of a state.
func (m *machine) state(threads []uint32, before rune) int32 {
	if len(threads) == 0 {
		return dead
	}
	slices.Sort(threads)
	name := make([]byte, 0, 4*len(threads)+1)
	for _, t := range threads {
		name = append(name, byte(t), byte(t>>8), byte(t>>16))
	}
	name = append(name, byte(before))
	id, ok := m.ids[string(name)]
	if !ok {
		id = int32(len(m.states))
		m.ids[string(name)] = id
		m.states = append(m.states, state{threads: slices.Clone(threads), before: before})
	}
	return id
}

// step returns the state after a letter.
func (m *machine) step(from int32, letter int) int32 {
	switch {
	case m.prog == nil:
		return dead
	case from < 0:
		return from
	}
	s := &m.states[from]
	if s.next == nil {
		s.next = slices.Repeat([]int32{unknown}, len(m.c.letters))
	}
	next := s.next // s moves when a state is built
	if next[letter] == unknown {
		next[letter] = m.build(from, letter)
	}
	return next[letter]
}

func (m *machine) build(from int32, letter int) int32 {
	s := &m.states[from]
	r := m.c.letters[letter]
	if m.follow(s, r) {
		return matched
	}
	var threads []uint32
	m.round++
	add := func(pc uint32) {
		if m.visited[pc] != m.round {
			m.visited[pc] = m.round
			threads = append(threads, pc)
		}
	}
	for _, pc := range m.waiting {
		if m.c.has[letter][m.sets[pc]] {
			add(m.prog.Inst[pc].Out)
		}
	}
	if !m.isAnchored {
		add(uint32(m.prog.Start))
	}
	return m.state(threads, kindOf(r, m.needs))
}

// follow follows the threads of a state up to the instructions that wait for a
// character. It reports whether the pattern is found. The next character is -1
// at the end.
func (m *machine) follow(s *state, next rune) bool {
	flags := syntax.EmptyOpContext(s.before, next)
	m.round++
	m.waiting = m.waiting[:0]
	m.stack = append(m.stack[:0], s.threads...)
	for len(m.stack) > 0 {
		if !m.c.goOn(1) {
			return false
		}
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if m.visited[pc] == m.round {
			continue
		}
		m.visited[pc] = m.round
		switch inst := &m.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			m.stack = append(m.stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^flags == 0 {
				m.stack = append(m.stack, inst.Out)
			}
		case syntax.InstMatch:
			return true
		case syntax.InstFail:
		default:
			m.waiting = append(m.waiting, pc)
		}
	}
	return false
}

// acceptsAt reports whether the pattern is found if the string ends at a state.
func (m *machine) acceptsAt(at int32) bool {
	if m.prog == nil || at < 0 {
		return at == matched
	}
	s := &m.states[at]
	if !s.endKnown {
		s.atEnd, s.endKnown = m.follow(s, -1), true
	}
	return s.atEnd
}
