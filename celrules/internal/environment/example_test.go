package environment_test

import (
	"context"
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

func Example() {
	base, err := environment.For(profile.Latest(), library.StoredExpressions)
	if err != nil {
		fmt.Println(err)
		return
	}
	scope, err := base.Scope(nil, environment.Variable{Name: "self", Type: cel.StringType})
	if err != nil {
		fmt.Println(err)
		return
	}
	checked, issues := scope.Compile("quantity(self).isLessThan(quantity('2Gi'))")
	if issues.Err() != nil {
		fmt.Println(issues.Err())
		return
	}
	program, err := base.Plan(checked)
	if err != nil {
		fmt.Println(err)
		return
	}
	variables, err := interpreter.NewActivation(map[string]any{"self": types.String("1536Mi")})
	if err != nil {
		fmt.Println(err)
		return
	}
	limits := environment.Limits{Cost: environment.PerCallLimit}
	fmt.Println(program.Eval(context.Background(), variables, limits))
	// Output: true 4 <nil>
}

func ExampleEnv_EstimateCost() {
	base, err := environment.For(profile.Latest(), library.StoredExpressions)
	if err != nil {
		fmt.Println(err)
		return
	}
	scope, err := base.Scope(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	checked, issues := scope.Compile("['a', 'b'].all(x, x.startsWith('a'))")
	if issues.Err() != nil {
		fmt.Println(issues.Err())
		return
	}
	estimate, err := base.EstimateCost(profile.Latest(), checked, nil)
	fmt.Println(estimate.Min, estimate.Max, err)
	// Output: 17 21 <nil>
}
