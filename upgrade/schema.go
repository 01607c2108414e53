package upgrade

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// target says where objects are looked for that show a change.
type target struct {
	// node leads to the node of the change, a step to each child: ".name" to a
	// property, "[]" to items, "{}" to the values of a map.
	node  []string
	hints []any
	rule  string // of a change of rules
	// isAlternative is set if the change is one of several at this keyword, of
	// which only some need to be shown.
	isAlternative bool
}

// unknownField is the hint that a value is tried with an unknown field.
type unknownField struct{}

// steps of a target's node.
const (
	itemStep   = "[]"
	valueStep  = "{}"
	memberStep = "."
)

// fieldPath returns a node's path as it is shown, e.g. spec.ports[*].name.
func fieldPath(node []string) string {
	path := ""
	for _, step := range node {
		switch {
		case step == itemStep, step == valueStep:
			path += "[*]"
		case path == "":
			path = step[len(memberStep):]
		default:
			path += step
		}
	}
	return path
}

// schemaComparison collects the changes between two schemas of a version.
type schemaComparison struct {
	version string
	changes []Change
}

// compareSchemas returns the changes between two schemas, parents first, then
// properties in the order of their names.
func compareSchemas(version string, old, changed *structural.Schema) []Change {
	c := &schemaComparison{version: version}
	c.node(nil, old, changed)
	return c.changes
}

// node compares two nodes and everything below them.
func (c *schemaComparison) node(at []string, old, changed *structural.Schema) {
	if structural.Equal(old, changed) {
		return
	}
	if old.Type() != changed.Type() || old.IntOrString() != changed.IntOrString() {
		c.addAll(at, difference{
			keyword: "type", old: typeOf(old), new: typeOf(changed),
			classes: typeClasses(old, changed),
			hints:   []any{"text", "1", int64(1), 1.5, true, map[string]any{}, []any{}},
		})
		if old.Type() != changed.Type() {
			return // their other keywords do not meet
		}
	}
	c.keywords(at, old, changed)
	c.rules(at, old.Rules(), changed.Rules())
	c.properties(at, old, changed)
	c.node(append(slices.Clone(at), itemStep), old.Items(), changed.Items())
	c.additional(at, old, changed)
}

func typeOf(s *structural.Schema) any {
	if s.IntOrString() {
		return "int-or-string"
	}
	return textOf(s.Type())
}

// typeClasses returns the classes of another type. A number takes integers, and
// int-or-string takes both.
func typeClasses(old, changed *structural.Schema) []Class {
	wider := func(a, b *structural.Schema) bool {
		return b.IntOrString() && (a.Type() == "integer" || a.Type() == "string") ||
			b.Type() == "number" && a.Type() == "integer" || b.Type() == "" && !b.IntOrString()
	}
	return direction(!wider(old, changed), !wider(changed, old))
}

func (c *schemaComparison) add(at []string, d difference, class Class) {
	c.changes = append(c.changes, Change{
		Version: c.version, Path: fieldPath(at), Keyword: d.keyword, Old: d.old, New: d.new,
		Class: class, target: target{node: at, hints: d.hints},
	})
}

// addAll adds a change for each class of a difference.
func (c *schemaComparison) addAll(at []string, d difference) {
	for _, class := range d.classes {
		c.add(at, d, class)
	}
}

// keywords compares what the nodes themselves say.
func (c *schemaComparison) keywords(at []string, old, changed *structural.Schema) {
	for _, d := range compareValues(old.Values(), changed.Values()) {
		c.addAll(at, d)
	}
	for _, d := range compareRequired(old.Values(), changed.Values()) {
		name, _ := d.new.(string)
		if name == "" {
			name, _ = d.old.(string)
		}
		c.addAll(append(slices.Clone(at), memberStep+name), d)
	}
	if old.Nullable() != changed.Nullable() {
		c.alternatives(at, difference{
			keyword: "nullable", old: old.Nullable(), new: changed.Nullable(), hints: []any{nil},
			classes: append(direction(old.Nullable(), changed.Nullable()), ChangesStorage),
		})
	}
	if !jsonvalue.EqualNumbers(old.Default(), changed.Default()) {
		c.alternatives(at, difference{
			keyword: "default", old: old.Default(), new: changed.Default(), hints: []any{nil},
			classes: append(direction(old.Default() != nil, changed.Default() != nil),
				ChangesStorage),
		})
	}
	c.flags(at, old, changed)
	c.listsAndMaps(at, old, changed)
}

// alternatives adds a change for each class of a difference. Which of them
// there is depends on the rest of the schema, e.g. a null that is no value is
// dropped, or refused if the field is required; a new field may take any value.
func (c *schemaComparison) alternatives(at []string, d difference) {
	first := len(c.changes)
	c.addAll(at, d)
	for i := range c.changes[first:] {
		c.changes[first+i].target.isAlternative = true
	}
}

// flags compares the extensions that switch pruning and the validation of
// embedded resources.
func (c *schemaComparison) flags(at []string, old, changed *structural.Schema) {
	if a, b := old.PreservesUnknownFields(), changed.PreservesUnknownFields(); a != b {
		c.add(at, difference{
			keyword: "x-kubernetes-preserve-unknown-fields", old: a, new: b,
			hints: []any{unknownField{}},
		}, ChangesStorage)
	}
	if a, b := old.EmbeddedResource(), changed.EmbeddedResource(); a != b {
		c.addAll(at, difference{
			keyword: "x-kubernetes-embedded-resource", old: a, new: b, classes: direction(b, a),
			hints: []any{map[string]any{}, map[string]any{"apiVersion": "x", "kind": "y"}},
		})
	}
}

// listsAndMaps compares the types of lists and maps and the keys of list maps.
// Merging differs with each of them, and sets and maps refuse duplicates.
func (c *schemaComparison) listsAndMaps(at []string, old, changed *structural.Schema) {
	if was, is := listType(old), listType(changed); was != is {
		c.addAll(at, difference{
			keyword: "x-kubernetes-list-type", old: string(was), new: string(is),
			classes: append(direction(is != structural.ListAtomic, was != structural.ListAtomic),
				ChangesMerging),
		})
	} else if a, b := old.ListMapKeys(), changed.ListMapKeys(); !slices.Equal(a, b) {
		c.addAll(at, difference{
			keyword: "x-kubernetes-list-map-keys", old: names(a), new: names(b),
			classes: append(direction(hasOther(a, b), hasOther(b, a)), ChangesMerging),
		})
	}
	if a, b := mapType(old), mapType(changed); a != b {
		c.add(at, difference{
			keyword: "x-kubernetes-map-type", old: string(a), new: string(b),
		}, ChangesMerging)
	}
}

func listType(s *structural.Schema) structural.ListType {
	return cmp.Or(s.ListType(), structural.ListAtomic)
}

func mapType(s *structural.Schema) structural.MapType {
	return cmp.Or(s.MapType(), structural.MapGranular)
}

// hasOther reports whether a list has a name that another one lacks.
func hasOther(list, other []string) bool {
	isOther := func(name string) bool { return !slices.Contains(other, name) }
	return slices.ContainsFunc(list, isOther)
}

func names(list []string) any {
	values := make([]any, len(list))
	for i, name := range list {
		values[i] = name
	}
	return values
}

// properties compares the properties of two objects. A field that one side does
// not know is pruned there, unless unknown fields are preserved.
func (c *schemaComparison) properties(at []string, old, changed *structural.Schema) {
	all := map[string]bool{}
	for _, name := range slices.Concat(old.PropertyNames(), changed.PropertyNames()) {
		all[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		below := append(slices.Clone(at), memberStep+name)
		was, is := old.Property(name), changed.Property(name)
		switch {
		case was != nil && is != nil:
			c.node(below, was, is)
		case was != nil:
			c.field(below, difference{keyword: "properties", old: typeOf(was)}, changed)
		default:
			c.field(below, difference{keyword: "properties", new: typeOf(is)}, old)
		}
	}
}

// field adds the change of a field that only one side knows. Other is the node
// that lacks it.
func (c *schemaComparison) field(at []string, d difference, other *structural.Schema) {
	switch additional := other.AdditionalProperties(); {
	case other.PreservesUnknownFields() || additional != nil:
		// It is kept on both sides, and checked on one.
		c.addAll(at, difference{
			keyword: d.keyword, old: d.old, new: d.new,
			classes: direction(d.new != nil, d.old != nil),
		})
	case d.new != nil && other.Type() == "object" || d.old != nil:
		d.classes = []Class{ChangesStorage}
		if d.new != nil {
			d.classes = append(d.classes, Stricter)
		}
		if name := at[len(at)-1][len(memberStep):]; slices.Contains(other.Values().Required, name) {
			// It is required and pruned on one side.
			d.classes = direction(d.old != nil, d.new != nil)
		}
		c.alternatives(at, d)
	}
}

// additional compares the values of maps.
func (c *schemaComparison) additional(at []string, old, changed *structural.Schema) {
	a, b := old.AdditionalProperties(), changed.AdditionalProperties()
	below := append(slices.Clone(at), valueStep)
	switch {
	case a == nil && b == nil:
	case a != nil && b != nil && a.Schema != nil && b.Schema != nil:
		c.node(below, a.Schema, b.Schema)
	case a == nil || b == nil || a.Allows != b.Allows || (a.Schema == nil) != (b.Schema == nil):
		c.add(below, difference{
			keyword: "additionalProperties", old: additionalOf(a), new: additionalOf(b),
		}, ChangesStorage)
	}
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

// rules compares the validation rules of a node by their expressions.
func (c *schemaComparison) rules(at []string, old, changed []structural.Rule) {
	find := func(list []structural.Rule, rule structural.Rule) int {
		return slices.IndexFunc(list, func(r structural.Rule) bool { return r.Rule == rule.Rule })
	}
	for _, rule := range old {
		if find(changed, rule) < 0 {
			c.rule(at, Looser, rule.Rule, Change{Old: rule.Rule})
		}
	}
	for _, rule := range changed {
		i := find(old, rule)
		switch {
		case i < 0:
			c.rule(at, Stricter, rule.Rule, Change{New: rule.Rule})
		case isOptional(old[i]) != isOptional(rule):
			change := Change{
				Old: rule.Rule, New: rule.Rule,
				Message: "optionalOldSelf is " + onOff(isOptional(rule)),
			}
			c.rule(at, Stricter, rule.Rule, change)
			c.rule(at, Looser, rule.Rule, change)
		case !sameTexts(old[i], rule):
			c.rule(at, Cosmetic, rule.Rule, Change{
				Old: messageOf(old[i]), New: messageOf(rule), Message: rule.Rule,
			})
		}
	}
}

// rule adds a change of a rule.
func (c *schemaComparison) rule(at []string, class Class, rule string, change Change) {
	change.Version, change.Path, change.Keyword = c.version, fieldPath(at), rulesKeyword
	change.Class, change.target = class, target{node: at, rule: rule}
	c.changes = append(c.changes, change)
}

const rulesKeyword = "x-kubernetes-validations"

func isOptional(rule structural.Rule) bool {
	return rule.OptionalOldSelf != nil && *rule.OptionalOldSelf
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// sameTexts reports whether two rules with one expression report the same.
func sameTexts(a, b structural.Rule) bool {
	a.OptionalOldSelf, b.OptionalOldSelf = nil, nil
	return a == b
}

// messageOf returns what a rule reports, as far as it is not the default.
func messageOf(rule structural.Rule) any {
	texts := map[string]any{}
	for name, text := range map[string]string{
		"message": rule.Message, "messageExpression": rule.MessageExpression,
		"reason": rule.Reason, "fieldPath": rule.FieldPath,
	} {
		if text != "" {
			texts[name] = text
		}
	}
	return texts
}
