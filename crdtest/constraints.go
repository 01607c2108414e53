package crdtest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// keywords are those that restrict a value by themselves, in the order of
// reports. allOf and the like are constraints with branches.
var keywords = []string{
	"maximum", "minimum", "multipleOf", "maxLength", "minLength", "pattern", "format",
	"maxItems", "minItems", "maxProperties", "minProperties", "enum",
	"allOf", "anyOf", "oneOf", "not", listTypeKeyword,
}

const (
	rulesKeyword       = "x-kubernetes-validations"
	listTypeKeyword    = "x-kubernetes-list-type"
	listMapKeysKeyword = "x-kubernetes-list-map-keys"
	intOrStringKeyword = "x-kubernetes-int-or-string"
)

// check decides whether a value satisfies one part of a schema. Package
// validation decides, by a schema that has only this part.
type check struct{ validator func() *validation.Validator }

// holds reports whether a value satisfies the part.
func (c check) holds(ctx context.Context, value any) bool {
	return len(c.validator().Values(ctx, nil, value)) == 0
}

// takes is holds without a context, for small values.
func (c check) takes(value any) bool { return c.holds(context.Background(), value) }

// holdsInList reports whether a list has no duplicate items.
func (c check) holdsInList(ctx context.Context, value any) bool {
	return len(c.validator().ListTypes(ctx, map[string]any{"list": value})) == 0
}

// newCheck returns the check of a schema. It is compiled when it is first
// needed. A schema that cannot be built holds for every value.
func newCheck(raw map[string]any) check {
	return check{sync.OnceValue(func() *validation.Validator {
		schema, err := structural.FromMap(raw)
		if err != nil {
			return nil
		}
		return validation.Compile(schema)
	})}
}

// typeCheck returns the check of the type of a node's values.
func typeCheck(raw map[string]any) check { return newCheck(part(raw)) }

// part returns a schema that has some keywords of another, and those of its
// type.
func part(raw map[string]any, names ...string) map[string]any {
	out := map[string]any{}
	for _, name := range append(names, "type", "nullable", intOrStringKeyword) {
		if value, ok := raw[name]; ok {
			out[name] = value
		}
	}
	return out
}

// addConstraints adds the constraints of a node.
func (s *schemaCoverage) addConstraints(n *node) {
	required, _ := n.raw["required"].([]any)
	for i, value := range required {
		if name, ok := value.(string); ok && n.required[name] == nil {
			keyword := fmt.Sprintf("required[%d]", i)
			n.required[name] = s.add(n, Constraints, keyword, name, goalPassed, goalFailed)
		}
	}
	for _, keyword := range keywords {
		if value, ok := n.raw[keyword]; ok && restricts(n.raw, keyword) {
			s.addConstraint(n, keyword, value)
		}
	}
}

// restricts reports whether a keyword can refuse a value that has the type of
// its node.
func restricts(raw map[string]any, keyword string) bool {
	switch keyword {
	case "format":
		return !newCheck(part(raw, "format")).takes("\x01") && raw["type"] == "string"
	case listTypeKeyword:
		return raw[keyword] == "set" || raw[keyword] == "map"
	case "anyOf", "allOf":
		return raw[intOrStringKeyword] != true
	}
	return true
}

func (s *schemaCoverage) addConstraint(n *node, keyword string, value any) {
	item := s.add(n, Constraints, keyword, textOf(value), goalPassed, goalFailed)
	c := counted{item, newCheck(constraintPart(n.raw, keyword))}
	if keyword == listTypeKeyword {
		c.check = newCheck(map[string]any{
			"type":       "object",
			"properties": map[string]any{"list": listPart(n.raw)},
		})
	}
	n.checks = append(n.checks, c)
	values, _ := value.([]any)
	for i, branch := range values {
		at := fmt.Sprintf("%s[%d]", keyword, i)
		switch {
		case keyword == "enum":
			item := s.add(n, EnumValues, at, textOf(branch), goalSeen)
			only := newCheck(map[string]any{"enum": []any{branch}})
			n.checks = append(n.checks, counted{item, only})
		case len(values) > 1:
			item := s.add(n, Constraints, at, textOf(branch), goalPassed, goalFailed)
			only := newCheck(map[string]any{"allOf": []any{branch}})
			n.checks = append(n.checks, counted{item, only})
		}
	}
}

// constraintPart returns the schema of one keyword of a node.
func constraintPart(raw map[string]any, keyword string) map[string]any {
	switch keyword {
	case "maximum":
		return part(raw, keyword, "exclusiveMaximum")
	case "minimum":
		return part(raw, keyword, "exclusiveMinimum")
	}
	return part(raw, keyword)
}

// listPart returns the schema of a list without what restricts its items.
func listPart(raw map[string]any) map[string]any {
	out := part(raw, listTypeKeyword, listMapKeysKeyword)
	items, _ := raw["items"].(map[string]any)
	slim := part(items)
	if properties, ok := items["properties"].(map[string]any); ok {
		keys, _ := raw[listMapKeysKeyword].([]any)
		kept := map[string]any{}
		for _, name := range jsonvalue.SortedKeys(properties) {
			property, ok := properties[name].(map[string]any)
			if ok && slices.Contains(keys, any(name)) {
				kept[name] = part(property)
			}
		}
		slim["properties"] = kept
	}
	out["items"] = slim
	return out
}

// count counts a value.
func (c *counted) count(ctx context.Context, value any) {
	switch {
	case c.item.Class == EnumValues:
		if c.check.holds(ctx, value) {
			c.item.saw(goalSeen, 1)
		}
	case c.item.Keyword == listTypeKeyword:
		c.item.sawOutcome(c.check.holdsInList(ctx, value))
	default:
		c.item.sawOutcome(c.check.holds(ctx, value))
	}
}
