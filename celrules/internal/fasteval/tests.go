package fasteval

import (
	"math"
	"regexp"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// callTest compiles a call whose result is a bool.
func (c *compiler) callTest(e ast.Expr) test {
	args := arguments(e)
	switch name := e.AsCall().FunctionName(); {
	case name == operators.LogicalAnd && len(args) == 2:
		return c.and(args)
	case name == operators.LogicalOr && len(args) == 2:
		return c.or(args)
	case name == operators.LogicalNot && len(args) == 1:
		return c.not(args[0])
	case (name == operators.Equals || name == operators.NotEquals) && len(args) == 2:
		return c.equality(e, args)
	case name == operators.In && len(args) == 2:
		return c.in(e, args)
	case len(args) == 2:
		if t := c.textTest(e, args); t != nil || c.unsupported {
			return t
		}
		if t := c.order(e, args); t != nil || c.unsupported {
			return t
		}
	}
	return truthStep(c.general(e, args))
}

func truthStep(s step) test {
	return func(m *machine) truth {
		if v := s(m); v.kind == boolean {
			return truthOf(v.n != 0)
		}
		return unknown
	}
}

func (c *compiler) and(args []ast.Expr) test {
	left, right := c.test(args[0], executed), c.test(args[1], executed)
	return func(m *machine) truth {
		if t := left(m); t != yes {
			return t
		}
		return right(m)
	}
}

func (c *compiler) or(args []ast.Expr) test {
	left, right := c.test(args[0], executed), c.test(args[1], executed)
	return func(m *machine) truth {
		if t := left(m); t != no {
			return t
		}
		return right(m)
	}
}

func (c *compiler) not(arg ast.Expr) test {
	t := c.test(arg, executed)
	return func(m *machine) truth {
		m.cost++
		switch t(m) {
		case yes:
			return no
		case no:
			return yes
		}
		return unknown
	}
}

// equality compiles == and !=.
func (c *compiler) equality(e ast.Expr, args []ast.Expr) test {
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	env, name := c.env, e.AsCall().FunctionName()
	wantEqual, overload := name == operators.Equals, "equals"
	if !wantEqual {
		overload = "not_equals"
	}
	return func(m *machine) truth {
		l, r := left(m), right(m)
		if l.kind == r.kind {
			switch l.kind {
			case text:
				m.cost += scan(min(l.size(), r.size()))
				return truthOf((l.s == r.s) == wantEqual)
			case whole, boolean:
				m.cost++
				return truthOf((l.n == r.n) == wantEqual)
			}
		}
		if l.kind == stopped || r.kind == stopped {
			return unknown
		}
		a, b := l.ref(), r.ref()
		same := types.Equal(a, b)
		m.cost += env.CallCost(name, overload, []ref.Val{a, b}, same)
		if !wantEqual {
			return truthOf(same != types.True)
		}
		if equal, ok := same.(types.Bool); ok {
			return truthOf(bool(equal))
		}
		return unknown
	}
}

// order compiles comparisons of numbers of one type; nil: it is another comparison.
func (c *compiler) order(e ast.Expr, args []ast.Expr) test {
	var holds func(a, b float64) bool
	var holdsWhole func(a, b int64) bool
	switch c.function(e).overload {
	case "less_int64":
		holdsWhole = func(a, b int64) bool { return a < b }
	case "less_equals_int64":
		holdsWhole = func(a, b int64) bool { return a <= b }
	case "greater_int64":
		holdsWhole = func(a, b int64) bool { return a > b }
	case "greater_equals_int64":
		holdsWhole = func(a, b int64) bool { return a >= b }
	case "less_double":
		holds = func(a, b float64) bool { return a < b }
	case "less_equals_double":
		holds = func(a, b float64) bool { return a <= b }
	case "greater_double":
		holds = func(a, b float64) bool { return a > b }
	case "greater_equals_double":
		holds = func(a, b float64) bool { return a >= b }
	default:
		return nil
	}
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	return func(m *machine) truth {
		l, r := left(m), right(m)
		m.cost++
		switch {
		case holdsWhole != nil && l.kind == whole && r.kind == whole:
			return truthOf(holdsWhole(l.n, r.n))
		case holds != nil && l.kind == double && r.kind == double && !math.IsNaN(l.float()) && !math.IsNaN(r.float()):
			return truthOf(holds(l.float(), r.float()))
		}
		return unknown
	}
}

// textTest compiles the tests of strings; nil: it is another function of that name.
func (c *compiler) textTest(e ast.Expr, args []ast.Expr) test {
	var holds func(a, b string) bool
	var cost func(a, b string) uint64
	switch c.function(e).overload {
	case "starts_with_string":
		holds, cost = strings.HasPrefix, func(_, b string) uint64 { return scan(length(b)) }
	case "ends_with_string":
		holds, cost = strings.HasSuffix, func(_, b string) uint64 { return scan(length(b)) }
	case "contains_string":
		holds, cost = strings.Contains, func(a, b string) uint64 { return scan(length(a)) * scan(length(b)) }
	case "matches", "matches_string":
		return c.matches(args)
	default:
		return nil
	}
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	return func(m *machine) truth {
		l, r := left(m), right(m)
		if l.kind != text || r.kind != text {
			return unknown
		}
		m.cost += cost(l.s, r.s)
		return truthOf(holds(l.s, r.s))
	}
}

// matches compiles matches() with a constant pattern.
func (c *compiler) matches(args []ast.Expr) test {
	v, ok := c.constant(args[1])
	pattern, isText := v.(types.String)
	if !ok || !isText {
		return c.unsupportedTest()
	}
	compiled, err := regexp.Compile(string(pattern))
	if err != nil {
		return c.unsupportedTest()
	}
	patternVal := ofRef(v)
	factor := uint64(math.Ceil(float64(patternVal.size()) * 0.25))
	s := c.step(args[0], executed)
	return func(m *machine) truth {
		l := s(m)
		if l.kind != text {
			return unknown
		}
		m.cost += uint64(math.Ceil((1+float64(l.size()))*0.1)) * factor
		return truthOf(compiled.MatchString(l.s))
	}
}

// in compiles the test for an item of a list or a key of a map.
func (c *compiler) in(e ast.Expr, args []ast.Expr) test {
	overload := c.function(e).overload
	if v, ok := c.constant(args[1]); ok && overload == "in_list" {
		return c.inConstant(args[0], v)
	}
	if overload != "in_list" {
		return truthStep(c.general(e, args))
	}
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	call := c.call(e, len(args))
	return func(m *machine) truth {
		l, r := left(m), right(m)
		if l.kind == text && r.kind == list {
			if t := containsText(r.x.([]any), l.s); t != unknown {
				m.cost += r.size()
				return t
			}
		}
		if l.kind == stopped || r.kind == stopped {
			return unknown
		}
		if v := call(m, []ref.Val{l.ref(), r.ref()}); v.kind == boolean {
			return truthOf(v.n != 0)
		}
		return unknown
	}
}

func containsText(items []any, s string) truth {
	for _, item := range items {
		t, ok := item.(string)
		if !ok {
			return unknown
		}
		if t == s {
			return yes
		}
	}
	return no
}

// inConstant compiles the test for one of several texts or of several integers, which costs nothing itself.
func (c *compiler) inConstant(arg ast.Expr, constant ref.Val) test {
	texts, numbers := map[string]bool{}, map[int64]bool{}
	list, ok := constant.(interface{ Size() ref.Val })
	if !ok {
		return c.unsupportedTest()
	}
	size, _ := list.Size().(types.Int)
	items, ok := constant.(interface{ Get(ref.Val) ref.Val })
	if !ok {
		return c.unsupportedTest()
	}
	for i := range size {
		switch v := items.Get(i).(type) {
		case types.String:
			texts[string(v)] = true
		case types.Int:
			numbers[int64(v)] = true
		default:
			return c.unsupportedTest()
		}
	}
	if size == 0 {
		return func(*machine) truth { return no } // the argument is not even evaluated
	}
	s := c.step(arg, executed)
	return func(m *machine) truth {
		switch v := s(m); v.kind {
		case text:
			return truthOf(texts[v.s])
		case whole:
			return truthOf(numbers[v.n])
		}
		return unknown
	}
}
