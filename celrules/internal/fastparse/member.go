package fastparse

import (
	"strconv"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// reserved reports whether a word cannot be a variable or function. It can be a
// field, e.g. `self.namespace`.
func reserved(word string) bool {
	switch word {
	case "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
		"loop", "package", "namespace", "return", "var", "void", "while":
		return true
	}
	return false
}

// word returns the text of a token.
func (r *run) word(t token) string { return r.content[t.start:t.end] }

// member parses a primary expression with selections, calls and indices after
// it.
func (r *run) member() tree {
	operand := r.primary()
	for !r.failed {
		switch r.token.kind {
		case '.':
			operand = r.selection(operand)
		case '[':
			operand = r.index(operand)
		default:
			return operand
		}
	}
	return operand
}

// selection parses `.name`, `.?name` and `.name(…)`.
func (r *run) selection(operand tree) tree {
	dot := r.advance()
	_, optional := r.take('?')
	field := r.expect(tokName)
	if r.failed {
		return operand
	}
	if optional {
		key := r.factory.NewLiteral(r.id(field), types.String(r.word(field)))
		return r.operation(r.id(dot), operators.OptSelect, operand, tree{expr: key})
	}
	if open, ok := r.take('('); ok {
		id := r.id(open)
		return r.call(id, r.word(field), &operand, r.arguments())
	}
	return tree{r.factory.NewSelect(r.id(dot), operand.expr, r.word(field)), operand.height + 1}
}

// index parses `[i]` and `[?i]`.
func (r *run) index(operand tree) tree {
	id := r.id(r.advance())
	operator := operators.Index
	if _, optional := r.take('?'); optional {
		operator = operators.OptIndex
	}
	at := r.expression()
	r.expect(']')
	return r.operation(id, operator, operand, at)
}

// arguments parses what follows an opening parenthesis.
func (r *run) arguments() []tree {
	var out []tree
	if _, none := r.take(')'); none {
		return out
	}
	for !r.failed {
		out = append(out, r.expression())
		if _, more := r.take(','); !more {
			r.expect(')')
			break
		}
	}
	return out
}

// primary parses a name, a global call, a literal, a list, a map, or an
// expression in parentheses.
func (r *run) primary() tree {
	switch r.token.kind {
	case tokName:
		return r.named()
	case '(':
		r.advance()
		inner := r.expression()
		r.expect(')')
		return tree{inner.expr, inner.height + 1}
	case '[':
		return r.list()
	case '{':
		return r.mapping()
	}
	return r.literal()
}

// named parses a name or a global call.
func (r *run) named() tree {
	t := r.advance()
	if reserved(r.word(t)) {
		return r.fail()
	}
	if open, ok := r.take('('); ok {
		id := r.id(open)
		return r.call(id, r.word(t), nil, r.arguments())
	}
	return tree{expr: r.factory.NewIdent(r.id(t), r.word(t))}
}

// list parses `[a, ?b,]`.
func (r *run) list() tree {
	id := r.id(r.advance())
	elements, optionals := []tree(nil), []int32{}
	for r.token.kind != ']' && !r.failed {
		if _, optional := r.take('?'); optional {
			optionals = append(optionals, int32(len(elements)))
		}
		elements = append(elements, r.expression())
		if _, more := r.take(','); !more {
			break
		}
	}
	r.expect(']')
	exprs, height := unwrap(elements)
	return tree{r.factory.NewList(id, exprs, optionals), height + 1}
}

// mapping parses `{k: v, ?k: v,}`. The id of an entry comes before those of its
// key and value; its offset is that of the colon.
func (r *run) mapping() tree {
	id := r.id(r.advance())
	entries, height := []ast.EntryExpr{}, 0
	for r.token.kind != '}' && !r.failed {
		entry := r.reserve()
		_, optional := r.take('?')
		key := r.expression()
		r.place(entry, r.expect(':'))
		value := r.expression()
		entries = append(entries, r.factory.NewMapEntry(entry, key.expr, value.expr, optional))
		height = max(height, key.height, value.height)
		if _, more := r.take(','); !more {
			break
		}
	}
	r.expect('}')
	return tree{r.factory.NewMap(id, entries), height + 1}
}

// literal parses a literal. Its range has no blanks between a sign and its
// number, like that of cel-go.
func (r *run) literal() tree {
	sign, negative := r.take('-')
	t := r.advance()
	spelt := r.word(t)
	if negative {
		spelt = "-" + spelt
		t = token{t.kind, sign.start, sign.start + len(spelt)}
	}
	value, ok := literalValue(t.kind, spelt)
	if !ok || negative && t.kind != tokInt && t.kind != tokFloat {
		return r.fail()
	}
	return tree{expr: r.factory.NewLiteral(r.id(t), value)}
}

// literalValue returns the value of a literal.
func literalValue(k kind, spelt string) (ref.Val, bool) {
	switch k {
	case tokInt:
		n, err := strconv.ParseInt(spelt, 10, 64)
		return types.Int(n), err == nil
	case tokUint:
		n, err := strconv.ParseUint(spelt[:len(spelt)-1], 10, 64)
		return types.Uint(n), err == nil
	case tokFloat:
		f, err := strconv.ParseFloat(spelt, 64)
		return types.Double(f), err == nil
	case tokString:
		s, ok := unquote(spelt)
		return types.String(s), ok
	case tokTrue:
		return types.True, true
	case tokFalse:
		return types.False, true
	case tokNull:
		return types.NullValue, true
	}
	return nil, false
}
