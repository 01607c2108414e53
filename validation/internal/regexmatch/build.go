package regexmatch

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
)

// maxProgram is the length of the longest program that becomes an automaton.
// Together with maxStates it bounds the work.
const maxProgram = 400

// builder makes an automaton from a program of regexp/syntax, by following all
// its threads at once (the subset construction).
type builder struct {
	prog *syntax.Prog
	out  *automaton
	// sets are the threads of each state, without dead and matched: the
	// instructions that wait for a character or for the end.
	sets [][]uint32
	ids  map[string]state

	set     []uint32 // the threads that are being collected
	visited []uint32 // by instruction: the last round that visited it
	round   uint32
	found   bool // the round reached a match
	bytes   [ascii]byte
}

// position is what holds at a place in the string: it is at the beginning, or
// at the end.
type position struct{ begin, end bool }

// newAutomaton returns the automaton of a program. It returns nil for a program
// that has no automaton, or too large a one.
func newAutomaton(prog *syntax.Prog) *automaton {
	if len(prog.Inst) > maxProgram || !supported(prog) {
		return nil
	}
	b := &builder{
		prog:    prog,
		out:     &automaton{},
		ids:     map[string]state{},
		visited: make([]uint32, len(prog.Inst)),
	}
	b.classify()
	b.collect(nil, position{begin: true})
	if b.found {
		return nil // matches every string: nothing to gain
	}
	b.add(position{begin: true})
	for id := start; int(id) < int(start)+len(b.sets); id++ {
		if !b.expand(id) {
			return nil
		}
	}
	return b.finish()
}

// supported reports whether the only assertions are the beginning and the end
// of the text.
func supported(prog *syntax.Prog) bool {
	const known = syntax.EmptyBeginText | syntax.EmptyEndText
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^known != 0 {
			return false
		}
	}
	return true
}

// classify puts characters into one class if no instruction distinguishes them.
func (b *builder) classify() {
	var first [ascii + 1]bool // a class begins here
	first[0] = true
	mark := func(low, high rune) {
		if low < ascii {
			first[low] = true
		}
		if high < ascii {
			first[high+1] = true
		}
	}
	for i := range b.prog.Inst {
		markRunes(&b.prog.Inst[i], mark)
	}
	class := -1
	for c := range ascii {
		if first[c] {
			class++
			b.bytes[class] = byte(c)
		}
		b.out.classes[c] = uint8(class)
	}
	b.out.width = class + 1
}

func markRunes(inst *syntax.Inst, mark func(low, high rune)) {
	switch inst.Op {
	case syntax.InstRuneAnyNotNL:
		mark('\n', '\n')
	case syntax.InstRune, syntax.InstRune1:
		if len(inst.Rune) == 1 {
			r := inst.Rune[0]
			mark(r, r)
			for folded := unicode.SimpleFold(r); folded != r; folded = unicode.SimpleFold(folded) {
				mark(folded, folded)
			}
			return
		}
		for i := 0; i+1 < len(inst.Rune); i += 2 {
			mark(inst.Rune[i], inst.Rune[i+1])
		}
	}
}

// collect collects the threads after the given instructions took a character.
// It adds a thread from the start of the program, because a match may begin
// anywhere.
func (b *builder) collect(taken []uint32, at position) {
	b.round++
	b.set, b.found = b.set[:0], false
	for _, pc := range taken {
		b.follow(b.prog.Inst[pc].Out, at)
	}
	b.follow(uint32(b.prog.Start), at)
	slices.Sort(b.set)
}

// follow follows a thread from an instruction to those that wait for a
// character or for the end.
func (b *builder) follow(pc uint32, at position) {
	if b.visited[pc] == b.round {
		return
	}
	b.visited[pc] = b.round
	inst := &b.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		b.follow(inst.Out, at)
		b.follow(inst.Arg, at)
	case syntax.InstCapture, syntax.InstNop:
		b.follow(inst.Out, at)
	case syntax.InstMatch:
		b.found = true
	case syntax.InstEmptyWidth:
		b.followCondition(pc, at)
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		b.set = append(b.set, pc)
	}
}

// followCondition follows a thread through an assertion. A thread that needs
// the end waits for it.
func (b *builder) followCondition(pc uint32, at position) {
	inst := &b.prog.Inst[pc]
	needs := syntax.EmptyOp(inst.Arg)
	switch {
	case needs&syntax.EmptyBeginText != 0 && !at.begin:
	case needs&syntax.EmptyEndText != 0 && !at.end:
		b.set = append(b.set, pc)
	default:
		b.follow(inst.Out, at)
	}
}

// add makes a state from the collected threads.
func (b *builder) add(at position) {
	set := slices.Clone(b.set)
	b.sets = append(b.sets, set)
	b.round++
	b.found = false
	for _, pc := range set {
		if b.prog.Inst[pc].Op == syntax.InstEmptyWidth {
			b.follow(pc, position{begin: at.begin, end: true})
		}
	}
	b.out.atEnd = append(b.out.atEnd, b.found)
}

// expand fills in the next states of a state. It reports false if there are too
// many.
func (b *builder) expand(id state) bool {
	set := b.sets[id-start]
	taken := make([]uint32, 0, len(set))
	for class := range b.out.width {
		taken = taken[:0]
		for _, pc := range set {
			inst := &b.prog.Inst[pc]
			if inst.Op != syntax.InstEmptyWidth && inst.MatchRune(rune(b.bytes[class])) {
				taken = append(taken, pc)
			}
		}
		b.collect(taken, position{})
		to, ok := b.stateOf()
		if !ok {
			return false
		}
		b.out.next = append(b.out.next, to)
	}
	return true
}

// stateOf returns the state of the collected threads. It reports false if there
// are too many states.
func (b *builder) stateOf() (to state, ok bool) {
	switch {
	case b.found:
		return matched, true
	case len(b.set) == 0:
		return dead, true
	}
	key := make([]byte, 0, 2*len(b.set))
	for _, pc := range b.set {
		key = binary.LittleEndian.AppendUint16(key, uint16(pc)) // maxProgram fits
	}
	if to, ok = b.ids[string(key)]; ok {
		return to, true
	}
	to = start + state(len(b.sets))
	if to >= maxStates {
		return dead, false
	}
	b.ids[string(key)] = to
	b.add(position{})
	return to, true
}

// finish puts rows in front for the two states that have none.
func (b *builder) finish() *automaton {
	b.out.next = slices.Concat(make([]state, int(start)*b.out.width), b.out.next)
	b.out.atEnd = slices.Concat(make([]bool, start), b.out.atEnd)
	return b.out
}
