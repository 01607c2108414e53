package lint

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// conversions are functions that fail for some strings, and the functions that
// ask before.
var conversions = map[string]string{
	"quantity": "isQuantity", "url": "isURL", "ip": "isIP", "cidr": "isCIDR", "semver": "isSemver",
	"duration": "", "timestamp": "", "int": "", "double": "",
}

// endsWithError looks for parts of a rule that fail for an ordinary object: the
// server refuses it with an error of evaluation and not with the message.
func (r *rule) endsWithError(all string) {
	ast.PostOrderVisit(r.root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind {
			return
		}
		call := e.AsCall()
		switch name := call.FunctionName(); {
		case name == operators.Index:
			r.indexes(call, all)
		case name == operators.Divide || name == operators.Modulo:
			r.divides(call, all)
		case !call.IsMemberFunction() && len(call.Args()) == 1:
			if asks, isConversion := conversions[name]; isConversion {
				r.converts(name, asks, call.Args()[0], all)
			}
		}
	}))
}

// field returns the text and the node of a field of self, e.g. self.l.
func (r *rule) field(e ast.Expr) (text string, n *node) {
	switch e.Kind() {
	case ast.IdentKind:
		if e.AsIdent() == "self" {
			return "self", r.node
		}
	case ast.SelectKind:
		text, n = r.field(e.AsSelect().Operand())
		if n != nil {
			name := e.AsSelect().FieldName()
			return text + "." + name, n.property(celsyntax.Field(name))
		}
	}
	return "", nil
}

func (r *rule) fails(text, when, hint string) {
	r.w.add("LINT-error", r.at+".rule", hint,
		"the rule ends with an error, and not with its message, if %s", fmt.Sprintf(when, text))
}

// indexes looks for a literal index that no size, and a literal key that no
// `in`, is asked for.
func (r *rule) indexes(call ast.CallExpr, all string) {
	text, n := r.field(call.Args()[0])
	index := call.Args()[1]
	if n == nil || index.Kind() != ast.LiteralKind {
		return
	}
	switch key := index.AsLiteral().Value().(type) {
	case int64:
		least := number(n.doc["minItems"], -1)
		if n.doc["type"] != "array" || least > float64(key) ||
			strings.Contains(all, text+".size()") || strings.Contains(all, "size("+text+")") ||
			strings.Contains(all, text+"!=[]") || strings.Contains(all, text+".exists") {
			return
		}
		r.fails(text, fmt.Sprintf("%%s has no item %d", key),
			fmt.Sprintf("write `size(%s) <= %d || …`, or set `minItems`", text, key))
	case string:
		if n.doc["type"] != "object" || n.child("additionalProperties") == nil ||
			strings.Contains(all, "'"+key+"'in"+text) ||
			strings.Contains(all, "has("+text+"."+key+")") {
			return
		}
		r.fails(text, fmt.Sprintf("%%s has no key %q", key),
			fmt.Sprintf("write `!('%s' in %s) || …`", key, text))
	}
}

// divides looks for a divisor that may be 0.
func (r *rule) divides(call ast.CallExpr, all string) {
	text, n := r.field(call.Args()[1])
	if n == nil || n.doc["type"] != "integer" || n.doc["enum"] != nil {
		return
	}
	if least := number(n.doc["minimum"], -1); least > 0 ||
		least == 0 && n.doc["exclusiveMinimum"] == true {
		return
	}
	all = strings.NewReplacer("/"+text, "", "%"+text, "").Replace(all)
	for _, compared := range []string{"==", "!=", "<", ">"} {
		if strings.Contains(all, text+compared) {
			return
		}
	}
	r.fails(text, "%s is 0", fmt.Sprintf("write `%s == 0 || …`, or set `minimum: 1`", text))
}

// converts looks for a field that is converted unasked. A rule at the string
// itself, e.g. `duration(self) > duration('1s')`, is taken to ask by that.
func (r *rule) converts(function, asks string, arg ast.Expr, all string) {
	text, n := r.field(arg)
	if n == nil || n == r.node || n.doc["type"] != "string" || n.doc["pattern"] != nil ||
		n.doc["enum"] != nil || n.doc["format"] != nil || n.doc["allOf"] != nil ||
		n.doc["anyOf"] != nil || strings.Contains(all, text+".matches(") {
		return
	}
	if asks != "" && strings.Contains(all, asks+"("+text) {
		return
	}
	for _, rule := range rulesOf(n) { // the field's own rules
		if strings.Contains(rule, "self.matches(") ||
			asks != "" && strings.Contains(rule, asks+"(self") {
			return
		}
	}
	hint := "set a `pattern` for the field"
	if asks != "" {
		hint = fmt.Sprintf("write `%s(%s) && …`, or set a `pattern`", asks, text)
	}
	r.fails(text, "%s is no "+function, hint)
}
