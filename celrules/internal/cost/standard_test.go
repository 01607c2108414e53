package cost

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// standardEnv has variables of the types that the language's functions take.
func standardEnv(t *testing.T) *cel.Env {
	t.Helper()
	env, err := cel.NewEnv(cel.OptionalTypes(), cel.CostModelVersion(0),
		cel.Variable("s", cel.StringType), cel.Variable("u", cel.StringType),
		cel.Variable("b", cel.BytesType), cel.Variable("c", cel.BytesType),
		cel.Variable("l", cel.ListType(cel.StringType)),
		cel.Variable("m", cel.MapType(cel.StringType, cel.IntType)),
		cel.Variable("o", cel.OptionalType(cel.StringType)),
		cel.Variable("p", cel.OptionalType(cel.OptionalType(cel.StringType))),
		cel.Variable("q", cel.OptionalType(cel.OptionalType(cel.StringType))),
		cel.Variable("i", cel.IntType))
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// standardValues returns random values of the variables.
func standardValues(random *rand.Rand) map[string]any {
	text := func() string {
		return strings.Repeat([]string{"a", "é"}[random.IntN(2)], random.IntN(90))
	}
	optional := func(v ref.Val) *types.Optional {
		if random.IntN(4) == 0 {
			return types.OptionalNone
		}
		return types.OptionalOf(v)
	}
	list := make([]string, random.IntN(30))
	return map[string]any{
		"s": text(), "u": text(), "b": []byte(text()), "c": []byte(text()), "l": list,
		"m": map[string]int{"a": 1, "b": 2}, "i": random.IntN(9),
		"o": optional(types.String(text())),
		"p": optional(optional(types.String(text()))),
		"q": optional(optional(types.String(text()))),
	}
}

// The charge for a call of the language's own functions is what cel-go charges
// for it, whatever the sizes (COST-023, COST-112).
func TestStandardCosts(t *testing.T) {
	env, random := standardEnv(t), rand.New(rand.NewPCG(7, 11))
	for _, call := range []string{
		"s == u", "s != u", "s < u", "s <= u", "s > u", "s >= u", "s + u", "b + c", "b == c",
		"b < c", "b >= c", "s.contains(u)", "s.startsWith(u)", "s.endsWith(u)", "s.matches(u)",
		"s in l", "l == l", "m == m", "l + l", "i == i", "i + i", "o == o", "p == q", "p != q",
		"bytes(s) == b", "string(i)", "size(s)", "s in m", "o in [o]",
	} {
		checked, issues := env.Compile(call)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		program, err := env.Program(checked, cel.CostTracking(nil))
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			values := standardValues(random)
			_, details, err := program.Eval(values)
			if err != nil {
				t.Fatal(call, err)
			}
			want := *details.ActualCost()
			if got := ownCost(t, checked.NativeRep(), values); got != want {
				t.Fatalf("%s costs %d, want %d, with %v", call, got, want, values)
			}
		}
	}
}

// ownCost adds up the costs of an expression of variables and calls.
func ownCost(t *testing.T, checked *ast.AST, values map[string]any) uint64 {
	t.Helper()
	var cost uint64
	var eval func(e ast.Expr) ref.Val
	eval = func(e ast.Expr) ref.Val {
		switch e.Kind() {
		case ast.IdentKind:
			cost++
			return types.DefaultTypeAdapter.NativeToValue(values[e.AsIdent()])
		case ast.ListKind:
			cost += 10
			return types.DefaultTypeAdapter.NativeToValue([]ref.Val{
				eval(e.AsList().Elements()[0]),
			})
		case ast.CallKind:
		default:
			t.Fatalf("expression of kind %v", e.Kind())
		}
		call := e.AsCall()
		operands := call.Args()
		if call.IsMemberFunction() {
			operands = slices.Insert(slices.Clone(operands), 0, call.Target())
		}
		var args []ref.Val
		for _, operand := range operands {
			args = append(args, eval(operand))
		}
		overload := ""
		if ids := checked.ReferenceMap()[e.ID()].OverloadIDs; len(ids) == 1 {
			overload = ids[0]
		}
		cost += standardCost(profile.Of(profile.Newest), overload, args)
		if call.FunctionName() == "bytes" {
			return types.Bytes(args[0].(types.String))
		}
		return types.True // nothing looks at it
	}
	eval(checked.Expr())
	return cost
}

// Optional values have a size from 1.33 to 1.37.
func TestSizesOfOptionals(t *testing.T) {
	long := types.OptionalOf(types.String(strings.Repeat("x", 1000)))
	args := []ref.Val{long, long}
	for minor, want := range map[profile.Minor]uint64{32: 1, 33: 100, 37: 100, 38: 1} {
		t.Run(fmt.Sprint(minor), func(t *testing.T) {
			if got := standardCost(profile.Of(minor), "equals", args); got != want {
				t.Errorf("costs %d, want %d", got, want)
			}
		})
	}
}
