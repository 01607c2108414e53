package upgrade

import (
	"slices"
	"strings"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// defaults compares the defaults. A field that was filled in and is required
// may be missing.
func (c *schemaComparison) defaults(old, changed *node) {
	if isSameDefault(old, changed) {
		return
	}
	d := difference{keyword: "default", old: old.Default(), new: changed.Default()}
	step := c.levels[len(c.levels)-1].step
	if (step == itemStep || step == valueStep) && old.Nullable() && changed.Nullable() {
		d.refuses, d.accepts = decided(false), decided(false) // it would replace null
		c.restriction(d)
		return
	}
	if step == itemStep && (d.old == nil || d.new == nil) {
		// It replaces null, which is refused in a list otherwise.
		d.refuses = decided(d.new == nil && !changed.accepts(nil), nil)
		d.accepts = decided(d.old == nil && !old.accepts(nil), nil)
		c.restriction(d)
		return
	}
	d.refuses.hints = []any{removed{}}
	if d.old == nil && c.isAlwaysThere() {
		d.refuses.verdict, d.accepts = no, answer{hints: d.refuses.hints}
		c.restriction(d)
		return
	}
	if changed.Default() == nil && c.isRequired(newOf) && c.isRequired(oldOf) {
		d.refuses.verdict = yes
		c.missing(d)
		return
	}
	c.filledIn(d, old, changed)
	if !c.changes[len(c.changes)-1].target.isIndirect {
		c.uncheckedDefault(d)
	}
	if d.old == nil || d.new == nil {
		c.counts(d, countOf(d.new == nil))
	}
}

// filledIn adds the change that another default is filled in, or none. Nothing
// else notices one that the node refuses: no old object was without the field,
// or no new one is.
func (c *schemaComparison) filledIn(d difference, old, changed *node) {
	if refusesDefault(old) || refusesDefault(changed) && c.isUnchecked() {
		c.add(d.change(ChangesStorage)).target.hints = d.refuses.hints
		return
	}
	c.given = pairOf(old.Schema, changed.Schema)
	c.storing(d)
	c.given = nil
}

// refusesDefault reports whether a node refuses its own default.
func refusesDefault(n *node) bool {
	if n.Default() == nil || n.IntOrString() && n.accepts(n.Default()) {
		return false
	}
	value := jsonvalue.DeepCopy(n.Default())
	defaulting.Default(value, n.Schema)
	return !n.accepts(value)
}

// isAlwaysThere reports whether every old object has the field that is
// compared, if it has the object around it.
func (c *schemaComparison) isAlwaysThere() bool {
	at := len(c.levels) - 1
	if at < 1 {
		return false
	}
	name, around := strings.TrimPrefix(c.levels[at].step, memberStep), c.levels[at-1]
	isTypeMeta := name == "apiVersion" || name == "kind"
	return isTypeMeta && around.old.EmbeddedResource() && around.new.EmbeddedResource() ||
		c.prover(at).isPresent([]string{name}, world{})
}

// pairOf returns the defaults of two schemas with those below them, nil if they
// have lists: the defaults of items multiply.
func pairOf(old, changed *structural.Schema) *defaultPair {
	is := [2]any{}
	for i, s := range []*structural.Schema{old, changed} {
		if s == nil || s.Default() == nil {
			continue
		}
		if is[i] = jsonvalue.DeepCopy(s.Default()); hasLists(is[i]) {
			return nil
		}
		defaulting.Default(is[i], s)
	}
	return &defaultPair{is[0], is[1]}
}

func hasLists(v any) bool {
	switch v := v.(type) {
	case []any:
		return true
	case map[string]any:
		for _, member := range v {
			if hasLists(member) {
				return true
			}
		}
	}
	return false
}

// uncheckedDefault adds the change that a default refuses objects. The server
// does not check the defaults below the values of a map, nor the type of those
// that may be integers or strings.
func (c *schemaComparison) uncheckedDefault(d difference) {
	last := c.levels[len(c.levels)-1].new
	if last.Default() != nil && c.isUnchecked() {
		is := c.judges.node(last)
		rule := ""
		if c.isOfMap() {
			if c.levels[len(c.levels)-1].old != nil {
				c.given = pairOf(c.levels[len(c.levels)-1].old, last)
			}
			rule = c.concerning(newOf, len(c.levels), true)
			c.given = nil
		}
		if rule != "" || !is.accepts(last.Default()) {
			d.keyword, d.refuses = "default", answer{hints: []any{removed{}, nil}}
			c.refusal(d)
		}
	}
}

// isUnchecked reports whether the server does not check the default of the
// node.
func (c *schemaComparison) isUnchecked() bool {
	return c.isOfMap() || c.levels[len(c.levels)-1].new.IntOrString()
}

// isOfMap reports whether the node is a value of a map, or below one.
func (c *schemaComparison) isOfMap() bool {
	return slices.ContainsFunc(c.levels, func(l level) bool { return l.step == valueStep })
}

// counts adds a change if the object around the node has a field more or less
// than it had, and its definition counts them.
func (c *schemaComparison) counts(d difference, fields fieldCount) {
	if len(c.levels) < 2 {
		return
	}
	last := len(c.levels) - 1
	name := strings.TrimPrefix(c.levels[last].step, memberStep)
	if by := fields.bound(c.levels[last-1].new, name); by != "" && c.indirect(d, by) {
		c.setOfParent()
	}
}

// fieldCount says how the number of an object's fields differs.
type fieldCount int

const (
	moreFields fieldCount = iota
	fewerFields
)

// countOf returns fewerFields if something is removed.
func countOf(isRemoved bool) fieldCount {
	if isRemoved {
		return fewerFields
	}
	return moreFields
}

// bound returns the keyword of a schema that may refuse the number of fields
// without the named one, if any.
func (f fieldCount) bound(s *structural.Schema, without string) string {
	sure := int64(0) // fields that are always there
	for _, name := range s.PropertyNames() {
		isSure := s.Property(name).Default() != nil || slices.Contains(s.Values().Required, name)
		if isSure && name != without {
			sure++
		}
	}
	switch v := s.Values(); {
	case f == moreFields && v.MaxProperties != nil &&
		(!isPruning(s) || int64(len(s.PropertyNames())) > *v.MaxProperties):
		return "maxProperties"
	case f == fewerFields && v.MinProperties != nil && *v.MinProperties > sure:
		return "minProperties"
	case f == fewerFields && hasOther(v.Required, s.PropertyNames()):
		return "required"
	}
	return ""
}
