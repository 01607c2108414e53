package spine

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// Keywords are those that restrict a value by themselves, in the order of
// reports. allOf and the like are constraints with branches.
var Keywords = []string{
	"maximum", "minimum", "multipleOf", "maxLength", "minLength", "pattern", "format",
	"maxItems", "minItems", "maxProperties", "minProperties", "enum",
	"allOf", "anyOf", "oneOf", "not", ListTypeKeyword,
}

// Names of keywords.
const (
	RulesKeyword       = "x-kubernetes-validations"
	ListTypeKeyword    = "x-kubernetes-list-type"
	ListMapKeysKeyword = "x-kubernetes-list-map-keys"
	IntOrStringKeyword = "x-kubernetes-int-or-string"
)

// Check decides whether a value satisfies one part of a schema. Package
// validation decides, by a schema that has only this part.
type Check struct{ validator func() *validation.Validator }

// Holds reports whether a value satisfies the part.
func (c Check) Holds(ctx context.Context, value any) bool {
	return len(c.validator().Values(ctx, nil, value)) == 0
}

// Takes is like Holds without a context, for small values.
func (c Check) Takes(value any) bool { return c.Holds(context.Background(), value) }

// HoldsInList reports whether a list has no duplicate items.
func (c Check) HoldsInList(ctx context.Context, value any) bool {
	return len(c.validator().ListTypes(ctx, map[string]any{"list": value})) == 0
}

// NewCheck returns the check of a schema. It is compiled when it is first
// needed. A schema that cannot be built holds for every value.
func NewCheck(raw map[string]any) Check {
	return Check{sync.OnceValue(func() *validation.Validator {
		schema, _ := structural.FromMap(raw) // nil if it cannot be built
		return validation.Compile(schema)
	})}
}

// Part returns a schema that has some keywords of another, and those of its
// type.
func Part(raw map[string]any, names ...string) map[string]any {
	out := map[string]any{}
	for _, name := range append(names, "type", "nullable", IntOrStringKeyword) {
		if value, ok := raw[name]; ok {
			out[name] = value
		}
	}
	return out
}

// Restricts reports whether a keyword can refuse a value that has the type of
// its node.
func Restricts(raw map[string]any, keyword string) bool {
	switch keyword {
	case "format":
		return !NewCheck(Part(raw, "format")).Takes("\x01") && raw["type"] == "string"
	case ListTypeKeyword:
		return raw[keyword] == "set" || raw[keyword] == "map"
	case "anyOf", "allOf":
		return raw[IntOrStringKeyword] != true
	}
	return true
}

// Text returns a JSON value as text, cut off where it is long.
func Text(value any) string {
	text, err := jsonvalue.EncodeJSON(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return string(text)
}
