package regexmatch

// automaton is a deterministic automaton over ASCII.
type automaton struct {
	classes [ascii]uint8
	width   int     // number of classes
	next    []state // by state and class
	atEnd   []bool  // by state: the string may end here
}

// state is the number of a state.
type state uint8

const (
	dead    state = iota // no match is possible any more
	matched              // a match has been found
	start

	ascii     = 128
	maxStates = 250
)

func (a *automaton) size() int {
	if a == nil {
		return 0
	}
	return ascii + len(a.next) + len(a.atEnd)
}

// match runs the automaton. It reports decided = false for a string with a
// character outside ASCII, unless it knows the result before it meets that
// character.
func (a *automaton) match(s string) (found, decided bool) {
	at := start
	for i := range len(s) {
		c := s[i]
		if c >= ascii {
			return false, false
		}
		at = a.next[int(at)*a.width+int(a.classes[c])]
		if at <= matched {
			return at == matched, true
		}
	}
	return a.atEnd[at], true
}
