package upgrade

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/structural"
)

// effective returns a node with the keywords of the old schema at a path, and
// those that old rules amount to. It is nil if the path is not declared.
func (p *prover) effective(path []string) *node {
	schema := p.schema(path)
	if schema == nil {
		return nil
	}
	n := p.judges.node(schema)
	if value, isFixed := p.fixedAt(path); isFixed {
		return n.restricted(map[string]any{"enum": []any{value}})
	}
	keywords := map[string]any{}
	for _, k := range slices.Concat(keywordsOfScalars, keywordsOfSizes) {
		if value := k.value(n.values); !isAbsent(value) {
			keywords[k.name] = value
		}
	}
	if len(n.values.Enum) > 0 {
		keywords["enum"] = n.values.Enum
	}
	count := len(keywords)
	isNarrower := false
	if all := patternsOf(n); len(all) > 0 {
		keywords["allOf"] = all
	}
	p.rulesAbout(path, func(of *structural.Schema, x *expression, rest []string) {
		a := about{of, rest, schema.Type()}
		for _, more := range a.amounts(x.root, variables{"self": {}}) {
			isNarrower = true
			tighten(keywords, more)
		}
	})
	if !isNarrower && count == len(keywords) {
		return n
	}
	return n.restricted(keywords)
}

// patternsOf returns the patterns of allOf, as branches.
func patternsOf(n *node) (all []any) {
	for _, s := range n.values.AllOf {
		if pattern := s.Values().Pattern; pattern != "" {
			all = append(all, map[string]any{"pattern": pattern})
		}
	}
	return all
}

// about is a value that is there, of which a rule is asked what it says: its
// path from the node of the rule, and its type.
type about struct {
	node *structural.Schema
	path []string
	of   string
}

// amounts returns the keywords that an expression amounts to, which is true,
// for a value.
func (a about) amounts(e ast.Expr, in variables) []map[string]any {
	if e.Kind() != ast.CallKind {
		return nil
	}
	call := e.AsCall()
	switch call.FunctionName() {
	case operators.LogicalAnd:
		var list []map[string]any
		for _, part := range conjuncts(e) {
			list = append(list, a.amounts(part, in)...)
		}
		return list
	case operators.LogicalOr:
		return a.amountsOfAny(disjuncts(e), in)
	case operators.Conditional:
		switch condition := call.Args()[0]; {
		case isPresenceOf(condition, in, a.path, true):
			return a.amounts(call.Args()[1], in)
		case a.of == "" && isTextTest(condition, in, a.path):
			a.of = "string" // an enum would say something of integers as well
			return slices.DeleteFunc(a.amounts(call.Args()[1], in),
				func(keywords map[string]any) bool { return keywords["enum"] != nil })
		}
		return nil
	case "all":
		if inner, list, ok := ofItems(call, in); ok && len(list) < len(a.path) &&
			a.path[len(list)] == anyChild && isList(schemaAt(a.node, nodeOf(list))) {
			return a.amounts(call.Args()[1], inner)
		}
		return nil
	}
	if keywords := amount(call, in, a.path, a.of); keywords != nil {
		return []map[string]any{keywords}
	}
	return nil
}

// isList reports whether macros over a value look at its items: over a map they
// look at its keys.
func isList(s *structural.Schema) bool { return s != nil && s.Type() == "array" }

// amountsOfAny returns the keywords of one of several expressions. Those that
// say that the value is not there are left out.
func (a about) amountsOfAny(list []ast.Expr, in variables) []map[string]any {
	var enum []any
	rest := slices.DeleteFunc(slices.Clone(list), func(e ast.Expr) bool {
		return isPresenceOf(e, in, a.path, false)
	})
	if len(rest) == 1 {
		return a.amounts(rest[0], in)
	}
	for _, e := range rest {
		found := a.amounts(e, in)
		if len(found) != 1 || len(found[0]) != 1 || found[0]["enum"] == nil {
			return nil
		}
		enum = append(enum, found[0]["enum"].([]any)...)
	}
	if len(enum) == 0 {
		return nil
	}
	return []map[string]any{{"enum": enum}}
}

// isPresenceOf reports whether an expression is `has(q)`, or `!has(q)`, of a
// field on the way to a path, or at it.
func isPresenceOf(e ast.Expr, in variables, path []string, is bool) bool {
	if isCallOf(e, operators.LogicalNot) {
		return isPresenceOf(e.AsCall().Args()[0], in, path, !is)
	}
	if !is || !isCallOf(e, "has") {
		return false
	}
	at, ok := selected(e.AsCall().Args()[0], in)
	return ok && len(at) <= len(path) && slices.Equal(at, path[:len(at)])
}

// isTextTest reports whether an expression is `type(p) == string` of the value
// at a path. What holds of it then is what a keyword of strings says.
func isTextTest(e ast.Expr, in variables, path []string) bool {
	if !isCallOf(e, operators.Equals) {
		return false
	}
	args := e.AsCall().Args()
	if !isCallOf(args[0], "type") || args[0].AsCall().IsMemberFunction() ||
		args[1].Kind() != ast.IdentKind || args[1].AsIdent() != "string" {
		return false
	}
	at, ok := selected(args[0].AsCall().Args()[0], in)
	return ok && slices.Equal(at, path)
}

// amount returns the keywords of a comparison of the value at a path.
func amount(call ast.CallExpr, in variables, path []string, of string) map[string]any {
	args := append(targetOf(call), call.Args()...)
	if len(args) != 2 {
		return nil
	}
	name, value, literal := call.FunctionName(), args[0], args[1]
	if turned, isOrder := turnedOperators[name]; isOrder && value.Kind() == ast.LiteralKind {
		name, value, literal = turned, literal, value
	}
	isSize := isCallOf(value, "size")
	if isSize {
		value = append(targetOf(value.AsCall()), value.AsCall().Args()...)[0]
	}
	if at, ok := selected(value, in); !ok || !slices.Equal(at, path) {
		return nil
	}
	if isSize {
		return sizeKeywords(name, literal, of)
	}
	return valueKeywords(name, literal, of)
}

// tighten adds keywords to others, the narrower one of each.
func tighten(keywords, more map[string]any) {
	for _, name := range []string{"maximum", "maxLength", "maxItems", "maxProperties"} {
		bound(keywords, more, name, -1)
	}
	for _, name := range []string{"minimum", "minLength", "minItems", "minProperties"} {
		bound(keywords, more, name, 1)
	}
	if enum, has := more["enum"].([]any); has {
		if old, both := keywords["enum"].([]any); both {
			enum = slices.DeleteFunc(slices.Clone(old), func(v any) bool {
				return len(without([]any{v}, enum)) > 0
			})
		}
		if len(enum) > 0 { // else nothing is admitted, which proves nothing of use
			keywords["enum"] = enum
		}
	}
	if pattern, has := more["pattern"]; has && keywords["pattern"] == nil {
		keywords["pattern"] = pattern
	} else if has && keywords["pattern"] != pattern {
		all, _ := keywords["allOf"].([]any)
		keywords["allOf"] = append(all, map[string]any{"pattern": pattern})
	}
}

// bound takes over a bound that is narrower: a lower maximum (sign -1) or a
// higher minimum (sign 1).
func bound(keywords, more map[string]any, name string, sign float64) {
	value, has := more[name]
	if !has {
		return
	}
	old, both := keywords[name]
	if both && sign*numberOf(value) < sign*numberOf(old) {
		return
	}
	exclusive := exclusiveForms[name]
	isEqual := both && numberOf(value) == numberOf(old)
	keywords[name] = value
	if exclusive != "" && (!isEqual || more[exclusive] == true) {
		keywords[exclusive] = more[exclusive] == true
	}
}

func numberOf(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}
