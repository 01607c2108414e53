package upgrade

import (
	"slices"

	"github.com/crdsem/crdsem/structural"
)

// required compares the names that are required, each at its own path.
func (c *schemaComparison) required(old, changed *structural.Schema) {
	was, is := old.Values().Required, changed.Values().Required
	for _, name := range is {
		if !slices.Contains(was, name) {
			c.within(level{memberStep + name, old.Property(name), changed.Property(name)}, func() {
				c.restriction(difference{
					keyword: "required", new: name,
					refuses: c.refusesByRequired(name, old, changed), accepts: decided(false),
				})
			})
		}
	}
	for _, name := range was {
		if !slices.Contains(is, name) {
			c.within(level{memberStep + name, old.Property(name), changed.Property(name)}, func() {
				c.restriction(difference{
					keyword: "required", old: name, refuses: decided(false),
					accepts: c.refusesByRequired(name, changed, old),
				})
			})
		}
	}
}

// refusesByRequired answers for a name that only to requires.
func (c *schemaComparison) refusesByRequired(name string, from, to *structural.Schema) answer {
	least, most := c.judges.node(from).properties()
	switch {
	case to.Property(name).Default() != nil, c.isServers(name, from, to),
		from.Type() != "object" && from.Type() != "":
		return decided(false)
	case c.isFull(from, name):
		return decided(false)
	case valueOr(from.Values().MinProperties, 0) >= max(most, 1), least > most:
		return answer{hints: []any{removed{}}} // perhaps it is always there
	}
	return decided(true, removed{})
}

// isFull reports whether each value of a node has all fields that it may have,
// a certain one among them.
func (c *schemaComparison) isFull(s *structural.Schema, name string) bool {
	names := s.PropertyNames()
	return len(steps(c.levels)) > 1 && isPruning(s) && !s.EmbeddedResource() &&
		!isOfMetadata(c.levels) && !isOfMetadata(c.levels[:len(c.levels)-1]) &&
		slices.Contains(names, name) &&
		valueOr(s.Values().MinProperties, 0) >= int64(len(names))
}

// isServers reports whether every resource has a field: it is of the object
// itself or of an embedded resource.
func (c *schemaComparison) isServers(name string, from, to *structural.Schema) bool {
	isRoot := len(steps(c.levels)) == 0
	switch name {
	case "apiVersion", "kind":
		return isRoot || from.EmbeddedResource() && to.EmbeddedResource()
	case "metadata":
		return isRoot
	}
	return false
}

// nulls compares nullable. A null that is no value is dropped, or replaced with
// the default; in a list without a default it is refused.
func (c *schemaComparison) nulls(old, changed *node) {
	if old.Nullable() == changed.Nullable() {
		return
	}
	d := difference{
		keyword: "nullable", old: old.Nullable(), new: changed.Nullable(),
		refuses: refusesNull(old, changed), accepts: refusesNull(changed, old),
	}
	if !old.Nullable() && old.Default() == nil && c.isRequired(oldOf) {
		// A null was dropped and missing.
		d.refuses, d.accepts = decided(false), refusesNull(changed, old)
		c.restriction(d)
		return
	}
	isReplaced := old.Default() != nil && changed.Default() != nil
	if c.levels[len(c.levels)-1].step == itemStep && !isReplaced {
		c.restriction(d)
		return
	}
	isMissing := !changed.Nullable() && changed.Default() == nil && c.isRequired(newOf)
	d.refuses = decided(isMissing || changed.Nullable() && !changed.accepts(nil), nil)
	switch {
	case isMissing:
		c.missing(d)
		return
	case d.refuses.verdict == yes:
		c.refusal(d)
		return
	}
	d.refuses.hints = []any{nil}
	c.given = nullPair(old, changed)
	c.storing(d)
	c.given = nil
	if !isReplaced { // a null is a field, as the default is
		c.counts(d, countOf(!changed.Nullable()))
	}
}

// nullPair is what both definitions read of a null, nil if one of them reads a
// default with lists.
func nullPair(old, changed *node) *defaultPair {
	pair := pairOf(old.Schema, changed.Schema)
	switch {
	case pair == nil:
	case old.Nullable():
		pair.old = explicitNull{}
	default:
		pair.new = explicitNull{}
	}
	return pair
}

// refusesNull answers for null in a list.
func refusesNull(from, to *node) answer {
	return decided(from.accepts(nil) && !to.accepts(nil), nil)
}

// isRequired reports whether one of the definitions requires the node.
func (c *schemaComparison) isRequired(side func(*level) *structural.Schema) bool {
	last := len(c.levels) - 1
	name := c.levels[last].step[min(1, len(c.levels[last].step)):]
	return last > 0 && slices.Contains(side(&c.levels[last-1]).Values().Required, name)
}
