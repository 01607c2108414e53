package functions

import (
	"testing"

	gofunctions "cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Before Kubernetes 1.37 lists.range has no limit, but that of the memory
// (LIB-003).
func TestRangesOfFormerMinors(t *testing.T) {
	left := types.NewErr("left to cel-go")
	overload := &gofunctions.Overload{Unary: func(ref.Val) ref.Val { return left }}
	if Replaced(profile.Latest(), "lists.range", overload) != overload {
		t.Error("the newest minor has no limit")
	}
	call := Replaced(profile.Of(36), "lists.range", overload).Unary
	const maxRange = 1_000_000
	for n, want := range map[int64]int64{maxRange + 1: maxRange + 1, -1: 0, -1 << 60: 0} {
		got := call(types.Int(n))
		if l, ok := got.(traits.Lister); !ok || l.Size() != types.Int(want) {
			t.Errorf("range of %d: %v", n, got)
		}
	}
	for _, v := range []ref.Val{types.Int(0), types.Int(maxRange), types.String("x")} {
		if got := call(v); got != left {
			t.Errorf("range of %v is not left to cel-go", v)
		}
	}
}

// indexOf and lastIndexOf of strings fail from past the end before Kubernetes
// 1.32 (LIB-002).
func TestSearchesOfFormerMinors(t *testing.T) {
	left := types.NewErr("left to cel-go")
	overload := &gofunctions.Overload{
		Binary:   func(ref.Val, ref.Val) ref.Val { return left },
		Function: func(...ref.Val) ref.Val { return left },
	}
	for _, c := range []struct {
		name   string
		args   []ref.Val
		former string
	}{
		{"indexOf", []ref.Val{types.String(""), types.String("a")}, "index out of range: 0"},
		{"lastIndexOf", []ref.Val{types.String(""), types.String("a")}, "index out of range: -1"},
		{"indexOf", []ref.Val{types.String("a"), types.String("a"), types.Int(1)}, "index out of range: 1"},
		{"lastIndexOf", []ref.Val{types.String("a"), types.String("a"), types.Int(1)}, "index out of range: 1"},
	} {
		for minor, want := range map[profile.Minor]string{31: c.former, 37: "-1"} {
			call := Replaced(profile.Of(minor), c.name, overload)
			var got ref.Val
			if len(c.args) == 2 {
				got = call.Binary(c.args[0], c.args[1])
			} else {
				got = call.Function(c.args...)
			}
			text := ""
			if err, ok := got.(*types.Err); ok {
				text = err.Error()
			} else if got == types.IntNegOne {
				text = "-1"
			}
			if text != want {
				t.Errorf("%s%v in %s: %v, want %s", c.name, c.args, minor, got, want)
			}
		}
	}
}

// Before Kubernetes 1.32 a network contains another one of text if that begins
// with its first address (LIB-053).
func TestFormerNetworks(t *testing.T) {
	n, ok := cidrValue("10.0.0.0/8").(k8scel.CIDR)
	if !ok {
		t.Fatal("10.0.0.0/8 is no network")
	}
	for text, want := range map[types.String]ref.Val{
		"10.0.0.0/16": types.True, "10.1.0.0/16": types.False, "10.0.0.0/7": types.False,
	} {
		if got := containsCIDRTextUnmasked(n, text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if got := containsCIDRTextUnmasked(n, "x"); !types.IsError(got) {
		t.Errorf("x: %v", got)
	}
}

// A search for an empty string finds it at its offset before Kubernetes 1.37,
// and lastIndexOf of an empty string fails before 1.34 (LIB-002).
func TestEmptySearchesOfFormerMinors(t *testing.T) {
	left := types.NewErr("left to cel-go")
	of := &gofunctions.Overload{Function: func(...ref.Val) ref.Val { return left }}
	for _, name := range []string{"indexOf", "lastIndexOf"} {
		for _, offset := range []types.Int{-1, 0, 10} {
			args := []ref.Val{types.String("abc"), types.String(""), offset}
			if got := Replaced(profile.Of(36), name, of).Function(args...); got != offset {
				t.Errorf("1.36: %s from %d: %v", name, offset, got)
			}
			if got := Replaced(profile.Latest(), name, of).Function(args...); got != left {
				t.Errorf("1.37: %s from %d is not left to cel-go: %v", name, offset, got)
			}
		}
	}
	args := []ref.Val{types.String(""), types.String("a")}
	if got := Replaced(profile.Of(33), "lastIndexOf", of).Function(args...); !types.IsError(got) {
		t.Errorf("1.33: lastIndexOf in an empty string: %v", got)
	}
	last := Replaced(profile.Of(34), "lastIndexOf", of)
	if got := last.Function(args...); got != types.IntNegOne {
		t.Errorf("1.34: lastIndexOf in an empty string: %v", got)
	}
}
