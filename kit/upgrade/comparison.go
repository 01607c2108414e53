package upgrade

import (
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// refusesKeywords answers whether the keywords of one node refuse values of
// another one.
func refusesKeywords(from, to *node) verdict {
	if len(to.values.Enum) > 0 {
		return refusesByEnum(from, to).verdict
	}
	answer := no
	for _, k := range slices.Concat(keywordsOfScalars, keywordsOfSizes) {
		if isAbsent(k.value(to.values)) || strings.HasPrefix(k.name, "exclusive") {
			continue
		}
		if v := k.refuses(from, to).verdict; v != no {
			answer = v
		}
	}
	return answer
}

// asEquality returns `a == b` for `a != b`, whose literals are an enum.
func (p *prover) asEquality(call ast.CallExpr) ast.Expr {
	return ast.NewExprFactory().NewCall(0, operators.Equals, call.Args()...)
}

// comparison returns the value that an expression compares with literals, and
// the keywords that say the same, nil if there are none.
func (p *prover) comparison(e ast.Expr, in variables) (path []string, keywords map[string]any) {
	if e.Kind() != ast.CallKind {
		return nil, nil
	}
	call := e.AsCall()
	args := append(targetOf(call), call.Args()...)
	if len(args) != 2 {
		return nil, nil
	}
	name, value, literal := call.FunctionName(), args[0], args[1]
	if turned, isOrder := turnedOperators[name]; isOrder && value.Kind() == ast.LiteralKind {
		name, value, literal = turned, literal, value
	}
	isSize := isCallOf(value, "size")
	if isSize {
		value = append(targetOf(value.AsCall()), value.AsCall().Args()...)[0]
	}
	path, ok := selected(value, in)
	schema := p.schema(path)
	if !ok || schema == nil || schema.Nullable() || schema.Values().Format != "" {
		return nil, nil
	}
	if isSize {
		return path, sizeKeywords(name, literal, schema.Type())
	}
	return path, valueKeywords(name, literal, schema.Type())
}

// turnedOperators are the operators with their sides exchanged.
var turnedOperators = map[string]string{
	operators.Less: operators.Greater, operators.LessEquals: operators.GreaterEquals,
	operators.Greater: operators.Less, operators.GreaterEquals: operators.LessEquals,
	operators.Equals: operators.Equals,
}

// sizeKeywords returns the keywords of a size that is compared with a literal.
func sizeKeywords(operator string, literal ast.Expr, of string) map[string]any {
	unit := map[string]string{"string": "Length", "array": "Items", "object": "Properties"}[of]
	n, isInt := literalOf(literal).(int64)
	if unit == "" || !isInt || n < 0 {
		return nil
	}
	switch operator {
	case operators.Less:
		if n == 0 {
			return nil
		}
		return map[string]any{"max" + unit: n - 1}
	case operators.LessEquals:
		return map[string]any{"max" + unit: n}
	case operators.Greater:
		return map[string]any{"min" + unit: n + 1}
	case operators.GreaterEquals:
		return map[string]any{"min" + unit: n}
	}
	return nil
}

func literalOf(e ast.Expr) any {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	return e.AsLiteral().Value()
}

// valueKeywords returns the keywords of a value that is compared with literals.
func valueKeywords(operator string, literal ast.Expr, of string) map[string]any {
	if operator == operators.In && literal.Kind() == ast.ListKind {
		var enum []any
		for _, element := range literal.AsList().Elements() {
			v := literalOf(element)
			if !isOfType(v, of) {
				return nil
			}
			enum = append(enum, v)
		}
		if len(enum) == 0 {
			return nil
		}
		return map[string]any{"enum": enum}
	}
	switch v := literalOf(literal).(type) {
	case int64:
		const most = 1 << 53 // beyond which a bound is not exact
		if v > -most && v < most && isOfType(v, of) {
			return orderKeywords(operator, v, of)
		}
	case string:
		if of == "string" {
			return textKeywords(operator, v)
		}
	case bool:
		if of == "boolean" && operator == operators.Equals {
			return map[string]any{"enum": []any{v}}
		}
	}
	return nil
}

func orderKeywords(operator string, n int64, of string) map[string]any {
	isExclusive := of == "number"
	switch operator {
	case operators.Equals:
		return map[string]any{"enum": []any{n}}
	case operators.LessEquals:
		return map[string]any{"maximum": float64(n)}
	case operators.GreaterEquals:
		return map[string]any{"minimum": float64(n)}
	case operators.Less:
		if isExclusive {
			return map[string]any{"maximum": float64(n), "exclusiveMaximum": true}
		}
		return map[string]any{"maximum": float64(n - 1)}
	case operators.Greater:
		if isExclusive {
			return map[string]any{"minimum": float64(n), "exclusiveMinimum": true}
		}
		return map[string]any{"minimum": float64(n + 1)}
	}
	return nil
}

func textKeywords(operator, text string) map[string]any {
	quoted := regexp.QuoteMeta(text)
	switch operator {
	case operators.Equals:
		return map[string]any{"enum": []any{text}}
	case "matches":
		return map[string]any{"pattern": text}
	case "startsWith":
		return map[string]any{"pattern": "^" + quoted}
	case "endsWith":
		return map[string]any{"pattern": quoted + "$"}
	case "contains":
		return map[string]any{"pattern": quoted}
	}
	return nil
}
