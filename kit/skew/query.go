package skew

import (
	"fmt"
	"regexp"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// query returns a test of the values of a query as a pattern of the whole URL.
// url(s).getQuery()['a'].exists(v, v == 'x') is
// url(s).getQuery()['a'].size() > 0 ? s.matches('…a=x…') : false. The first
// part is never false: it ends with an error where the other way to write it
// does.
func (w *rewriter) query(call ast.CallExpr) ast.Expr {
	values, wanted := containing(call)
	if values == nil || !isCallOf(values, operators.Index, 2) {
		return nil
	}
	query, key := values.AsCall().Args()[0], values.AsCall().Args()[1]
	name, isText := textOf(key)
	if !isCallOf(query, "getQuery", 0) || !isText || name == "" {
		return nil
	}
	address := query.AsCall().Target()
	if !isCallOf(address, "url", 1) || address.AsCall().IsMemberFunction() {
		return nil
	}
	size := w.NewMemberCall(0, "size", w.CopyExpr(values))
	pattern := w.NewLiteral(0, types.String(queryPattern(name, wanted)))
	return w.NewCall(0, operators.Conditional,
		w.NewCall(0, operators.Greater, size, w.NewLiteral(0, types.Int(0))),
		w.NewMemberCall(0, "matches", w.CopyExpr(address.AsCall().Args()[0]), pattern),
		w.NewLiteral(0, types.False))
}

// containing returns the list and the string of a test whether a list has a
// string: list.exists(v, v == 'x'), or 'x' in list.
func containing(call ast.CallExpr) (list ast.Expr, wanted string) {
	args, item := call.Args(), ast.Expr(nil)
	switch name := call.FunctionName(); {
	case name == operators.In || name == operators.OldIn:
		list, item = args[1], args[0]
	case name == "exists" && call.IsMemberFunction() && len(args) == 2 &&
		args[0].Kind() == ast.IdentKind && isCallOf(args[1], operators.Equals, 2):
		sides := args[1].AsCall().Args()
		for i, side := range sides {
			if side.Kind() == ast.IdentKind && side.AsIdent() == args[0].AsIdent() {
				list, item = call.Target(), sides[1-i]
			}
		}
	}
	if item == nil {
		return nil, ""
	}
	wanted, isText := textOf(item)
	if !isText {
		return nil, ""
	}
	return list, wanted
}

// textOf returns a string that an expression is written as.
func textOf(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok := e.AsLiteral().(types.String)
	return string(text), ok
}

// queryPattern returns the pattern of URLs whose query has a value of a key.
// Characters of both may be escaped there.
func queryPattern(key, value string) string {
	is := "=" + encodedPattern(value, "")
	if value == "" {
		is = "=?"
	}
	return "^[^?#]*[?]([^#]*&)?" + encodedPattern(key, "=") + is + "([&#]|$)"
}

// encodedPattern returns the pattern of the ways to write a text in a query.
// The reserved characters stand for themselves only if they are escaped, like
// those that are reserved in all parts of a query.
func encodedPattern(text, reserved string) string {
	var b strings.Builder
	for _, r := range text {
		var ways []string
		if !strings.ContainsRune("%&;+#"+reserved, r) {
			ways = append(ways, regexp.QuoteMeta(string(r)))
		}
		if r == ' ' {
			ways = append(ways, `[+]`)
		}
		escaped := ""
		for _, c := range []byte(string(r)) {
			escaped += "%" + hexPattern(c>>4) + hexPattern(c&15)
		}
		b.WriteString("(" + strings.Join(append(ways, escaped), "|") + ")")
	}
	return b.String()
}

// hexPattern returns the pattern of a hexadecimal digit in both cases.
func hexPattern(digit byte) string {
	if digit < 10 {
		return fmt.Sprint(digit)
	}
	return fmt.Sprintf("[%X%x]", digit, digit)
}
