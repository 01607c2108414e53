package validation

import "fmt"

// number is a number in the forms that both kinds of comparison need.
type number struct {
	isInt   bool
	integer int64
	float   float64
}

func numberOf(value any) number {
	if i, ok := value.(int64); ok {
		return number{true, i, float64(i)}
	}
	f, _ := value.(float64)
	return number{float: f}
}

// against returns the number and the value of a bound as they are compared and
// shown. They are integers only if the number is an integer and the bound is in
// range.
func (n number) against(b *bound) (value, limit any, asInt bool) {
	if n.isInt && b.inRange {
		return n.integer, b.integer, true
	}
	return n.float, b.float, false
}

// numbers adds the errors of a number in the order of VAL-050.
func (c *collector) numbers(r *numberRule, value any) {
	n := numberOf(value)
	if n.isInt && !r.width.holdsInt(n.integer) || !n.isInt && !r.width.holdsFloat(n.float) {
		c.outOfRange("VAL-054", "Checked", r)
	}
	if b := &r.multiple; b.present {
		c.boundRange("MultipleOf", b, r)
		c.multiple(n, r)
	}
	if b := &r.minimum; b.present {
		c.boundRange("Minimum boundary", b, r)
		c.minimum(n, b)
	}
	if b := &r.maximum; b.present {
		c.boundRange("Maximum boundary", b, r)
		c.maximum(n, b)
	}
}

// boundRange reports a bound that is not a value of the node's type (VAL-052).
func (c *collector) boundRange(what string, b *bound, r *numberRule) {
	if !b.inRange {
		c.outOfRange("VAL-052", what, r)
	}
}

func (c *collector) outOfRange(rule, what string, r *numberRule) {
	c.general(rule, what+" value must be of type "+r.typeText+" in "+c.path())
}

func (c *collector) multiple(n number, r *numberRule) {
	b := &r.multiple
	value, factor, asInt := n.against(b)
	path := c.path()
	switch {
	case asInt && b.integer <= 0, !asInt && b.float <= 0:
		text := fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", path, factor)
		c.invalid("VAL-053", path, factor, text)
	case asInt && n.integer%b.integer != 0, !asInt && !r.divides(b.float, n.float):
		text := fmt.Sprintf("%s in body should be a multiple of %v", path, factor)
		c.invalid("VAL-053", path, value, text)
	}
}

func (c *collector) minimum(n number, b *bound) {
	value, limit, asInt := n.against(b)
	less, equal := n.float < b.float, n.float == b.float
	if asInt {
		less, equal = n.integer < b.integer, n.integer == b.integer
	}
	switch {
	case b.exclusive && (less || equal):
		c.bounded(b.rule(asInt), value, "greater than", limit)
	case less:
		c.bounded(b.rule(asInt), value, "greater than or equal to", limit)
	}
}

func (c *collector) maximum(n number, b *bound) {
	value, limit, asInt := n.against(b)
	greater, equal := n.float > b.float, n.float == b.float
	if asInt {
		greater, equal = n.integer > b.integer, n.integer == b.integer
	}
	switch {
	case b.exclusive && (greater || equal):
		c.bounded(b.rule(asInt), value, "less than", limit)
	case greater:
		c.bounded(b.rule(asInt), value, "less than or equal to", limit)
	}
}

// rule returns the rule of a value beyond the bound.
func (b *bound) rule(asInt bool) string {
	if asInt && float64(b.integer) != b.float {
		return "VAL-051"
	}
	return "VAL-050"
}

func (c *collector) bounded(rule string, value any, relation string, limit any) {
	path := c.path()
	c.invalid(rule, path, value, fmt.Sprintf("%s in body should be %s %v", path, relation, limit))
}
