package upgrade

import (
	"fmt"
	"math"
	"slices"

	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/structural"
)

// keywordsOfFacts are the keywords that become conditions.
var keywordsOfFacts = []string{
	"enum", "maximum", "minimum", "maxLength", "minLength", "pattern", "maxItems", "minItems",
	"maxProperties", "minProperties", "multipleOf", "allOf", "anyOf", "oneOf", "not",
}

// branch is a schema, or a branch of its junctors, that says something of the
// value at a path. The value is there.
type branch struct {
	l    *logic
	s    scope
	path []string
	of   *structural.Schema // the schema at the path
}

// keyword returns a keyword as a condition, nil if it is absent or not
// understood.
func (b *branch) keyword(from *structural.Schema, keyword string) entail.Condition {
	v := from.Values()
	switch keyword {
	case "enum":
		return b.enum(v.Enum)
	case "maximum":
		return b.number(v.Maximum, orders[operators.LessEquals], orders[operators.Less],
			v.ExclusiveMaximum)
	case "minimum":
		return b.number(v.Minimum, orders[operators.GreaterEquals],
			orders[operators.Greater], v.ExclusiveMinimum)
	case "maxLength":
		return b.length(v.MaxLength, orders[operators.LessEquals])
	case "minLength":
		return b.length(v.MinLength, orders[operators.GreaterEquals])
	case "pattern":
		if v.Pattern == "" {
			return nil
		}
		if t := b.term(textTerm); t != nil {
			return b.ofString(t, b.l.matches(t, v.Pattern))
		}
	case "maxItems":
		return b.size("array", v.MaxItems, orders[operators.LessEquals])
	case "minItems":
		return b.size("array", v.MinItems, orders[operators.GreaterEquals])
	case "maxProperties":
		return b.size("object", v.MaxProperties, orders[operators.LessEquals])
	case "minProperties":
		return b.size("object", v.MinProperties, orders[operators.GreaterEquals])
	case "multipleOf":
		return b.multiple(v.MultipleOf)
	case "allOf", "anyOf", "oneOf", "not":
		return b.junctor(v, keyword)
	}
	return nil
}

// term returns the value at the path, nil if it is of another kind.
func (b *branch) term(kinds ...kindOfTerm) *term {
	t := b.l.field(name{path: b.path}, b.s)
	if t == nil || !slices.Contains(kinds, t.kind) {
		return nil
	}
	return t
}

func (b *branch) enum(values []any) entail.Condition {
	const most = 100
	if len(values) == 0 || len(values) > most {
		return nil
	}
	if len(b.path) == 0 { // the whole object
		values = slices.DeleteFunc(slices.Clone(values), func(v any) bool {
			object, isObject := v.(map[string]any)
			return isObject && object["kind"] == nil
		})
	}
	at := name{path: b.path}
	if of := b.of.Type(); (of == "object" || of == "array") && b.of.Values().Format == "" &&
		!slices.ContainsFunc(values, isCompound) && b.l.schema(at, b.s) != nil &&
		!b.s.isNull(at) {
		return entail.Constant(entail.False) // whatever is below it
	}
	t := b.l.field(at, b.s)
	if t == nil || t.isEither {
		return nil
	}
	var any []entail.Condition
	for _, v := range values {
		equals, ok := t.equalsValue(v)
		if !ok {
			return nil
		}
		if equals != nil {
			any = append(any, equals)
		}
	}
	return entail.Any(any...)
}

// equalsValue returns the condition that the term is a value, nil if it never
// is. It reports false if that cannot be told.
func (t *term) equalsValue(v any) (equals entail.Condition, ok bool) {
	p, isNumber := pointOf("", v)
	text, isText := v.(string)
	is, isBool := v.(bool)
	switch {
	case t.kind == textTerm && isText:
		return t.equals(text), true
	case t.kind == boolTerm && isBool && is:
		return t.truth(), true
	case t.kind == boolTerm && isBool:
		return entail.Not(t.truth()), true
	case t.kind.isNumber() && isNumber:
		return t.order(p, orders[operators.Equals]), true
	}
	return nil, t.kind != otherTerm && t.kind != amountTerm && (!t.kind.isNumber() || !isInexact(v))
}

// isCompound reports whether a value is an object or a list.
func isCompound(v any) bool { return !isScalar(v) }

// isInexact reports whether a number is none of those that are compared.
func isInexact(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// number returns a bound as a condition. One that is no whole number means
// something else for whole numbers.
func (b *branch) number(
	bound *float64, holds, holdsExclusive func(int) bool, isExclusive bool,
) entail.Condition {
	const exact = 1 << 53
	if bound == nil {
		return nil
	}
	t := b.term(intTerm, doubleTerm)
	if t == nil || *bound != math.Trunc(*bound) || math.Abs(*bound) >= exact {
		return nil
	}
	if isExclusive {
		holds = holdsExclusive
	}
	return t.order(point{number: *bound, literal: int64(*bound)}, holds)
}

func (b *branch) length(bound *int64, holds func(int) bool) entail.Condition {
	const most = 1 << 31
	if bound == nil || *bound > most {
		return nil
	}
	t := b.term(textTerm)
	if t == nil {
		return nil
	}
	return b.ofString(t, t.sizeIs(*bound, holds))
}

// ofString returns the condition that a keyword of strings says of a value: one
// of integers or strings may be an integer.
func (b *branch) ofString(t *term, c entail.Condition) entail.Condition {
	if c == nil || !t.isEither {
		return c
	}
	return entail.Any(entail.Not(b.l.isString(t)), c)
}

// format returns the condition that a string matches what all strings of a
// format do, nil if nothing is known of them or the value is no string.
func (b *branch) format(from *structural.Schema) entail.Condition {
	pattern := b.l.judges.node(from).patternOfFormat()
	if pattern == "" {
		return nil
	}
	t := b.term(textTerm)
	if t == nil || t.isEither {
		return nil
	}
	return b.l.matches(t, pattern)
}

// size returns a bound of items, or of the keys of a map, as a condition.
func (b *branch) size(of string, bound *int64, holds func(int) bool) entail.Condition {
	if bound == nil || b.of.Type() != of ||
		b.l.schema(name{path: b.path}, b.s) == nil || b.s.isNull(name{path: b.path}) {
		return nil
	}
	if of == "object" && b.of.AdditionalSchema() == nil {
		return b.fields(*bound, holds)
	}
	return b.l.sizeTerm(name{path: b.path}, b.s).
		order(point{number: float64(*bound), literal: *bound}, holds)
}

// fields returns a bound of the declared fields as a condition, nil where there
// may be others, or many.
func (b *branch) fields(bound int64, holds func(int) bool) entail.Condition {
	const most = 12
	names, changed := b.of.PropertyNames(), b.l.changed(b.path)
	if changed == nil || !isPruning(b.of) || !isPruning(changed) || b.of.EmbeddedResource() ||
		changed.EmbeddedResource() || len(names) > most || b.isMetadata() {
		return nil
	}
	for _, name := range changed.PropertyNames() {
		if b.of.Property(name) == nil && changed.Property(name).Default() != nil {
			return nil
		}
	}
	always, isRoot := int64(0), len(b.path) == 0
	if isRoot {
		always = int64(len(rootFields))
	}
	var all []entail.Condition
	for _, field := range names {
		if isRoot && slices.Contains(rootFields, field) {
			continue
		}
		at := name{path: below(b.path, field)}
		if b.l.schema(at, b.s) == nil {
			return nil
		}
		if c := b.l.member(at.path, false, b.s); c != nil && !b.s.isNull(at) {
			all = append(all, c)
		} else {
			always++
		}
	}
	return entail.Count(all, func(n int) bool { return holds(jsonOrder(int64(n)+always, bound)) })
}

// rootFields are the fields that every object has.
var rootFields = []string{"apiVersion", "kind", "metadata"}

// isMetadata reports whether the value may be the metadata of a resource.
func (b *branch) isMetadata() bool {
	return len(b.path) > 0 && b.path[len(b.path)-1] == "metadata"
}

func (b *branch) multiple(factor *float64) entail.Condition {
	const most = 1 << 31
	if factor == nil || *factor != math.Trunc(*factor) || *factor < 1 || *factor > most {
		return nil
	}
	if t := b.l.remainder(b.term(intTerm), int64(*factor)); t != nil {
		return t.order(point{literal: int64(0)}, orders[operators.Equals])
	}
	return nil
}

// junctor returns a junctor as a condition, nil if a branch is not understood.
func (b *branch) junctor(v *structural.ValueValidation, keyword string) entail.Condition {
	list := map[string][]*structural.Schema{
		"allOf": v.AllOf, "anyOf": v.AnyOf, "oneOf": v.OneOf, "not": one(v.Not),
	}[keyword]
	var all []entail.Condition
	isKnown := false
	for _, s := range list {
		c := b.whole(s)
		if c == nil {
			c = b.unknown(s)
		} else {
			isKnown = true
		}
		all = append(all, c)
	}
	switch {
	case !isKnown:
		return nil
	case len(all) == 0:
		return nil
	case keyword == "allOf":
		return entail.All(all...)
	case keyword == "anyOf":
		return entail.Any(all...)
	case keyword == "oneOf":
		return entail.Count(all, func(n int) bool { return n == 1 })
	}
	return entail.Not(all[0])
}

// unknown returns a condition that may hold or not, for a branch that is not
// understood.
func (b *branch) unknown(s *structural.Schema) entail.Condition {
	key := fmt.Sprintf("branch %p of %s %v", s, b.s.key("value", b.path, b.s.isOld), b.s.isGoal)
	return entail.Is(b.l.variable(key, 2),
		func(value int) entail.Truth { return entail.Of(value == 1) })
}

// whole returns all that a branch says as a condition, nil if it says something
// that is not understood.
func (b *branch) whole(s *structural.Schema) entail.Condition {
	all := b.keywords(s)
	if all == nil || s.Values().Format != "" || s.Type() != "" || s.Items() != nil ||
		s.AdditionalProperties() != nil || s.Nullable() {
		return nil
	}
	for _, name := range s.Values().Required {
		c := b.required(name)
		if c == nil {
			return nil
		}
		all = append(all, c)
	}
	for _, property := range slices.Sorted(slices.Values(s.PropertyNames())) {
		path := below(b.path, property)
		if structural.Equal(s.Property(property), &structural.Schema{}) {
			continue // it says nothing
		}
		at, of := name{path: path}, b.of.Property(property)
		if of == nil && b.l.isNew(path) {
			continue // no object has it
		}
		if of == nil || b.l.schema(at, b.s) == nil {
			return nil
		}
		inner := &branch{b.l, b.s, path, of}
		c := inner.whole(s.Property(property))
		if c == nil {
			return nil
		}
		all = append(all, entail.Any(entail.Not(b.l.present(path, false, b.s)), c))
	}
	return entail.All(all...)
}

// keywords returns the keywords of values and the junctors of a branch as
// conditions, nil if it has one that is not understood.
func (b *branch) keywords(s *structural.Schema) []entail.Condition {
	has := map[string]bool{"enum": len(s.Values().Enum) > 0}
	all := []entail.Condition{entail.Constant(entail.True)}
	for _, k := range slices.Concat(keywordsOfScalars, keywordsOfSizes) {
		has[k.name] = !isAbsent(k.value(s.Values()))
	}
	for _, k := range keywordsOfFacts {
		if b.isForeign(k) {
			continue
		}
		c := b.keyword(s, k)
		switch {
		case c != nil:
			all = append(all, c)
		case has[k] || b.has(s, k):
			return nil
		}
	}
	return all
}

// typesOf are the types whose values keywords restrict.
var typesOf = map[string][]string{
	"maxLength": {"string"}, "minLength": {"string"}, "pattern": {"string"},
	"maximum": {"integer", "number"}, "minimum": {"integer", "number"},
	"multipleOf": {"integer", "number"}, "maxItems": {"array"}, "minItems": {"array"},
	"maxProperties": {"object"}, "minProperties": {"object"}, "required": {"object"},
}

// isForeign reports whether a keyword means nothing for the values at the path,
// which are of another type. What has a format may be of several, unless it is
// a number (VAL-022).
func (b *branch) isForeign(keyword string) bool {
	types, isKnown := typesOf[keyword]
	of := b.of.Type()
	isOne := of == "integer" || of == "number" || of != "" && b.of.Values().Format == ""
	return isKnown && isOne && !slices.Contains(types, of) &&
		b.l.schema(name{path: b.path}, b.s) != nil
}

// has reports whether a schema has a junctor.
func (b *branch) has(s *structural.Schema, keyword string) bool {
	v := s.Values()
	switch keyword {
	case "allOf":
		return len(v.AllOf) > 0
	case "anyOf":
		return len(v.AnyOf) > 0
	case "oneOf":
		return len(v.OneOf) > 0
	case "not":
		return v.Not != nil
	}
	return false
}

// declares reports whether a schema of objects declares a field.
func declares(s *structural.Schema, field string) bool {
	return s.Type() == "object" && s.Property(field) != nil
}

// required returns the condition that a field is there, nil if that is not
// known by the schema.
func (b *branch) required(field string) entail.Condition {
	path := below(b.path, field)
	at := name{path: path}
	switch {
	case b.isForeign("required"), b.s.isNull(at):
		return entail.Constant(entail.True)
	case !isPruning(b.of) && !b.l.isMap(b.path) && !declares(b.of, field):
		return nil
	case isPruning(b.of) && b.of.Property(field) == nil && !b.l.isNew(path):
		if b.l.isNever(path) {
			return entail.Constant(entail.False)
		}
		return nil
	}
	if _, isGiven := b.s.value(at); !isGiven && !b.l.isNew(path) &&
		b.l.schema(at, b.s) == nil {
		return nil
	}
	c := b.l.member(path, false, b.s)
	if c == nil {
		return entail.Constant(entail.True)
	}
	return c
}
