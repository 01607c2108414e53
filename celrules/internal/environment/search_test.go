package environment_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// indexOf and lastIndexOf have the results of cel-go, which takes quadratic
// time for them.
func TestSearchesAgree(t *testing.T) {
	env, err := base(t, library.StoredExpressions).CEL().Extend(
		cel.Variable("s", cel.StringType), cel.Variable("p", cel.StringType),
		cel.Variable("i", cel.IntType))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	text := func(most int) string {
		out := ""
		for range random.IntN(most + 1) {
			out += []string{"a", "a", "b", "é", "\xff", "\ufffd", "𝄞"}[random.IntN(7)]
		}
		return out
	}
	for _, call := range []string{
		"s.indexOf(p)", "s.lastIndexOf(p)", "s.indexOf(p, i)", "s.lastIndexOf(p, i)",
	} {
		checked, issues := env.Compile(call)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		plain, err := env.Program(checked)
		if err != nil {
			t.Fatal(err)
		}
		own, err := base(t, library.StoredExpressions).Plan(checked.NativeRep())
		if err != nil {
			t.Fatal(err)
		}
		for range 3000 {
			variables, err := cel.NewActivation(map[string]any{
				"s": text(8), "p": text(2), "i": types.Int(random.IntN(12) - 2),
			})
			if err != nil {
				t.Fatal(err)
			}
			want, _, wantErr := plain.Eval(variables)
			got, _, gotErr := own.Eval(context.Background(), variables, serverLimits)
			if fmt.Sprint(got, gotErr) != fmt.Sprint(want, wantErr) {
				t.Fatalf("%s: %+v: %v %v, want %v %v",
					call, variables, got, gotErr, want, wantErr)
			}
		}
	}
}
