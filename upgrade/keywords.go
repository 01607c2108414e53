package upgrade

import (
	"cmp"
	"math"
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// difference is a keyword that differs between two nodes.
type difference struct {
	keyword  string
	old, new any
	classes  []Class
	// hints are values that the old or the new keyword treats specially.
	hints []any
}

// direction returns the classes of a keyword that restricts values: tighter and
// looser report whether the new value refuses what the old one admitted, and
// the other way round.
func direction(tighter, looser bool) []Class {
	var classes []Class
	if tighter {
		classes = append(classes, Stricter)
	}
	if looser {
		classes = append(classes, Looser)
	}
	return classes
}

// compareValues returns the keywords of values that differ. Junctors are
// compared as a whole.
func compareValues(old, changed *structural.ValueValidation) []difference {
	found := slices.Concat(
		compareBounds(old, changed),
		compareNumbers(old, changed),
		compareTexts(old, changed),
		compareSets(old, changed),
	)
	for _, j := range []struct {
		keyword  string
		old, new []*structural.Schema
	}{
		{"allOf", old.AllOf, changed.AllOf}, {"anyOf", old.AnyOf, changed.AnyOf},
		{"oneOf", old.OneOf, changed.OneOf}, {"not", one(old.Not), one(changed.Not)},
	} {
		if slices.EqualFunc(j.old, j.new, structural.Equal) {
			continue
		}
		found = append(found, difference{
			keyword: j.keyword, old: branches(j.old), new: branches(j.new),
			classes: direction(len(j.new) > 0, len(j.old) > 0),
		})
	}
	return found
}

func one(s *structural.Schema) []*structural.Schema {
	if s == nil {
		return nil
	}
	return []*structural.Schema{s}
}

// branches stands for the branches of a junctor in a report: their number.
func branches(list []*structural.Schema) any {
	if len(list) == 0 {
		return nil
	}
	return int64(len(list))
}

// compareBounds compares the keywords that count: lengths, items, properties.
func compareBounds(old, changed *structural.ValueValidation) []difference {
	var found []difference
	for _, b := range []struct {
		keyword  string
		old, new *int64
		sign     int // 1 if a higher bound admits more
	}{
		{"maxLength", old.MaxLength, changed.MaxLength, 1},
		{"minLength", old.MinLength, changed.MinLength, -1},
		{"maxItems", old.MaxItems, changed.MaxItems, 1},
		{"minItems", old.MinItems, changed.MinItems, -1},
		{"maxProperties", old.MaxProperties, changed.MaxProperties, 1},
		{"minProperties", old.MinProperties, changed.MinProperties, -1},
	} {
		if order := compareLimits(b.old, b.new, b.sign); order != 0 {
			found = append(found, difference{
				keyword: b.keyword, old: valueOf(b.old), new: valueOf(b.new),
				classes: direction(order < 0, order > 0),
			})
		}
	}
	return found
}

// compareBound compares the amount that an upper bound admits: the sign of new
// minus old. No bound admits everything.
func compareBound[N cmp.Ordered](old, changed *N) int {
	switch {
	case old == nil && changed == nil:
		return 0
	case old == nil:
		return -1
	case changed == nil:
		return 1
	}
	return cmp.Compare(*changed, *old)
}

func valueOf[N any](n *N) any {
	if n == nil {
		return nil
	}
	return *n
}

// compareNumbers compares minimum, maximum and multipleOf.
func compareNumbers(old, changed *structural.ValueValidation) []difference {
	var found []difference
	for _, b := range []struct {
		keyword, exclusive     string
		old, new               *float64
		oldExclude, newExclude bool
		sign                   int
	}{
		{"maximum", "exclusiveMaximum", old.Maximum, changed.Maximum,
			old.ExclusiveMaximum, changed.ExclusiveMaximum, 1},
		{"minimum", "exclusiveMinimum", old.Minimum, changed.Minimum,
			old.ExclusiveMinimum, changed.ExclusiveMinimum, -1},
	} {
		switch order := compareLimits(b.old, b.new, b.sign); {
		case order != 0:
			found = append(found, difference{
				keyword: b.keyword, old: valueOf(b.old), new: valueOf(b.new),
				classes: direction(order < 0, order > 0), hints: numbersNear(b.old, b.new),
			})
		case b.old != nil && b.oldExclude != b.newExclude:
			found = append(found, difference{
				keyword: b.exclusive, old: b.oldExclude, new: b.newExclude,
				classes: direction(b.newExclude, b.oldExclude), hints: numbersNear(b.old),
			})
		}
	}
	if compareBound(old.MultipleOf, changed.MultipleOf) != 0 {
		found = append(found, difference{
			keyword: "multipleOf", old: valueOf(old.MultipleOf), new: valueOf(changed.MultipleOf),
			classes: direction(
				changed.MultipleOf != nil && !divides(changed.MultipleOf, old.MultipleOf),
				old.MultipleOf != nil && !divides(old.MultipleOf, changed.MultipleOf)),
			hints: numbersNear(old.MultipleOf, changed.MultipleOf),
		})
	}
	return found
}

// compareLimits is compareBound for a limit whose sign says in which direction
// it admits more.
func compareLimits[N cmp.Ordered](old, changed *N, sign int) int {
	if old == nil || changed == nil {
		return compareBound(old, changed)
	}
	return compareBound(old, changed) * sign
}

// divides reports whether every multiple of b is one of a.
func divides(a, b *float64) bool { return b != nil && math.Mod(*b, *a) == 0 }

// numbersNear returns the numbers at limits and next to them.
func numbersNear(limits ...*float64) []any {
	var near []any
	for _, limit := range limits {
		if limit == nil {
			continue
		}
		near = append(near, *limit)
		if whole := math.Trunc(*limit); math.Abs(whole) < 1<<53 {
			near = append(near, int64(whole), int64(whole)-1, int64(whole)+1)
		}
	}
	return near
}

// compareTexts compares format and pattern. Nothing is known about the values
// that two of them admit.
func compareTexts(old, changed *structural.ValueValidation) []difference {
	var found []difference
	for _, t := range []struct{ keyword, old, new string }{
		{"format", old.Format, changed.Format}, {"pattern", old.Pattern, changed.Pattern},
	} {
		if t.old != t.new {
			found = append(found, difference{
				keyword: t.keyword, old: textOf(t.old), new: textOf(t.new),
				classes: direction(t.new != "", t.old != ""),
			})
		}
	}
	return found
}

func textOf(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// compareSets compares enum, required and uniqueItems.
func compareSets(old, changed *structural.ValueValidation) []difference {
	var found []difference
	removed := without(old.Enum, changed.Enum)
	added := without(changed.Enum, old.Enum)
	switch {
	case old.Enum == nil && changed.Enum != nil:
		found = append(found, difference{
			keyword: "enum", new: changed.Enum, classes: direction(true, false),
		})
	case old.Enum != nil && changed.Enum == nil:
		found = append(found, difference{
			keyword: "enum", old: old.Enum, classes: direction(false, true),
		})
	case len(removed)+len(added) > 0:
		found = append(found, difference{
			keyword: "enum", old: nilIfEmpty(removed), new: nilIfEmpty(added),
			classes: direction(len(removed) > 0, len(added) > 0),
			hints:   slices.Concat(removed, added),
		})
	}
	if old.UniqueItems != changed.UniqueItems {
		found = append(found, difference{
			keyword: "uniqueItems", old: old.UniqueItems, new: changed.UniqueItems,
			classes: direction(changed.UniqueItems, old.UniqueItems),
		})
	}
	return found
}

// compareRequired returns a difference for each name that is required on one
// side only.
func compareRequired(old, changed *structural.ValueValidation) []difference {
	var found []difference
	for _, name := range changed.Required {
		if !slices.Contains(old.Required, name) {
			found = append(found, difference{
				keyword: "required", new: name, classes: direction(true, false),
			})
		}
	}
	for _, name := range old.Required {
		if !slices.Contains(changed.Required, name) {
			found = append(found, difference{
				keyword: "required", old: name, classes: direction(false, true),
			})
		}
	}
	return found
}

// without returns the values of a list that another one lacks.
func without(list, other []any) []any {
	var rest []any
	for _, v := range list {
		isIn := func(o any) bool { return jsonvalue.EqualNumbers(v, o) }
		if !slices.ContainsFunc(other, isIn) {
			rest = append(rest, v)
		}
	}
	return rest
}

func nilIfEmpty(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list
}
