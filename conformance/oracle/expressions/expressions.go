// Package expressions asks the real code of a Kubernetes minor what an
// expression of CEL comes to, and what it costs.
package expressions

import (
	"context"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/authentication/user"
	authorizing "k8s.io/apiserver/pkg/authorization/authorizer"
	celapi "k8s.io/apiserver/pkg/cel/library"

	"github.com/crdsem/crdsem/conformance/oracle/formercel/celcases"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
)

// perCallLimit and interruptFrequency have the values for CRD rules.
const (
	perCallLimit       = 1_000_000
	interruptFrequency = 100
)

// Server is the real environment with the variables of the cases.
type Server struct{ added, stored *cel.Env }

// New returns the environments of the server.
func New() (*Server, error) {
	base := kube.Environments()
	var options []cel.EnvOption
	for _, v := range celcases.Variables() {
		options = append(options, cel.Variable(v.Name, v.Type))
	}
	options = append(options, cel.Variable(celcases.Authorizer, celapi.AuthorizerType))
	added, err := base.NewExpressionsEnv().Extend(options...)
	if err != nil {
		return nil, err
	}
	stored, err := base.StoredExpressionsEnv().Extend(options...)
	if err != nil {
		return nil, err
	}
	return &Server{added, stored}, nil
}

// Ask runs an expression through both real environments as a CRD rule.
func (s *Server) Ask(text string) celcases.Case {
	return celcases.MakeCase(text, outcome(s.stored, text), outcome(s.added, text))
}

// Stored returns the environment for stored expressions.
func (s *Server) Stored() *cel.Env { return s.stored }

func outcome(env *cel.Env, text string) (out celcases.Outcome) {
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		out.Compile = issues.Err().Error()
		return out
	}
	out.Type = ast.OutputType().String()
	estimator := &celapi.CostEstimator{SizeEstimator: &sizes{}}
	estimate, err := env.EstimateCost(ast, estimator)
	if err != nil {
		out.Plan = err.Error()
		return out
	}
	out.Estimate = [2]uint64{estimate.Min, estimate.Max}
	program, err := plan(env, ast, estimator)
	if err != nil {
		out.Plan = err.Error()
		return out
	}
	out.Evaluate(program, authorizer())
	return out
}

// authorizer returns an authorizer that allows everything.
func authorizer() ref.Val {
	allow := func(context.Context, authorizing.Attributes) (authorizing.Decision, string, error) {
		return authorizing.DecisionAllow, "", nil
	}
	return celapi.NewAuthorizerVal(&user.DefaultInfo{}, authorizing.AuthorizerFunc(allow))
}

// plan makes a program. The real code panics on literal maps with keys that Go
// cannot hash. This library returns an error instead.
func plan(
	env *cel.Env, ast *cel.Ast, estimator *celapi.CostEstimator,
) (program cel.Program, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("internal error: %v", cause)
		}
	}()
	return env.Program(ast, cel.CostLimit(perCallLimit), cel.CostTracking(estimator),
		cel.InterruptCheckFrequency(interruptFrequency))
}

// sizes gives the cases' sizes to the real estimator. It implements the whole
// interface, of which only EstimateSize is called.
type sizes struct {
	celapi.CostEstimator
	celcases.Sizes
}

// EstimateSize returns the size of a variable.
func (s *sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	return s.Sizes.EstimateSize(node)
}
