package functions

import (
	"regexp"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// regexBindings returns the bindings of find and findAll, e.g.
// `self.find('[a-z]+')`, for regular expressions that are not constant
// (LIB-020). RegexOptimizations has the constant ones.
func regexBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_find_string":     dynamicRegexPair(find),
		"string_find_all_string": dynamicRegexPair(findAll),
		"string_find_all_string_int": cel.FunctionBinding(func(args ...ref.Val) ref.Val {
			return dynamicRegex(findAll, args)
		}),
	}
}

// search is a function of the library with its regular expression compiled.
// more has the arguments after the regular expression.
type search func(re *regexp.Regexp, subject string, more []ref.Val) ref.Val

// find returns the first match.
func find(re *regexp.Regexp, subject string, _ []ref.Val) ref.Val {
	return types.String(re.FindString(subject))
}

// findAll returns all matches, or as many as the argument after the regular
// expression says.
func findAll(re *regexp.Regexp, subject string, more []ref.Val) ref.Val {
	limit := types.Int(-1)
	if len(more) > 0 {
		n, ok := more[0].(types.Int)
		if !ok {
			return types.MaybeNoSuchOverloadErr(more[0])
		}
		limit = n
	}
	return stringList(re.FindAllString(subject, int(limit)))
}

// dynamicRegex compiles the regular expression and calls a function.
func dynamicRegex(do search, args []ref.Val) ref.Val {
	if len(args) < 2 {
		return types.NoSuchOverloadErr()
	}
	subject, ok := args[0].Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	pattern, ok := args[1].Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[1])
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return types.NewErr("Illegal regex: %v", err)
	}
	return do(re, subject, args[2:])
}

// RegexOptimizations returns the optimizations that compile the constant
// regular expressions of find, findAll and matches when a program is planned.
func RegexOptimizations() []*interpreter.RegexOptimization {
	return []*interpreter.RegexOptimization{
		constantRegex("find", find),
		constantRegex("findAll", findAll),
		interpreter.MatchesRegexOptimization,
	}
}

// dynamicRegexPair is like dynamicRegex for overloads with two arguments.
func dynamicRegexPair(do search) cel.OverloadOpt {
	return cel.BinaryBinding(func(subject, pattern ref.Val) ref.Val {
		return dynamicRegex(do, []ref.Val{subject, pattern})
	})
}

// constantRegex returns the optimization of a call whose regular expression is
// constant. An invalid one fails the plan.
func constantRegex(function string, do search) *interpreter.RegexOptimization {
	return &interpreter.RegexOptimization{
		Function:   function,
		RegexIndex: 1,
		Factory: func(
			call interpreter.InterpretableCall, pattern string,
		) (interpreter.InterpretableCall, error) {
			re, err := regexp.Compile(pattern)
			if err != nil {
				return nil, err
			}
			c := &ConstantRegex{re: re, do: do}
			c.InterpretableCall = interpreter.NewCall(
				call.ID(), call.Function(), call.OverloadID(), call.Args(),
				c.Run)
			return c, nil
		},
	}
}

// ConstantRegex is a call whose regular expression is compiled.
type ConstantRegex struct {
	interpreter.InterpretableCall
	re *regexp.Regexp
	do search
}

// Run calls the function. It ignores the regular expression among the
// arguments.
func (c *ConstantRegex) Run(args ...ref.Val) ref.Val {
	if len(args) < 2 {
		return types.NoSuchOverloadErr()
	}
	subject, ok := args[0].Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	return c.do(c.re, subject, args[2:])
}
