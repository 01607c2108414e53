package describe

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/structural"
)

// Fact is one thing that a schema says about a value, e.g. maximum: 10.
type Fact struct {
	Name, Value string
	// IsCode is whether the value is a value of the field, or a part of one.
	IsCode bool
}

// String returns the fact as a line of Markdown, e.g. "maximum: `10`".
func (f Fact) String() string {
	value := f.Value
	if f.IsCode {
		value = code(value)
	}
	return strings.TrimSuffix(visible.Line(f.Name)+": "+value, ": ")
}

// plain returns the fact as a line of text, e.g. "maximum: 10".
func (f Fact) plain() string { return visible.Line(strings.TrimSuffix(f.Name+": "+f.Value, ": ")) }

// Type returns the type of a node in words, e.g. "list of string".
func Type(s *structural.Schema) string {
	switch {
	case s.IntOrString():
		return "integer or string"
	case s.Type() == "array":
		return "list of " + Type(s.Items())
	case s.AdditionalSchema() != nil:
		return "map of " + Type(s.AdditionalSchema())
	case s.Type() == "":
		return "any"
	}
	return s.Type()
}

// shortType returns the type of a node as kubectl explain writes it, e.g.
// []string.
func shortType(s *structural.Schema) string {
	switch {
	case s.IntOrString():
		return "IntOrString"
	case s.Type() == "array":
		return "[]" + shortType(s.Items())
	case s.AdditionalSchema() != nil:
		return "map[string]" + shortType(s.AdditionalSchema())
	case s.Type() == "object":
		return "Object"
	case s.Type() == "":
		return "any"
	}
	return s.Type()
}

// Facts returns what a node says about its values next to the type: the
// default, the enum, bounds, list and map types, alternatives.
func Facts(s *structural.Schema) (facts []Fact) {
	value := func(name, value string) { facts = append(facts, Fact{name, value, true}) }
	if d := s.Default(); d != nil {
		value("default", valueText(d))
	}
	v := s.Values()
	for _, e := range v.Enum {
		value("value", valueText(e))
	}
	if v.Format != "" {
		value("format", v.Format)
	}
	if v.Pattern != "" {
		value("pattern", v.Pattern)
	}
	facts = append(facts, bounds(v)...)
	facts = append(facts, shape(s)...)
	return append(facts, alternatives(v)...)
}

// Inner returns what a node says about the items of a list or the values of a
// map, where these are no objects, and about those of theirs. It ends after
// three lists within each other.
func Inner(s *structural.Schema) (facts []Fact) {
	before := ""
	for range 3 {
		of, inner := "each item: ", s.Items()
		if inner == nil {
			of, inner = "each value: ", s.AdditionalSchema()
		}
		if inner == nil || inner.Type() == "object" || s.HasProperties() {
			break
		}
		before += of
		for _, fact := range Facts(inner) {
			fact.Name = before + fact.Name
			facts = append(facts, fact)
		}
		s = inner
	}
	return facts
}

// bounds returns the bounds of numbers and sizes.
func bounds(v *structural.ValueValidation) (facts []Fact) {
	for _, bound := range []struct {
		name      string
		value     *float64
		exclusive bool
	}{
		{"minimum", v.Minimum, v.ExclusiveMinimum}, {"maximum", v.Maximum, v.ExclusiveMaximum},
		{"multiple of", v.MultipleOf, false},
	} {
		if bound.value == nil {
			continue
		}
		fact := Fact{bound.name, valueText(*bound.value), true}
		if bound.exclusive {
			fact.Name += " (exclusive)"
		}
		facts = append(facts, fact)
	}
	for _, bound := range []struct {
		name  string
		value *int64
	}{
		{"least length", v.MinLength}, {"greatest length", v.MaxLength},
		{"fewest items", v.MinItems}, {"most items", v.MaxItems},
		{"fewest fields", v.MinProperties}, {"most fields", v.MaxProperties},
	} {
		if bound.value != nil {
			facts = append(facts, Fact{bound.name, fmt.Sprint(*bound.value), true})
		}
	}
	return facts
}

// shape returns what the extensions of lists and objects say.
func shape(s *structural.Schema) (facts []Fact) {
	word := func(name string) { facts = append(facts, Fact{Name: name}) }
	if keys := s.ListMapKeys(); len(keys) > 0 {
		word("items are told apart by " + strings.Join(keys, ", "))
	}
	switch {
	case s.ListType() == structural.ListSet:
		word("items must differ")
	case s.ListType() == structural.ListAtomic:
		word("an apply replaces the whole list")
	case s.MapType() == structural.MapAtomic:
		word("an apply replaces the whole object")
	}
	if s.EmbeddedResource() {
		word("is a resource with apiVersion, kind and metadata")
	}
	if s.PreservesUnknownFields() {
		word("unknown fields are kept")
	}
	return facts
}

// alternatives returns what the junctors ask for, in words where branches only
// require fields.
func alternatives(v *structural.ValueValidation) (facts []Fact) {
	for _, junctor := range []struct {
		name, words string
		branches    []*structural.Schema
	}{
		{"anyOf", "at least one of", v.AnyOf}, {"oneOf", "exactly one of", v.OneOf},
		{"allOf", "all of", v.AllOf},
	} {
		if len(junctor.branches) == 0 {
			continue
		}
		if names := required(junctor.branches); names != "" {
			facts = append(facts, Fact{junctor.words, names, true})
			continue
		}
		if !isIntOrString(junctor.branches) {
			facts = append(facts, Fact{Name: fmt.Sprintf("must fit %s of %d schemas (%s)",
				strings.TrimSuffix(junctor.words, " of"), len(junctor.branches), junctor.name)})
		}
	}
	if v.Not != nil {
		facts = append(facts, Fact{Name: "must not fit a schema (not)"})
	}
	return facts
}

// required returns the fields that branches require, if they do nothing else.
func required(branches []*structural.Schema) string {
	var names []string
	for _, b := range branches {
		v := b.Values()
		plain := structural.ValueValidation{Required: v.Required}
		if len(v.Required) == 0 || !reflect.DeepEqual(*v, plain) || b.HasProperties() {
			return ""
		}
		names = append(names, strings.Join(v.Required, " and "))
	}
	return strings.Join(names, ", ")
}

// isIntOrString reports whether branches are those of an integer or a string.
func isIntOrString(branches []*structural.Schema) bool {
	return len(branches) == 2 && branches[0].Type() == "integer" && branches[1].Type() == "string"
}

// valueText returns a value as JSON.
func valueText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
