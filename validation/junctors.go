package validation

import (
	"strconv"
	"strings"
)

// junctors adds the errors of anyOf, oneOf, allOf and not, in this order
// (VAL-094). Errors in a branch are not ratcheted alone (RAT-020).
func (c *collector) junctors(j *junctorRule, value any) (matches int) {
	var either, one, all best
	if len(j.anyOf) > 0 {
		either = c.newBest()
		matches += either.anyOf(j.anyOf, value)
	}
	if len(j.oneOf) > 0 {
		one = c.newBest()
		matches += one.oneOf(j.oneOf, value)
	}
	if len(j.allOf) > 0 {
		all = c.newBest()
		matches += all.allOf(j.allOf, value)
	}
	if j.not != nil && c.passes(j.not, value) {
		c.general("VAL-093", strconv.Quote(c.path())+" must not validate the schema (not)")
	}
	for _, b := range [...]*best{&all, &one, &either} {
		for _, text := range b.repeated {
			c.general("VAL-100", text)
		}
	}
	return matches
}

// passes reports whether a value passes a branch.
func (c *collector) passes(branch *node, value any) bool {
	if !branch.repeats {
		return branch.valid(value, &c.watch)
	}
	end := len(c.errors)
	c.node(branch, value, nil)
	passed := len(c.errors) == end
	c.cut(end)
	return passed
}

// best runs the branches of a junctor. At the end of the collected errors it
// keeps those of the failing branch with the highest match count, the first of
// equals. Before them it reserves a place for the junctor's own error.
type best struct {
	c       *collector
	mark    int // where its errors start
	found   bool
	matches int // the match count of the best branch
	// repeated are the texts that the server reports again, whether or not
	// their branch counts (VAL-100).
	repeated []string
}

func (c *collector) newBest() best { return best{c: c, mark: len(c.errors)} }

// importantPrefix begins the texts that the server takes for marked ones. It
// reports them again without the prefix (VAL-100). Texts begin with paths, so
// the prefix must be the beginning of the name of a property at the top.
const importantPrefix = "IMPORTANT!"

// mayBeImportant reports whether a text about a place at or below a path may
// begin with the prefix.
func mayBeImportant(steps []step) bool {
	for i := range steps {
		s := &steps[i]
		if s.index >= 0 || s.additional {
			return false
		}
		if s.name != "" {
			return strings.HasPrefix(s.name, importantPrefix)
		}
	}
	return true
}

// remember keeps the texts with the prefix among the errors from a mark on.
func (b *best) remember(mark int) {
	if !mayBeImportant(b.c.steps) {
		return
	}
	for _, e := range b.c.errors[mark:] {
		if text, ok := strings.CutPrefix(e.text, importantPrefix); ok {
			b.repeated = append(b.repeated, text)
		}
	}
}

// anyOf stops at the first branch that passes. If no branch passes, the errors
// of the best branch follow the junctor's own (VAL-091).
func (b *best) anyOf(branches []*node, value any) (matches int) {
	own := b.reserve()
	for _, branch := range branches {
		if passed, count := b.try(branch, value); passed {
			b.c.cut(own)
			b.repeated = nil
			return count
		}
	}
	text := strconv.Quote(b.c.path()) + " must validate at least one schema (anyOf)"
	b.c.fill(own, "VAL-091", text)
	return b.matches
}

// oneOf runs all branches (VAL-092).
func (b *best) oneOf(branches []*node, value any) (matches int) {
	own := b.reserve()
	passed, passedCount := 0, 0
	for _, branch := range branches {
		if ok, count := b.try(branch, value); ok {
			b.repeated = nil
			passed++
			if passed == 1 {
				passedCount = count
			}
		}
	}
	const only = " must validate one and only one schema (oneOf). Found "
	switch passed {
	case 0:
		b.c.fill(own, "VAL-092", strconv.Quote(b.c.path())+only+"none valid")
		return b.matches
	case 1:
		b.c.cut(own)
		return passedCount
	default:
		text := strconv.Quote(b.c.path()) + only + strconv.Itoa(passed) + " valid alternatives"
		b.c.fill(own, "VAL-092", text)
		b.c.cut(own + 1)
		return 0
	}
}

// allOf adds the errors of all branches, then its own (VAL-090).
func (b *best) allOf(branches []*node, value any) (matches int) {
	failed := 0
	for _, branch := range branches {
		mark := len(b.c.errors)
		matches += b.c.node(branch, value, nil)
		if len(b.c.errors) > mark {
			failed++
			b.remember(mark)
		}
	}
	if failed > 0 {
		suffix := ""
		if failed == len(branches) {
			suffix = ". None validated"
		}
		text := strconv.Quote(b.c.path()) + " must validate all the schemas (allOf)" + suffix
		b.c.general("VAL-090", text)
	}
	return matches
}

// reserve keeps a place for the junctor's own error before those of the
// branches.
func (b *best) reserve() (own int) {
	own = b.c.reserve()
	b.mark = len(b.c.errors)
	return own
}

// try runs a branch.
func (b *best) try(branch *node, value any) (passed bool, matches int) {
	end := len(b.c.errors)
	matches = b.c.node(branch, value, nil)
	if len(b.c.errors) == end {
		return true, matches
	}
	b.remember(end)
	if b.found && matches <= b.matches {
		b.c.cut(end)
		return false, matches
	}
	b.c.watch.drop(b.c.errors[b.mark:end])
	kept := copy(b.c.errors[b.mark:], b.c.errors[end:])
	b.c.errors = b.c.errors[:b.mark+kept]
	b.found, b.matches = true, matches
	return false, matches
}
