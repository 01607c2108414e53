package upgrade

import (
	"math"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/structural"
)

// A place is unreachable if the old definition admits no object with a value
// there. What a keyword refuses at such a place is refused as before.

// isUnreachable reports whether no old object has a value at the last of some
// levels that is not null.
func (c *schemaComparison) isUnreachable(levels []level) bool {
	v := voids{c.judges, c.scaled}
	for i := range levels {
		old, path := levels[i].old, rulePath(levels[1:i+1])
		switch {
		case old == nil:
			return false
		case v.isVoid(old, path), i > 0 && v.hasNone(levels[i-1].old, path[:i-1], levels[i].step):
			return true
		}
	}
	return false
}

// isVoidNode reports whether no old object has a value at the node that is
// compared, for a keyword that refuses values of the node.
func (c *schemaComparison) isVoidNode(keyword string) bool {
	last := len(c.levels) - 1
	isOfAround := slices.Contains([]string{"required", "default", "nullable"}, keyword)
	if isOfAround || c.levels[last].old == nil || c.levels[last].old.Nullable() {
		return c.isUnreachable(c.levels[:last])
	}
	return c.isUnreachable(c.levels)
}

// isNeverMet reports whether no value that the old definition accepts at the
// node meets what the new one says must not be.
func (c *schemaComparison) isNeverMet() bool {
	last := c.levels[len(c.levels)-1]
	not := last.new.Values().Not
	v := voids{c.judges, c.scaled}
	return not != nil && last.old.Type() != "" && last.old.Type() == last.new.Type() &&
		!last.old.Nullable() && !v.isMet(not, last.old, rulePath(c.levels[1:]))
}

// voids finds schemas of one definition that accept no value but null.
type voids struct {
	judges *judges
	scaled []string // the paths of the scale subresource
}

// hasNone reports whether no value of a node has one below it, at a step: an
// object with this field has more than it may have, or a list has no items.
func (v *voids) hasNone(s *structural.Schema, path []string, step string) bool {
	name, isMember := strings.CutPrefix(step, memberStep)
	switch {
	case s.Values().Format != "" || isLastMetadata(path):
		return false
	case s.Type() == "array" && step == itemStep:
		return valueOr(s.Values().MaxItems, 1) < 1
	case s.Type() != "object":
		return false
	case !isMember:
		return valueOr(s.Values().MaxProperties, 1) < 1
	}
	present := v.present(s, path)
	present[name] = true
	_, high := v.judges.node(s).properties()
	isRoot := len(path) == 0
	return !isRoot && int64(len(present)) > high
}

// isLastMetadata reports whether a path is that of what may be the metadata of
// a resource, of which the server keeps fields without a schema.
func isLastMetadata(path []string) bool {
	return len(path) > 0 && path[len(path)-1] == "metadata"
}

// isVoid reports whether a node refuses every value but null. It looks at plain
// reasons only: bounds that no number meets, an enum of which the node refuses
// each value, junctors without a branch that is met, and fields that are always
// there and may not be.
func (v *voids) isVoid(s *structural.Schema, path []string) bool {
	if isLastMetadata(path) || s.Type() == "" {
		return false
	}
	l := &logic{judges: v.judges, scaled: v.scaled}
	if l.isBeforeReplicas(s, path) || !v.isMet(s, s, path) {
		return true
	}
	n := v.judges.node(s)
	isPlain := s.Values().Format == ""
	switch s.Type() {
	case "integer", "number":
		low, high, isOpen := intervalOf(s)
		isNone := func(low, high float64) bool { return low > high || low == high && isOpen }
		// Integers among numbers are compared with the whole part of a bound.
		return isNone(low, high) && isNone(math.Trunc(low), math.Trunc(high))
	case "array":
		least, most := valueOr(s.Values().MinItems, 0), valueOr(s.Values().MaxItems, math.MaxInt64)
		return isPlain && (least > most || least > 0 && s.Items() != nil &&
			!s.Items().Nullable() && v.isVoid(s.Items(), below(path, anyChild)))
	case "object":
		low, high := n.properties()
		return isPlain && (len(path) > 0 && (low > high || int64(len(v.present(s, path))) > high) ||
			v.lacksRequired(s, path))
	}
	return false
}

// intervalOf returns the bounds of the numbers of a schema and of its allOf,
// and whether one of them is exclusive.
func intervalOf(s *structural.Schema) (low, high float64, isOpen bool) {
	low, high = math.Inf(-1), math.Inf(1)
	for _, of := range append([]*structural.Schema{s}, s.Values().AllOf...) {
		v := of.Values()
		if v.Minimum != nil && *v.Minimum >= low {
			isOpen = v.ExclusiveMinimum || isOpen && *v.Minimum == low
			low = *v.Minimum
		}
	}
	isOpenLow := isOpen
	isOpen = false
	for _, of := range append([]*structural.Schema{s}, s.Values().AllOf...) {
		v := of.Values()
		if v.Maximum != nil && *v.Maximum <= high {
			isOpen = v.ExclusiveMaximum || isOpen && *v.Maximum == high
			high = *v.Maximum
		}
	}
	return low, high, isOpen || isOpenLow
}

// present returns the fields that every value of an object has, or is refused
// without.
func (v *voids) present(s *structural.Schema, path []string) map[string]bool {
	present := map[string]bool{}
	for _, name := range requiredOf(s) {
		present[name] = true
	}
	for _, name := range s.PropertyNames() {
		if s.Property(name).Default() != nil {
			present[name] = true
		}
	}
	if s.EmbeddedResource() && len(path) > 0 {
		present["apiVersion"], present["kind"] = true, true
	}
	return present
}

// requiredOf returns the names that a schema and its allOf require.
func requiredOf(s *structural.Schema) (names []string) {
	names = slices.Clone(s.Values().Required)
	for _, of := range s.Values().AllOf {
		names = append(names, requiredOf(of)...)
	}
	return names
}

// lacksRequired reports whether a field that is always there is removed, or has
// no value.
func (v *voids) lacksRequired(s *structural.Schema, path []string) bool {
	for _, name := range requiredOf(s) {
		if !mayBeServers(below(path, name)) && isPruning(s) && s.Property(name) == nil {
			return true
		}
	}
	for name := range v.present(s, path) {
		child := s.Property(name)
		if child != nil && !child.Nullable() && !mayBeServers(below(path, name)) &&
			v.isVoid(child, below(path, name)) {
			return true
		}
	}
	return false
}

// isMet reports whether some value of a node may meet a branch. It is true
// unless the branch plainly refuses them all.
func (v *voids) isMet(branch, of *structural.Schema, path []string) bool {
	w := branch.Values()
	refuses := func(s *structural.Schema) bool { return !v.isMet(s, of, path) }
	switch {
	case len(w.Enum) > 0 && v.isOutside(w.Enum, of, path),
		slices.ContainsFunc(w.AllOf, refuses):
		return false
	case len(w.AnyOf) > 0 && !slices.ContainsFunc(w.AnyOf, isNot(refuses)),
		len(w.OneOf) > 0 && !slices.ContainsFunc(w.OneOf, isNot(refuses)):
		return false
	case branch == of || of.Type() != "object" || of.Values().Format != "" || len(path) == 0:
		return true
	}
	low, high := v.judges.node(of).properties()
	if forbids(of) {
		high = min(high, int64(len(of.PropertyNames())))
	}
	isPruned := func(name string) bool {
		isNone := isPruning(of) || forbids(of) && !of.PreservesUnknownFields() || high == 0
		return isNone && of.Property(name) == nil && !mayBeServers(below(path, name))
	}
	return valueOr(w.MaxProperties, math.MaxInt64) >= low && valueOr(w.MinProperties, 0) <= high &&
		!slices.ContainsFunc(w.Required, isPruned)
}

func isNot(is func(*structural.Schema) bool) func(*structural.Schema) bool {
	return func(s *structural.Schema) bool { return !is(s) }
}

// isOutside reports whether a node refuses every value that the server finds in
// an enum. It converts what it compares: 97 is found in ["a"], and 1.5 in [1].
func (v *voids) isOutside(enum []any, of *structural.Schema, path []string) bool {
	const most = 50
	n := v.judges.node(of)
	isAny := func(member any) bool { return member == "\ufffd" } // of many integers
	isPlain := of.Values().Format == "" || slices.Contains(
		[]string{"integer", "number", "string"}, of.Type())
	if len(enum) > most || len(path) == 0 || slices.ContainsFunc(enum, isAny) || !isPlain {
		return false
	}
	low, high, _ := intervalOf(of)
	return !slices.ContainsFunc(enum, func(member any) bool {
		switch of.Type() {
		case "number":
			return isNear(member, low, high)
		case "integer":
			integer, isOne := asInteger(member)
			return !isOne && isInexact(member) || isOne && n.accepts(integer)
		case "string": // one with a format may be of another type (VAL-022)
			integer, isOne := asInteger(member)
			return n.accepts(member) || isOne && n.accepts(integer)
		}
		return n.accepts(member)
	})
}

// isNear reports whether a number that is found in an enum as a member may be
// between bounds.
func isNear(member any, low, high float64) bool {
	var number float64
	switch member := member.(type) {
	case int64:
		number = float64(member)
	case float64:
		number = member
	case string:
		runes := []rune(member)
		if len(runes) != 1 {
			return false
		}
		number = float64(runes[0])
	default:
		return false
	}
	return low <= number+1 && number-1 <= high
}

// asInteger returns the only integer that is found in an enum as a member.
func asInteger(member any) (integer int64, isOne bool) {
	const exact = 1 << 53
	switch member := member.(type) {
	case int64:
		return member, true
	case float64:
		return int64(member), math.Abs(member) < exact
	case string:
		if runes := []rune(member); len(runes) == 1 {
			return int64(runes[0]), true
		}
	}
	return 0, false
}
