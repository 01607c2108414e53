package objectgen

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/quantity"
)

// special is the value of a function of a string, e.g. quantity("1Gi").
type special struct{ function, text string }

// eval returns the value of a term as far as it is easy to compute; ok is false
// if it is not.
func (s *solver) eval(t term) (v any, ok bool) {
	if s.isSpent() {
		return nil, false
	}
	t = t.resolved()
	switch t.Kind() {
	case ast.LiteralKind:
		return literalValue(t.AsLiteral().Value())
	case ast.ListKind:
		list := []any{}
		for _, e := range t.AsList().Elements() {
			item, ok := s.eval(term{e, t.in})
			if !ok {
				return nil, false
			}
			list = append(list, item)
		}
		return list, true
	case ast.IdentKind:
		if b := t.in[t.AsIdent()]; b.value != nil {
			return b.value, true
		}
	}
	if c := s.cell(t); c != nil {
		if v, ok := c.value(); ok || t.function() != "orValue" {
			return c.typed(v), ok
		}
		return s.eval(t.args()[1])
	}
	return s.evalCall(t)
}

func literalValue(v any) (any, bool) {
	switch v := v.(type) {
	case uint64:
		return int64(v), v <= math.MaxInt64
	case bool, int64, float64, string:
		return v, true
	}
	return nil, false
}

// evalCall evaluates an operator or a function.
func (s *solver) evalCall(t term) (any, bool) {
	args := t.args()
	switch t.function() {
	case operators.LogicalAnd, operators.LogicalOr:
		return s.evalLogic(args, t.function() == operators.LogicalOr)
	case operators.LogicalNot:
		v, ok := s.eval(args[0])
		return v != true, ok
	case operators.Conditional:
		if v, ok := s.eval(args[0]); ok && v == true {
			return s.eval(args[1])
		} else if ok {
			return s.eval(args[2])
		}
		return nil, false
	case "has", "hasValue":
		if c := s.cell(args[0]); c != nil {
			_, ok := c.value()
			return ok, true
		}
		return nil, false
	}
	values := make([]any, len(args))
	for i, arg := range args {
		var ok bool
		if values[i], ok = s.eval(arg); !ok {
			return nil, false
		}
	}
	if len(values) == 2 {
		if v, ok := binary(t.function(), values[0], values[1]); ok {
			return v, true
		}
	}
	if len(values) == 1 {
		return unary(t.function(), values[0])
	}
	return nil, false
}

// evalLogic evaluates && and ||, which one operand may decide alone.
func (s *solver) evalLogic(args []term, alone bool) (any, bool) {
	known := true
	for _, arg := range args {
		v, ok := s.eval(arg)
		if ok && v == alone {
			return alone, true
		}
		known = known && ok
	}
	return !alone, known
}

func unary(function string, v any) (any, bool) {
	switch v := v.(type) {
	case string:
		switch function {
		case "size":
			return int64(utf8.RuneCountInString(v)), true
		case "int":
			n, err := strconv.ParseInt(v, 10, 64)
			return n, err == nil
		case "lowerAscii":
			return strings.ToLower(v), true
		case "upperAscii":
			return strings.ToUpper(v), true
		case "trim":
			return strings.TrimSpace(v), true
		case "string":
			return v, true
		}
		if _, ok := samplesOf[function]; ok {
			of := special{function, v}
			_, isMoment := momentOf(of)
			return of, isMoment || function != "timestamp" && function != "duration"
		}
	case int64:
		switch function {
		case operators.Negate:
			return -v, true
		case "string":
			return strconv.FormatInt(v, 10), true
		case "int":
			return v, true
		case "double":
			return float64(v), true
		}
	case []any:
		if function == "size" {
			return int64(len(v)), true
		}
	case map[string]any:
		if function == "size" {
			return int64(len(v)), true
		}
	}
	return nil, false
}

func binary(function string, a, b any) (any, bool) {
	switch function {
	case operators.Equals:
		return jsonvalue.EqualNumbers(a, b), isPlain(a) && isPlain(b)
	case operators.NotEquals:
		return !jsonvalue.EqualNumbers(a, b), isPlain(a) && isPlain(b)
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		sign, ok := order(a, b)
		return holds(function, sign), ok
	}
	switch a := a.(type) {
	case special:
		return shifted(function, a, b)
	case string:
		if b, ok := b.(string); ok {
			return ofTexts(function, a, b)
		}
	case int64:
		if b, ok := b.(int64); ok {
			return arithmetic(function, a, b)
		}
	}
	return nil, false
}

// ofTexts evaluates an operator or a function of two strings.
func ofTexts(function, a, b string) (any, bool) {
	switch function {
	case operators.Add:
		return a + b, true
	case "startsWith":
		return strings.HasPrefix(a, b), true
	case "endsWith":
		return strings.HasSuffix(a, b), true
	case "contains":
		return strings.Contains(a, b), true
	case "matches":
		re, err := regexp.Compile(b)
		return err == nil && re.MatchString(a), err == nil
	case "split":
		list := []any{}
		for _, part := range strings.Split(a, b) {
			list = append(list, part)
		}
		return list, true
	}
	return nil, false
}

func isPlain(v any) bool { _, ok := v.(special); return !ok }

func arithmetic(function string, a, b int64) (any, bool) {
	switch function {
	case operators.Add:
		return a + b, true
	case operators.Subtract:
		return a - b, true
	case operators.Multiply:
		return a * b, true
	case operators.Divide:
		if b != 0 {
			return a / b, true
		}
	case operators.Modulo:
		if b != 0 {
			return a % b, true
		}
	}
	return nil, false
}

// order compares two numbers, strings, or values that were made of strings.
func order(a, b any) (sign int, ok bool) {
	if x, ok := toFloat(a); ok {
		y, ok := toFloat(b)
		return cmp.Compare(x, y), ok
	}
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return cmp.Compare(a, b), ok
	case special:
		b, ok := b.(special)
		if ok && a.function == b.function {
			return orderOfTexts(a.function, a.text, b.text)
		}
	}
	return 0, false
}

func orderOfTexts(function, a, b string) (sign int, ok bool) {
	switch function {
	case "quantity":
		return orderOfQuantities(a, b)
	case "duration":
		x, errX := time.ParseDuration(a)
		y, errY := time.ParseDuration(b)
		return cmp.Compare(x, y), errX == nil && errY == nil
	case "timestamp":
		x, errX := time.Parse(time.RFC3339, a)
		y, errY := time.Parse(time.RFC3339, b)
		return x.Compare(y), errX == nil && errY == nil
	}
	return 0, false
}

// orderOfQuantities compares short quantities. The exponents of others may be
// more than package quantity takes.
func orderOfQuantities(a, b string) (sign int, ok bool) {
	if len(a) > 20 || len(b) > 20 || strings.ContainsAny(a+b, "eE") {
		return 0, false
	}
	x, errX := quantity.Parse(a)
	y, errY := quantity.Parse(b)
	if errX != nil || errY != nil {
		return 0, false
	}
	return x.Compare(y), true
}

func toFloat(v any) (f float64, ok bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// relationOf returns an operator or, if it is not wanted, its opposite.
func relationOf(operator string, want bool) string {
	if want {
		return operator
	}
	return map[string]string{
		operators.Equals: operators.NotEquals, operators.NotEquals: operators.Equals,
		operators.Less: operators.GreaterEquals, operators.GreaterEquals: operators.Less,
		operators.Greater: operators.LessEquals, operators.LessEquals: operators.Greater,
	}[operator]
}

// mirrored returns the operator for operands that change places.
func mirrored(operator string) string {
	switch operator {
	case operators.Less:
		return operators.Greater
	case operators.LessEquals:
		return operators.GreaterEquals
	case operators.Greater:
		return operators.Less
	case operators.GreaterEquals:
		return operators.LessEquals
	}
	return operator
}

// holds reports whether an operator is true of operands that compare as a sign.
func holds(operator string, sign int) bool {
	switch operator {
	case operators.Equals:
		return sign == 0
	case operators.NotEquals:
		return sign != 0
	case operators.Less:
		return sign < 0
	case operators.LessEquals:
		return sign <= 0
	case operators.Greater:
		return sign > 0
	}
	return sign >= 0
}
