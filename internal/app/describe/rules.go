package describe

import (
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/structural"
)

// readBy returns the rules above a field that read it, the nearest first.
func (f Field) readBy() (found []Field, rules [][]structural.Rule) {
	chain := ""
	for i := len(f.above) - 1; i >= 0 && !f.isPart; i-- {
		at := f.above[i]
		chain = "." + celsyntax.Name(f.Name) + chain
		var reading []structural.Rule
		for _, r := range at.Schema.Rules() {
			if Mentions(r.Rule, "self"+chain) {
				reading = append(reading, r)
			}
		}
		if len(reading) > 0 {
			found, rules = append(found, at), append(rules, reading)
		}
		f = at
	}
	return found, rules
}

// Mentions reports whether a rule has a selection, e.g. self.min, and not only
// a longer one.
func Mentions(rule, chain string) bool {
	for {
		_, rest, found := strings.Cut(rule, chain)
		if !found {
			return false
		}
		if rest == "" || !isWord(rest[0]) {
			return true
		}
		rule = rest
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// updates returns what the rules of a field say about updates.
func (f Field) updates() []string {
	var lines []string
	for _, r := range f.Schema.Rules() {
		switch {
		case !strings.Contains(r.Rule, "oldSelf"):
		case strings.Join(strings.Fields(r.Rule), "") == "self==oldSelf":
			lines = append(lines, "cannot be changed"+f.unless())
		case r.Message != "":
			lines = append(lines, r.Message)
		default:
			lines = append(lines, "must keep "+oneLine(r.Rule))
		}
	}
	return lines
}

// unless says how a value that a rule keeps can be changed nevertheless: the
// rule does not run if the field, or an object around it, is removed.
func (f Field) unless() string {
	var names []string // from the field up to what can be removed
	way := append(slices.Clip(f.above), f)
	for i := len(way) - 1; i > 0; i-- {
		at, around := way[i], way[i-1]
		if at.isPart {
			return ""
		}
		names = append(names, celsyntax.Name(at.Name))
		for _, r := range around.Schema.Rules() {
			isKept := strings.Join(strings.Fields(r.Rule), "") == "self==oldSelf"
			if isKept || Mentions(r.Rule, "oldSelf."+names[len(names)-1]) {
				return ""
			}
		}
		switch {
		case at.Required || at.Schema.Default() != nil:
		case i == len(way)-1:
			return " while it is there; it can be removed, and set anew"
		default:
			return " while it is there; " + at.Path + " can be removed, and set anew"
		}
	}
	return ""
}

// place returns the path of a field, or words for the root.
func (f Field) place() string {
	if f.Path == "" {
		return "the object"
	}
	return f.Path
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
