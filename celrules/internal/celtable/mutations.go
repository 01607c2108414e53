package celtable

import (
	"testing"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/test/checkout"
	"github.com/crdsem/crdsem/internal/test/mutations"
)

// CheckMutations runs the recorded expressions of mutations in an environment.
func CheckMutations(t *testing.T, e *environment.Env) {
	t.Helper()
	s, err := e.Scope(nil, environment.Variable{Name: "d", Type: types.DynType},
		environment.Variable{Name: "o", Type: types.DynType})
	if err != nil {
		t.Fatal(err)
	}
	variables, err := interpreter.NewActivation(mutations.Variables())
	if err != nil {
		t.Fatal(err)
	}
	file := checkout.File(t, Folder+"patches.txt")
	mutations.Test(t, file, func(text string) (ref.Val, error) {
		checked, issues := s.Compile(text)
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		p, err := e.Plan(checked)
		if err != nil {
			return nil, err
		}
		limits := environment.Limits{Cost: environment.PerCallLimit}
		value, _, err := p.Eval(t.Context(), variables, limits)
		return value, err
	})
}
