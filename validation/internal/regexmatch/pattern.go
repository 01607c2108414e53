package regexmatch

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// Pattern is a compiled regular expression. It is immutable and safe for
// concurrent use.
type Pattern struct {
	automaton *automaton // nil: the pattern is not a usual one
	size      int
	// general returns Go's own, which is compiled when first needed.
	general func() *regexp.Regexp
}

// Compile compiles a regular expression of Go's syntax. Its error is that of
// regexp.Compile.
func Compile(text string) (*Pattern, error) {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	// What parses compiles.
	prog, _ := syntax.Compile(parsed.Simplify())
	automaton := newAutomaton(prog)
	return &Pattern{
		automaton: automaton,
		size:      automaton.size() + sizeOf(prog),
		general:   sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) }),
	}, nil
}

// Size returns about how many bytes of memory the pattern takes once it has
// matched strings of all kinds. A text of 8 bytes, e.g. `a{1000}`, can take
// 100 KB.
func (p *Pattern) Size() int { return p.size }

// sizeOf returns about how many bytes Go's regexp takes with a program.
func sizeOf(prog *syntax.Prog) int {
	const fixed, perInstruction, perRune = 1024, 100, 4
	size := fixed + perInstruction*len(prog.Inst)
	seen := map[*rune]bool{} // instructions share the runes of a class
	for i := range prog.Inst {
		if runes := prog.Inst[i].Rune; len(runes) > 0 && !seen[&runes[0]] {
			seen[&runes[0]] = true
			size += perRune * len(runes)
		}
	}
	return size
}

// MatchString reports whether the pattern is found in a string.
func (p *Pattern) MatchString(s string) bool {
	if p.automaton != nil {
		if matched, decided := p.automaton.match(s); decided {
			return matched
		}
	}
	return p.general().MatchString(s)
}
