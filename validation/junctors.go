package validation

import "strconv"

// junctors adds the errors of anyOf, oneOf, allOf and not, in this order (VAL-094), and returns the match counts of the branches that
// count. Nothing in a branch is ratcheted by itself (RAT-020).
func (c *collector) junctors(j *junctorRule, value any) (matched int) {
	if len(j.anyOf) > 0 {
		matched += c.anyOf(j.anyOf, value)
	}
	if len(j.oneOf) > 0 {
		matched += c.oneOf(j.oneOf, value)
	}
	if len(j.allOf) > 0 {
		matched += c.allOf(j.allOf, value)
	}
	if j.not != nil && j.not.valid(value) {
		c.general(strconv.Quote(c.path()) + " must not validate the schema (not)")
	}
	return matched
}

// anyOf stops at the first branch that passes; if none does, the best branch's errors follow the junctor's own (VAL-091).
func (c *collector) anyOf(branches []*node, value any) (matched int) {
	mark := c.reserve()
	best := c.newBest()
	for _, branch := range branches {
		if passed, count := best.try(branch, value); passed {
			c.errors = c.errors[:mark]
			return count
		}
	}
	c.fill(mark, strconv.Quote(c.path())+" must validate at least one schema (anyOf)")
	return best.matched
}

// oneOf runs all branches (VAL-092).
func (c *collector) oneOf(branches []*node, value any) (matched int) {
	mark := c.reserve()
	best := c.newBest()
	passed, passedCount := 0, 0
	for _, branch := range branches {
		if ok, count := best.try(branch, value); ok {
			passed++
			if passed == 1 {
				passedCount = count
			}
		}
	}
	const only = " must validate one and only one schema (oneOf). Found "
	switch passed {
	case 0:
		c.fill(mark, strconv.Quote(c.path())+only+"none valid")
		return best.matched
	case 1:
		c.errors = c.errors[:mark]
		return passedCount
	default:
		c.fill(mark, strconv.Quote(c.path())+only+strconv.Itoa(passed)+" valid alternatives")
		c.errors = c.errors[:mark+1]
		return 0
	}
}

// allOf adds the errors of all branches, then its own (VAL-090).
func (c *collector) allOf(branches []*node, value any) (matched int) {
	failed := 0
	for _, branch := range branches {
		mark := len(c.errors)
		matched += c.node(branch, value, nil)
		if len(c.errors) > mark {
			failed++
		}
	}
	if failed > 0 {
		suffix := ""
		if failed == len(branches) {
			suffix = ". None validated"
		}
		c.general(strconv.Quote(c.path()) + " must validate all the schemas (allOf)" + suffix)
	}
	return matched
}

// best keeps, at the end of the collected errors, those of the failing branch with the highest match count, the first of equals.
type best struct {
	c       *collector
	mark    int // where its errors start
	found   bool
	matched int
}

func (c *collector) newBest() best { return best{c: c, mark: len(c.errors)} }

// try runs a branch.
func (b *best) try(branch *node, value any) (passed bool, matched int) {
	end := len(b.c.errors)
	matched = b.c.node(branch, value, nil)
	switch {
	case len(b.c.errors) == end:
		return true, matched
	case b.found && matched <= b.matched:
		b.c.errors = b.c.errors[:end]
	default:
		kept := copy(b.c.errors[b.mark:], b.c.errors[end:])
		b.c.errors = b.c.errors[:b.mark+kept]
		b.found, b.matched = true, matched
	}
	return false, matched
}
