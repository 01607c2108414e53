package upgrade

import (
	"encoding/json"
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/structural"
)

// keyword is a keyword that restricts values.
type keyword struct {
	name string
	// value returns its value, nil if it is absent.
	value func(*structural.ValueValidation) any
	// refuses answers whether the keyword of one node refuses values that
	// another node accepts.
	refuses func(from, to *node) answer
}

var keywordsOfSizes = []keyword{
	{"maxItems", func(v *structural.ValueValidation) any { return valueOf(v.MaxItems) },
		refusesByMaxItems},
	{"minItems", func(v *structural.ValueValidation) any { return valueOf(v.MinItems) },
		refusesByMinItems},
	{"maxProperties", func(v *structural.ValueValidation) any { return valueOf(v.MaxProperties) },
		refusesByMaxProperties},
	{"minProperties", func(v *structural.ValueValidation) any { return valueOf(v.MinProperties) },
		refusesByMinProperties},
}

var keywordsOfScalars = []keyword{
	{"maxLength", func(v *structural.ValueValidation) any { return valueOf(v.MaxLength) },
		refusesByMaxLength},
	{"minLength", func(v *structural.ValueValidation) any { return valueOf(v.MinLength) },
		refusesByMinLength},
	{"maximum", func(v *structural.ValueValidation) any { return valueOf(v.Maximum) },
		refusesByMaximum},
	{"exclusiveMaximum", func(v *structural.ValueValidation) any { return v.ExclusiveMaximum },
		refusesByMaximum},
	{"minimum", func(v *structural.ValueValidation) any { return valueOf(v.Minimum) },
		refusesByMinimum},
	{"exclusiveMinimum", func(v *structural.ValueValidation) any { return v.ExclusiveMinimum },
		refusesByMinimum},
	{"multipleOf", func(v *structural.ValueValidation) any { return valueOf(v.MultipleOf) },
		refusesByMultipleOf},
	{"format", func(v *structural.ValueValidation) any { return textOf(v.Format) },
		refusesByFormat},
	{"pattern", func(v *structural.ValueValidation) any { return textOf(v.Pattern) },
		refusesByPattern},
}

func valueOf[N any](n *N) any {
	if n == nil {
		return nil
	}
	return *n
}

func textOf(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// difference is a keyword that differs between two nodes, and what that does.
type difference struct {
	keyword  string
	old, new any
	// refuses and accepts answer whether the new node refuses values that the
	// old one accepts, and the other way round.
	refuses, accepts answer
	// others is the rest of the new node's keywords, if a scalar value breaks
	// the keyword. Of a change that looser, it is that of the old node.
	others, oldOthers *node
}

// compareValues returns the keywords of values that differ, except for
// required.
func compareValues(old, changed *node) []difference {
	var found []difference
	for _, k := range slices.Concat(keywordsOfScalars, keywordsOfSizes) {
		was, is := k.value(old.values), k.value(changed.values)
		if was == is || isBoundOf(k.name, found) {
			continue
		}
		d := difference{keyword: k.name, old: was, new: is, refuses: decided(false),
			accepts: decided(false)}
		if isOfScalars(k.name) {
			d.others, d.oldOthers = changed.others(k.name), old.others(k.name)
		}
		if !isAbsent(is) && hasBound(changed, k.name) {
			d.refuses = k.refuses(old, changed)
		}
		if !isAbsent(was) && hasBound(old, k.name) {
			d.accepts = k.refuses(changed, old)
		}
		if k.name == "format" {
			d.unchecked(old, changed)
		}
		found = append(found, d)
	}
	found = append(found, compareEnums(old, changed)...)
	return append(found, compareJunctors(old, changed)...)
}

// unchecked answers for values of which a format keeps the server from checking
// the type (VAL-022): a list where a string is asked for.
func (d *difference) unchecked(old, changed *node) {
	if a := refusesLists(old, changed); a.verdict == yes && d.refuses.verdict != yes {
		d.refuses, d.others = a, nil
	}
	if a := refusesLists(changed, old); a.verdict == yes && d.accepts.verdict != yes {
		d.accepts, d.oldOthers = a, nil
	}
}

func refusesLists(from, to *node) answer {
	isRefused := from.Type() != "array" && from.values.Format != "" &&
		from.accepts([]any{}) && !to.accepts([]any{})
	return decided(isRefused, []any{})
}

func isOfScalars(name string) bool {
	return slices.ContainsFunc(keywordsOfScalars, func(k keyword) bool { return k.name == name })
}

// isBoundOf reports whether a difference of the bound is found already, to
// which an exclusive keyword belongs.
func isBoundOf(keyword string, found []difference) bool {
	if len(found) == 0 {
		return false
	}
	last := found[len(found)-1].keyword
	return keyword == "exclusiveMaximum" && last == "maximum" ||
		keyword == "exclusiveMinimum" && last == "minimum"
}

// hasBound reports whether an exclusive keyword has a bound. Others need none.
func hasBound(n *node, keyword string) bool {
	switch keyword {
	case "exclusiveMaximum":
		return n.values.Maximum != nil
	case "exclusiveMinimum":
		return n.values.Minimum != nil
	}
	return true
}

// compareEnums compares enums as sets.
func compareEnums(old, changed *node) []difference {
	was, is := old.values.Enum, changed.values.Enum
	removed, added := without(was, is), without(is, was)
	d := difference{
		keyword: "enum", old: listOf(was), new: listOf(is),
		others: changed.others("enum"), oldOthers: old.others("enum"),
	}
	switch {
	case len(was) > 0 && len(is) > 0:
		if len(removed)+len(added) == 0 {
			return nil
		}
		d.old, d.new = listOf(removed), listOf(added)
		d.refuses, d.accepts = refusesSome(old, changed, removed), refusesSome(changed, old, added)
	case len(is) > 0:
		d.refuses, d.accepts = refusesByEnum(old, changed), decided(false)
	case len(was) > 0:
		d.refuses, d.accepts = decided(false), refusesByEnum(changed, old)
	default:
		return nil
	}
	return []difference{d}
}

func listOf(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list
}

// without returns the values of a list that another one lacks.
func without(list, other []any) []any {
	known := map[string]bool{}
	for _, v := range other {
		known[canonical(v)] = true
	}
	var rest []any
	for _, v := range list {
		if !known[canonical(v)] {
			rest = append(rest, v)
		}
	}
	return rest
}

// canonical returns a value as JSON. Numbers that are equal have one text.
func canonical(v any) string {
	if f, ok := v.(float64); ok && f == float64(int64(f)) {
		v = int64(f)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// refusesSome answers for some values of an enum that the other one lacks.
func refusesSome(from, to *node, values []any) answer {
	const most = 100
	few := values[:min(len(values), most)]
	a := from.shownBy(to.restricted(map[string]any{"enum": to.values.Enum}), few)
	if a.verdict == open && len(few) == len(values) {
		return decided(false)
	}
	return a
}

// refusesByEnum answers for an enum where there was none.
func refusesByEnum(from, to *node) answer {
	enum := to.values.Enum
	restriction := to.restricted(map[string]any{"enum": enum})
	if a, ok := from.members(restriction); ok {
		return a
	}
	candidates := append(numbers(from), true, false, []any{}, map[string]any{})
	const most = 1000
	if len(enum) <= most && from.admits("string") {
		language := relang.Language{Patterns: []string{exactly(enum)}}
		found := relang.Difference(from.judges.ctx, from.language(), language)
		if found.Decided && !found.Found && from.Type() == "string" {
			return decided(false)
		}
		candidates = append([]any{found.Word}, candidates...)
	}
	candidates = append(candidates, "no such value")
	low, high := from.interval()
	isFew := from.Type() == "integer" && high-low <= most
	if isFew {
		for n := int64(low); n <= int64(high); n++ {
			candidates = append(candidates, n)
		}
	}
	a := from.shownBy(restriction, candidates)
	if a.verdict == open && (isFew || from.Type() == "boolean") {
		return decided(false)
	}
	return a
}

// compareTypes returns the difference of types, and whether the nodes have
// values in common.
func compareTypes(old, changed *node) (found []difference, meet bool) {
	if old.Type() == changed.Type() && old.IntOrString() == changed.IntOrString() {
		return nil, true
	}
	d := difference{
		keyword: "type", old: typeOf(old.Schema), new: typeOf(changed.Schema),
		refuses: refusesByType(old, changed), accepts: refusesByType(changed, old),
	}
	return []difference{d}, isWider(old, changed) || isWider(changed, old)
}

func typeOf(s *structural.Schema) any {
	if s.IntOrString() {
		return "int-or-string"
	}
	return textOf(s.Type())
}

// isWider reports whether a type has all values of another one. A number takes
// integers, and int-or-string takes both.
func isWider(from, to *node) bool {
	return to.IntOrString() && (from.Type() == "integer" || from.Type() == "string") ||
		to.Type() == "number" && from.Type() == "integer" ||
		to.Type() == "" && !to.IntOrString()
}

func refusesByType(from, to *node) answer {
	if isWider(from, to) {
		return refusesLists(from, to)
	}
	candidates := append(numbers(from), true, []any{}, map[string]any{})
	if from.admits("string") {
		candidates = append(candidates, from.someTexts()...)
	}
	a := from.shownBy(to.restricted(map[string]any{}), candidates)
	if a.verdict == open && from.Type() != "number" {
		return decided(true) // no value has both types
	}
	return a
}

// isSameDefault reports whether two defaults are the same.
func isSameDefault(a, b *node) bool { return jsonvalue.EqualNumbers(a.Default(), b.Default()) }
