package celfunctions

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

//go:embed values.txt
var valuesText string

// Fields returns the schemas of the fields of self that values name, and an
// object that has the fields.
func Fields() (properties, object map[string]any) {
	type m = map[string]any
	of := func(typ string) m { return m{"type": typ} }
	list := func(items m) m { return m{"type": "array", "items": items} }
	keyed := list(m{
		"type": "object", "required": []any{"k"},
		"properties": m{"k": of("string"), "v": of("integer")},
	})
	keyed["x-kubernetes-list-type"], keyed["x-kubernetes-list-map-keys"] = "map", []any{"k"}
	set := list(of("string"))
	set["x-kubernetes-list-type"] = "set"
	nulls := list(m{"type": "string", "nullable": true})
	object = m{
		"s": "abc", "e": "", "i": int64(3), "d": 2.5, "b": true, "bytes": "YWJj", "span": "1m30s",
		"time": "2024-02-29T01:02:03Z", "words": []any{"b", "a", "", "b"}, "empty": []any{},
		"numbers": []any{int64(2), int64(-1), int64(2)}, "nulls": []any{nil, "a"},
		"lists": []any{[]any{"a"}, []any{}}, "objects": []any{m{"p": "a"}, m{}},
		"set": []any{"a", "b"}, "listMap": []any{m{"k": "a", "v": int64(1)}, m{"k": "b"}},
		"map": m{"a": "x", "b": ""}, "emptyMap": m{},
		"object":  m{"p": "a", "more": []any{m{"x": int64(1)}}, "none": nil},
		"unknown": m{"a": int64(1), "list": []any{int64(1), "a", []any{}, nil}}, "either": "10%",
		"embedded": m{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": m{"name": "n", "more": []any{}},
			"data": m{"a": nil},
		},
	}
	return m{
		"s": of("string"), "e": of("string"),
		"i": of("integer"), "d": of("number"), "b": of("boolean"),
		"bytes":    m{"type": "string", "format": "byte"},
		"span":     m{"type": "string", "format": "duration"},
		"time":     m{"type": "string", "format": "date-time"},
		"words":    list(of("string")),
		"empty":    list(of("string")),
		"numbers":  list(of("integer")),
		"nulls":    nulls,
		"lists":    list(list(of("string"))),
		"objects":  list(m{"type": "object", "properties": m{"p": of("string")}}),
		"set":      set,
		"listMap":  keyed,
		"map":      m{"type": "object", "additionalProperties": of("string")},
		"emptyMap": m{"type": "object", "additionalProperties": of("string")},
		"object": m{
			"type": "object", "properties": m{"p": of("string"), "none": of("string")},
			"x-kubernetes-preserve-unknown-fields": true,
		},
		"unknown": m{"x-kubernetes-preserve-unknown-fields": true},
		"either":  m{"x-kubernetes-int-or-string": true},
		"embedded": m{
			"type": "object", "x-kubernetes-embedded-resource": true,
			"x-kubernetes-preserve-unknown-fields": true,
		},
	}, object
}

// Expression is a rule of the table of functions.
type Expression struct {
	// Rule is false or fails, so that the message is seen, unless the call is
	// of type bool.
	Rule string
	// Message is an expression with the result of the call.
	Message string
	// IsFirst marks the first call of an overload.
	IsFirst bool
}

func newExpression(call string) Expression {
	return Expression{Rule: "[" + call + "].size() == 0", Message: "'%s'.format([" + call + "])"}
}

// Expressions returns the table of functions: a call of each overload with each
// combination of values, at most so many of them, and each macro of each value
// that has elements.
func Expressions(env *cel.Env, most int) []Expression {
	values := readValues()
	var out []Expression
	for _, c := range Overloads(env) {
		for i, args := range combinations(c.values(values), most) {
			call := c.Call(args)
			out = append(out, newExpression(call))
			out[len(out)-1].IsFirst = i == 0
			if c.Result == types.BoolType {
				out = append(out, Expression{Rule: call})
			}
		}
	}
	for _, call := range values["call"] {
		out = append(out, newExpression(call))
	}
	for _, macro := range values["macro"] {
		for _, kind := range []string{"list", "map", "optional_type", "dyn"} {
			for _, v := range values[kind] {
				out = append(out, newExpression(strings.ReplaceAll(macro, "$", v)))
			}
		}
	}
	return out
}

// readValues reads the values by their section.
func readValues() map[string][]string {
	values := map[string][]string{}
	section := ""
	for line := range strings.Lines(valuesText) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(line, "== "); ok {
			section = name
			continue
		}
		values[section] = append(values[section], line)
	}
	return values
}

// greatest is the greatest integer, of which lists.range never ends before
// Kubernetes 1.37.
const greatest = "9223372036854775807"

// values returns the values of each argument. There are none of the types of
// the authorizer, which no rule has.
func (c Callable) values(byType map[string][]string) [][]string {
	out := make([][]string, len(c.Args))
	for i, t := range c.Args {
		switch t.Kind() {
		case types.DynKind, types.AnyKind, types.TypeParamKind:
			out[i] = byType["dyn"]
		default:
			out[i] = byType[t.TypeName()]
		}
		if c.Name == "lists.range" {
			isGreatest := func(text string) bool { return text == greatest }
			out[i] = slices.DeleteFunc(slices.Clone(out[i]), isGreatest)
		}
		if pool := StringsFor(c.ID, i); pool != nil && t == types.StringType {
			out[i] = []string{"self.s", "self.e", "dyn(1)"}
			for _, s := range pool {
				out[i] = append(out[i], Quote(s))
			}
		}
	}
	return out
}

// combinations returns the combinations of one value of each list, at most so
// many of them.
func combinations(lists [][]string, most int) [][]string {
	total := 1
	for _, list := range lists {
		total *= len(list)
	}
	const step = 7919 // a prime that divides no total: all are reached
	var out [][]string
	for k := range min(total, most) {
		at := k * step % total
		args := make([]string, len(lists))
		for i, list := range lists {
			args[i], at = list[at%len(list)], at/len(list)
		}
		out = append(out, args)
	}
	return out
}
