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
	// What parses compiles, so this does not panic.
	p := &Pattern{
		general: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) }),
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err == nil {
		p.automaton = newAutomaton(prog)
	}
	return p, nil
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
