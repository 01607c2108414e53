package meter_test

import (
	"errors"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// sizeOf returns how many bytes a result takes.
func sizeOf(t *testing.T, v ref.Val) uint64 {
	t.Helper()
	switch v := v.(type) {
	case types.String:
		return uint64(len(v))
	case types.Bytes:
		return uint64(len(v))
	case traits.Lister:
		return uint64(v.Size().(types.Int)) * meter.ItemSize
	}
	t.Fatalf("a result of type %T", v)
	return 0
}

// A function is stopped if its result is larger than the limit, and is not if
// the limit is several times as large.
func TestBoundsCountResults(t *testing.T) {
	env, err := environment.For(profile.Latest(), library.StoredExpressions)
	if err != nil {
		t.Fatal(err)
	}
	within, err := env.CEL().Extend(cel.Variable("s", cel.StringType),
		cel.Variable("c", cel.StringType), cel.Variable("b", cel.BytesType),
		cel.Variable("l", cel.ListType(cel.StringType)))
	if err != nil {
		t.Fatal(err)
	}
	variables, err := cel.NewActivation(map[string]any{
		"s": strings.Repeat("xé\"", 300),
		"c": strings.Repeat("\x01", 900), "b": []byte(strings.Repeat("x", 900)),
		"l": strings.Split(strings.Repeat("xy ", 300), " "),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{
		"s + s", "b + b", "s.replace('x', s)", "s.replace('x', s, 20)", "s.replace('', s)",
		"l.join(s)", "l.join()", "'%s %s'.format([s, l])", "'%x'.format([s])",
		"s.split('x')", "s.split('x', 20)", "s.split('')", "lists.range(900)",
		"'%s'.format([[c]])", "'%s'.format([[b]])",
		"'%s'.format([{c: c}])", "[l, l, l].flatten()", "[[l], [l]].flatten(2)", "s.findAll('.')", "s.findAll(dyn('.'))",
		"(s + s + s + s + s + s + s + s + s + s).find('y')", // counts the sums only
	} {
		checked, issues := within.Compile(call)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		program, err := env.Plan(checked.NativeRep())
		if err != nil {
			t.Fatal(err)
		}
		eval := func(bytes uint64) (ref.Val, error) {
			limits := environment.Limits{Cost: 1 << 40, Bytes: bytes}
			value, _, err := program.Eval(t.Context(), variables, limits)
			return value, err
		}
		value, err := eval(meter.DefaultLimit)
		if err != nil {
			t.Errorf("%s: %v", call, err)
			continue
		}
		size := sizeOf(t, value)
		if _, err := eval(size - 1); size > 0 && !isExceeded(err) {
			t.Errorf("%s: a result of %d bytes within a limit of %d: %v", call, size, size-1, err)
		}
		if _, err := eval(8 * (size + 20_000)); err != nil {
			t.Errorf("%s: a result of %d bytes: %v", call, size, err)
		}
	}
}

func isExceeded(err error) bool {
	_, ok := errors.AsType[*meter.ExceededError](err)
	return ok
}
