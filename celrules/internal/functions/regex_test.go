package functions

import (
	"regexp"
	"testing"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// asText returns a value as CEL writes it, or the message of an error.
func asText(v ref.Val) string {
	if err, ok := v.(*types.Err); ok {
		return err.Error()
	}
	return types.Format(v)
}

// find and findAll return the same with a regular expression that is constant
// (LIB-020).
func TestRegex(t *testing.T) {
	const text, digits = types.String("a12b3"), types.String("[0-9]+")
	const noOverload = "no such overload"
	for _, c := range []struct {
		name string
		do   search
		args []ref.Val
		want string
	}{
		{"find", find, []ref.Val{text, digits}, `"12"`},
		{"find nothing", find, []ref.Val{types.String("ab"), digits}, `""`},
		{"all", findAll, []ref.Val{text, digits}, `["12", "3"]`},
		{"one", findAll, []ref.Val{text, digits, types.Int(1)}, `["12"]`},
		{"none", findAll, []ref.Val{text, digits, types.Int(0)}, `[]`},
		{"without a limit", findAll, []ref.Val{text, digits, types.Int(-1)}, `["12", "3"]`},
		{"a limit of no number", findAll, []ref.Val{text, digits, text}, noOverload},
		{"no text", find, []ref.Val{types.Int(1), digits}, noOverload},
		{"one argument", find, []ref.Val{text}, noOverload},
	} {
		constant := &ConstantRegex{re: regexp.MustCompile(string(digits)), do: c.do}
		for name, got := range map[string]ref.Val{
			"dynamic": dynamicRegex(c.do, c.args), "constant": constant.Run(c.args...),
		} {
			if asText(got) != c.want {
				t.Errorf("%s, %s: %s, want %s", c.name, name, asText(got), c.want)
			}
		}
	}
	for want, pattern := range map[string]ref.Val{
		noOverload: types.Int(1),
		"Illegal regex: error parsing regexp: missing closing ): `(`": types.String("("),
	} {
		if got := asText(dynamicRegex(find, []ref.Val{text, pattern})); got != want {
			t.Errorf("%v: %s, want %s", pattern, got, want)
		}
	}
}

// step is a step of a program with a result.
type step struct {
	result ref.Val
	runs   int
}

func (s *step) ID() int64                           { return 1 }
func (s *step) Eval(interpreter.Activation) ref.Val { return s.Exec(nil) }
func (s *step) Exec(*interpreter.ExecutionFrame) ref.Val {
	s.runs++
	return s.result
}

// The argument of or and orValue runs only if the receiver is empty (LIB-006).
func TestLazyOptional(t *testing.T) {
	one, two := types.Int(1), types.Int(2)
	failed := types.NewErr("failed")
	for _, c := range []struct {
		name        string
		receiver    ref.Val
		unwraps     bool
		keepsOthers bool
		want        string
		runs        int
	}{
		{"or with a value", types.OptionalOf(one), false, false, "optional(1)", 0},
		{"or without", types.OptionalNone, false, false, "2", 1},
		{"orValue with a value", types.OptionalOf(one), true, false, "1", 0},
		{"orValue without", types.OptionalNone, true, false, "2", 1},
		{"an error", failed, true, false, "failed", 0},
		{"no optional", one, true, false, "no such overload", 0},
		{"no optional, formerly", one, true, true, "1", 0},
	} {
		otherwise := &step{result: two}
		o := &lazyOptional{id: 7, receiver: &step{result: c.receiver}, otherwise: otherwise,
			unwraps: c.unwraps, keepsOthers: c.keepsOthers}
		got := o.Eval(interpreter.EmptyActivation())
		text := asText(got)
		if v, ok := got.(*types.Optional); ok {
			text = "optional(" + types.Format(v.GetValue()) + ")"
		}
		if text != c.want || otherwise.runs != c.runs || o.ID() != 7 {
			t.Errorf("%s: %s, the argument ran %d times", c.name, text, otherwise.runs)
		}
	}
}
