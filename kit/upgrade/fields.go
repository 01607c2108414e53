package upgrade

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/structural"
)

// isMetadata reports whether the node is the metadata of an object or of an
// embedded resource, whose fields the server keeps without a schema.
func (c *schemaComparison) isMetadata(side func(*level) *structural.Schema) bool {
	return isMetadataOf(c.levels, side)
}

func isMetadataOf(levels []level, side func(*level) *structural.Schema) bool {
	last := len(levels) - 1
	return last > 0 && levels[last].step == memberStep+"metadata" &&
		(last == 1 || side(&levels[last-1]).EmbeddedResource())
}

// isOfMetadata reports whether the last level is such metadata in one of the
// definitions.
func isOfMetadata(levels []level) bool {
	return isMetadataOf(levels, oldOf) || isMetadataOf(levels, newOf)
}

// flags compares the extensions that switch pruning and the validation of
// embedded resources.
func (c *schemaComparison) flags(old, changed *structural.Schema) {
	if a, b := old.PreservesUnknownFields(), changed.PreservesUnknownFields(); a != b {
		d := difference{keyword: "x-kubernetes-preserve-unknown-fields", old: a, new: b}
		d.refuses.hints = []any{unknownField{}}
		if b && isOpen(old) || a && isOpen(changed) {
			c.add(d.change(NoEffect))
		} else {
			c.unknownFields(d, countOf(a))
		}
	}
	if a, b := old.EmbeddedResource(), changed.EmbeddedResource(); a != b {
		hints := []any{map[string]any{}, map[string]any{"apiVersion": "x", "kind": "y"}}
		d := difference{keyword: embeddedKeyword, old: a, new: b,
			refuses: decided(b, hints...), accepts: decided(a, hints...)}
		c.restriction(d)
		if a && isPruning(changed) {
			c.unknownFields(d, fewerFields)
		}
	}
}

// unknownFields adds the change that fields of the node are kept or removed
// that it does not declare.
func (c *schemaComparison) unknownFields(d difference, count fieldCount) {
	c.add(d.change(ChangesStorage)).target.hints = d.refuses.hints
	if count == moreFields {
		return // no object has them
	}
	last, by := c.levels[len(c.levels)-1], ""
	c.onlyPrunes = true
	c.within(level{valueStep, last.old.AdditionalSchema(), last.new.AdditionalSchema()}, func() {
		by = c.meets()
	})
	c.onlyPrunes = false
	if by = cmp.Or(by, count.bound(last.new, "")); by != "" {
		c.indirect(d, by)
	}
}

// isOpen reports whether a node prunes no field even without the flag.
func isOpen(s *structural.Schema) bool {
	a := s.AdditionalProperties()
	return a != nil && a.Schema == nil
}

// properties compares the properties of two objects. A field that one side does
// not know is pruned there, unless unknown fields are preserved.
func (c *schemaComparison) properties(old, changed *structural.Schema) {
	all := map[string]bool{}
	for _, name := range slices.Concat(old.PropertyNames(), changed.PropertyNames()) {
		all[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, is := old.Property(name), changed.Property(name)
		step := memberStep + name
		switch {
		case was != nil && is != nil:
			c.node(step, was, is)
		case c.isServers(name, old, changed):
		case was != nil && changed.AdditionalSchema() != nil:
			c.node(step, was, changed.AdditionalSchema())
		case is != nil && old.AdditionalSchema() != nil:
			c.node(step, old.AdditionalSchema(), is)
		default:
			c.within(level{step, was, is}, func() { c.field(old, changed) })
		}
	}
}

// field adds the change of a field that only one side knows.
func (c *schemaComparison) field(oldParent, newParent *structural.Schema) {
	last := c.levels[len(c.levels)-1]
	d := difference{keyword: "properties"}
	d.refuses.hints = []any{removed{}}
	if isOfMetadata(c.levels[:len(c.levels)-1]) { // the server keeps it, perhaps
		d.old, d.new = typeOf(last.old), typeOf(last.new)
		d.refuses, d.accepts = answer{verdict: no}, answer{verdict: no}
		if last.new != nil {
			d.refuses = answer{hints: wrongValues(last.new)}
		} else {
			d.accepts = answer{hints: wrongValues(last.old)}
		}
		c.restriction(d)
		return
	}
	if last.new != nil {
		d.new = typeOf(last.new)
		if !isPruning(oldParent) { // it was kept, and is checked
			d.refuses, d.accepts = decided(true, wrongValues(last.new)...), decided(false)
			c.restriction(d)
			c.newDefault(d)
			return
		}
		if c.isRequired(oldOf) { // it was pruned and missing
			d.refuses, d.accepts = decided(false), decided(true, wrongValues(last.new)...)
			c.restriction(d)
			return
		}
		c.add(d.change(ChangesStorage))
		c.newDefault(d)
		return
	}
	d.old = typeOf(last.old)
	switch {
	case !isPruning(newParent):
		d.refuses, d.accepts = decided(false), decided(true, wrongValues(last.old)...)
		c.restriction(d)
	case c.isRequired(newOf): // and pruned
		d.refuses.verdict = yes
		c.missing(d)
	default:
		c.storing(d)
		c.counts(d, fewerFields)
	}
}

// newDefault adds the changes that a field is filled in that objects lacked.
func (c *schemaComparison) newDefault(d difference) {
	last := c.levels[len(c.levels)-1]
	if last.new.Default() == nil {
		return
	}
	d.refuses.hints = []any{removed{}}
	c.given = pairOf(nil, last.new)
	by := c.meets()
	if c.given = nil; by != "" {
		c.indirect(d, by)
	}
	c.uncheckedDefault(d)
	c.counts(d, moreFields)
}

// wrongValues returns values of which a schema refuses some, if any.
func wrongValues(*structural.Schema) []any {
	return []any{"text", int64(1), 1.5, true, map[string]any{}, []any{}}
}

// additional compares the values of maps.
func (c *schemaComparison) additional(old, changed *structural.Schema) {
	a, b := old.AdditionalProperties(), changed.AdditionalProperties()
	was, is := old.AdditionalSchema(), changed.AdditionalSchema()
	if was != nil && is != nil {
		c.node(valueStep, was, is)
		return
	}
	if a == nil && b == nil || a != nil && b != nil && was == nil && is == nil &&
		a.Allows == b.Allows {
		return
	}
	isMetadata := isOfMetadata(c.levels)
	c.within(level{valueStep, was, is}, func() {
		d := difference{keyword: "additionalProperties", old: additionalOf(a), new: additionalOf(b)}
		if isMetadata { // the server keeps some fields, whatever the schema says
			c.restriction(d) // open: which ones is not compared
			return
		}
		c.undeclared(d, old, changed)
	})
}

// undeclared adds the change of the fields that a node does not declare.
func (c *schemaComparison) undeclared(d difference, old, changed *structural.Schema) {
	was, is := old.AdditionalSchema(), changed.AdditionalSchema()
	keptOld, keptNew := keeps(old), keeps(changed)
	switch {
	case forbids(old) || forbids(changed):
		d.refuses = decided(keptOld && !forbids(old) && forbids(changed), unknownField{})
		d.accepts = decided(!forbids(changed), unknownField{})
		c.restriction(d)
	case keptOld && keptNew:
		d.refuses, d.accepts = decided(is != nil, wrongValues(is)...),
			decided(was != nil, wrongValues(was)...)
		c.restriction(d)
		if was != nil && is == nil { // a null was dropped, and is kept
			c.counts(d, moreFields)
		}
	case keptOld:
		c.storing(d)
		c.counts(d, fewerFields)
	default: // no object has them
		c.add(d.change(ChangesStorage))
	}
}

// keeps reports whether a node keeps the fields that it does not declare.
func keeps(s *structural.Schema) bool {
	a := s.AdditionalProperties()
	return s.PreservesUnknownFields() || a != nil && (a.Schema != nil || a.Allows)
}

// forbids reports whether a node refuses the fields that it does not declare.
func forbids(s *structural.Schema) bool {
	a := s.AdditionalProperties()
	return a != nil && a.Schema == nil && !a.Allows
}

func additionalOf(a *structural.AdditionalProperties) any {
	switch {
	case a == nil:
		return nil
	case a.Schema != nil:
		return typeOf(a.Schema)
	}
	return a.Allows
}
