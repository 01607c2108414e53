package functions_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/celrules/library"
	"github.com/crdsem/crdsem/internal/chapter/profile"
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
		cel.Variable("b", cel.BytesType), cel.Variable("l", cel.ListType(cel.StringType)))
	if err != nil {
		t.Fatal(err)
	}
	variables, err := cel.NewActivation(map[string]any{
		"s": strings.Repeat("xé\"", 300), "b": []byte(strings.Repeat("x", 900)),
		"l": strings.Split(strings.Repeat("xy ", 300), " "),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{
		"s + s", "b + b", "s.replace('x', s)", "s.replace('x', s, 20)", "s.replace('', s)",
		"l.join(s)", "l.join()", "'%s %s'.format([s, l])", "'%x'.format([s])", "strings.quote(s)",
		"s.split('x')", "s.split('x', 20)", "s.split('')", "lists.range(900)",
		"[l, l, l].flatten()", "[[l], [l]].flatten(2)", "s.findAll('.')", "s.findAll(dyn('.'))",
		"l.sort()", "l.reverse()", "l.slice(0, 200)", "l.distinct()",
		"(l + l + l).map(x, x).sort()",
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
		if call == "l.distinct()" {
			size = 2 // fewer items than are counted
		}
		if _, err := eval(size - 1); !isExceeded(err) {
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

// Operators on numbers have no bound, and functions that only read say so.
func TestBoundOf(t *testing.T) {
	for call, want := range map[[2]string]struct{ bounded, reads bool }{
		{"_+_", "add_int64"}:                    {false, false},
		{"_+_", "add_string"}:                   {true, false},
		{"_+_", ""}:                             {true, false},
		{"_<_", "less_string"}:                  {false, true},
		{"_==_", "equals"}:                      {true, false},
		{"@in", "in_list"}:                      {true, false},
		{"replace", "string_replace_string"}:    {true, false},
		{"startsWith", "starts_with_string"}:    {true, true},
		{"isQuantity", "is_quantity"}:           {true, true},
		{"lists.range", "lists_range_int"}:      {true, false},
		{"sort", "list_sort"}:                   {true, false},
		{"matches", "matches_string"}:           {true, false},
		{"sets.contains", "list_sets_contains"}: {true, false},
	} {
		bound, ok := functions.BoundOf(profile.Latest(), call[0], call[1])
		if ok != want.bounded || bound.Reads != want.reads {
			t.Errorf("%v: bounded %v, reads %v, want %+v", call, ok, bound.Reads, want)
		}
	}
}

// Long strings, lists and errors are not short.
func TestIsShort(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for _, v := range []ref.Val{
		types.String(long), types.Bytes(long), types.NewErr("failed"),
		types.NewStringList(types.DefaultTypeAdapter, nil),
	} {
		if functions.IsShort(v) {
			t.Errorf("%T is short", v)
		}
	}
	for _, v := range []ref.Val{
		types.String("x"), types.Bytes("x"), types.Int(1), types.True, types.NullValue,
		types.Duration{},
	} {
		if !functions.IsShort(v) {
			t.Errorf("%T is not short", v)
		}
	}
}
