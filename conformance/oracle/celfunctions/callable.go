package celfunctions

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Callable is an overload of a function or an operator of an environment.
type Callable struct {
	Name, ID string
	// Member reports whether the first argument is the receiver.
	Member bool
	Args   []*types.Type
	Result *types.Type
}

// Overloads returns the overloads that expressions can call, by the names of
// their functions and in the order of declaration.
func Overloads(env *cel.Env) []Callable {
	var out []Callable
	functions := env.Functions()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if strings.Contains(name, "@") && name != operators.In || name == operators.OptSelect {
			continue
		}
		for _, o := range functions[name].OverloadDecls() {
			out = append(out, Callable{
				Name: name, ID: o.ID(), Member: o.IsMemberFunction(),
				Args: o.ArgTypes(), Result: o.ResultType(),
			})
		}
	}
	return out
}

// Call writes a call: operators between or around their arguments, other
// functions by name.
func (c Callable) Call(args []string) string {
	switch c.Name {
	case operators.Conditional:
		return "(" + args[0] + " ? " + args[1] + " : " + args[2] + ")"
	case operators.Index:
		return args[0] + "[" + args[1] + "]"
	case operators.OptIndex:
		return args[0] + "[?" + args[1] + "]"
	case operators.LogicalNot:
		return "!(" + args[0] + ")"
	case operators.Negate:
		return "-(" + args[0] + ")"
	}
	if sign, found := operators.FindReverseBinaryOperator(c.Name); found && len(args) == 2 {
		return "(" + args[0] + " " + sign + " " + args[1] + ")"
	}
	if c.Member {
		return args[0] + "." + c.Name + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return c.Name + "(" + strings.Join(args, ", ") + ")"
}
