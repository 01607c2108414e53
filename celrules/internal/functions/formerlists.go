package functions

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// A function that takes lists of any items takes one whose first item is an
// error, e.g. because it is not of its declared type. cel-go since v0.30 looks
// at the first item and fails. Kubernetes has that since 1.38.

// TakesLists reports whether a function takes lists of any items.
func TakesLists(name string) bool {
	switch name {
	case "indexOf", "lastIndexOf", "includes", "slice", "reverse", "distinct", "flatten",
		"@sortByAssociatedKeys", "first", "last", "unwrapOpt", "optional.unwrap",
		"sets.contains", "sets.equivalent", "sets.intersects":
		return true
	}
	return false
}

// takingErrors returns a function that takes such lists.
func takingErrors(name string, of *functions.Overload) *functions.Overload {
	out := *of
	if of.Unary != nil {
		out.Unary = func(arg ref.Val) ref.Val {
			return again(name, of.Unary(arg), []ref.Val{arg},
				func(args ...ref.Val) ref.Val { return of.Unary(args[0]) })
		}
	}
	if of.Binary != nil {
		out.Binary = func(a, b ref.Val) ref.Val {
			return again(name, of.Binary(a, b), []ref.Val{a, b},
				func(args ...ref.Val) ref.Val { return of.Binary(args[0], args[1]) })
		}
	}
	if of.Function != nil {
		out.Function = func(args ...ref.Val) ref.Val {
			return again(name, of.Function(args...), args, of.Function)
		}
	}
	return &out
}

// again calls a function that failed again if a list may be the reason.
func again(
	name string, result ref.Val, args []ref.Val, run functions.FunctionOp,
) ref.Val {
	failed, ok := result.(*types.Err)
	if !ok || !strings.HasPrefix(failed.Error(), "no such overload: ") ||
		!strings.Contains(failed.Error(), name+"(") {
		return result
	}
	unguarded := slices.Clone(args)
	found := false
	for i, arg := range args {
		if list, ok := arg.(traits.Lister); ok && beginsWithError(list) {
			unguarded[i], found = &unguardedList{Lister: list}, true
		}
	}
	if !found {
		return result
	}
	return run(unguarded...)
}

func beginsWithError(list traits.Lister) bool {
	return list.Size() != types.IntZero && types.IsError(list.Get(types.IntZero))
}

// unguardedList is a list that shows cel-go another first item when it looks
// for the first time, which is before the call.
type unguardedList struct {
	traits.Lister
	passed bool
}

// Iterator implements traits.Iterable.
func (u *unguardedList) Iterator() traits.Iterator {
	if u.passed {
		return u.Lister.Iterator()
	}
	u.passed = true
	null := types.DefaultTypeAdapter.NativeToValue([]ref.Val{types.NullValue})
	return null.(traits.Lister).Iterator()
}
