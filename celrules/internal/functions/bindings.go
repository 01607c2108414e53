package functions

import (
	"maps"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Bindings returns the implementation of each overload of the Kubernetes
// libraries in a minor, by overload id, e.g. "string_to_quantity".
func Bindings(p *profile.Profile) map[string]cel.OverloadOpt {
	out := map[string]cel.OverloadOpt{}
	for _, of := range []func() map[string]cel.OverloadOpt{
		listBindings, regexBindings, urlBindings, ipBindings, cidrBindings, semverBindings, authzBindings,
	} {
		maps.Copy(out, of())
	}
	maps.Copy(out, quantityBindings(p))
	maps.Copy(out, formatBindings(p))
	maps.Copy(out, formerBindings(p))
	return out
}

// unary returns the binding of an overload with one argument. cel-go checks the
// types of arguments before a call; a value of another type that gets through
// is a `no such overload`.
func unary[A ref.Val](f func(A) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(arg ref.Val) ref.Val {
		a, ok := arg.(A)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		return f(a)
	})
}

// binary returns the binding of an overload with two arguments.
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

// fails returns an error value for a Go error.
func fails(err error) ref.Val { return types.WrapErr(err) }

// stringList returns a CEL list of Go strings.
func stringList(of []string) ref.Val { return types.NewStringList(types.DefaultTypeAdapter, of) }
