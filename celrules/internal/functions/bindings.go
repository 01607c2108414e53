package functions

import (
	"maps"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Bindings returns what each overload of the Kubernetes libraries does, by overload id.
func Bindings() map[string]cel.OverloadOpt {
	out := map[string]cel.OverloadOpt{}
	for _, of := range []func() map[string]cel.OverloadOpt{
		listBindings, regexBindings, urlBindings, quantityBindings, ipBindings, cidrBindings,
		formatBindings, semverBindings, authzBindings,
	} {
		maps.Copy(out, of())
	}
	return out
}

// unary implements an overload of one argument. cel-go checks argument types before it calls an implementation; what it lets through all
// the same is a `no such overload`.
func unary[A ref.Val](f func(A) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(arg ref.Val) ref.Val {
		a, ok := arg.(A)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		return f(a)
	})
}

// binary implements an overload of two arguments.
func binary[A, B ref.Val](f func(A, B) ref.Val) cel.OverloadOpt {
	return cel.BinaryBinding(func(first, second ref.Val) ref.Val {
		a, ok := first.(A)
		if !ok {
			return types.MaybeNoSuchOverloadErr(first)
		}
		b, ok := second.(B)
		if !ok {
			return types.MaybeNoSuchOverloadErr(second)
		}
		return f(a, b)
	})
}

// fails makes an error value of a Go error.
func fails(err error) ref.Val { return types.WrapErr(err) }

// stringList makes a CEL list of Go strings.
func stringList(of []string) ref.Val { return types.NewStringList(types.DefaultTypeAdapter, of) }
