package functions

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// listBindings returns the bindings of the list library, e.g. `self.list.sum()`
// (LIB-010 to LIB-015). Each function has one implementation for all types of
// elements, but sum needs the zero of the type.
func listBindings() map[string]cel.OverloadOpt {
	out := map[string]cel.OverloadOpt{}
	for _, lib := range library.Libraries() {
		if lib.Name != library.Lists {
			continue
		}
		for _, f := range lib.Functions() {
			for _, o := range f.Overloads {
				out[o.ID] = listBinding(f.Name, o.Result)
			}
		}
	}
	return out
}

// listBinding returns the binding of a list function with a result of a type.
func listBinding(function, result string) cel.OverloadOpt {
	switch function {
	case "isSorted":
		return unary(isSorted)
	case "sum":
		zero := zeroOf(result)
		return unary(func(l traits.Lister) ref.Val { return sum(l, zero) })
	case "max":
		return unary(func(l traits.Lister) ref.Val { return extreme(l, "max", types.IntNegOne) })
	case "min":
		return unary(func(l traits.Lister) ref.Val { return extreme(l, "min", types.IntOne) })
	case "indexOf":
		return cel.BinaryBinding(indexOf)
	case "lastIndexOf":
		return cel.BinaryBinding(lastIndexOf)
	case "includes":
		return cel.BinaryBinding(includes)
	}
	return nil
}

// zeroOf returns the sum of no elements of a type.
func zeroOf(element string) traits.Adder {
	switch element {
	case "uint":
		return types.Uint(0)
	case "double":
		return types.Double(0)
	case "duration":
		return types.Duration{}
	}
	return types.IntZero
}

// isSorted reports whether no element compares greater than its successor.
// Elements that do not compare with each other count as sorted.
func isSorted(list traits.Lister) ref.Val {
	var last traits.Comparer
	for it := list.Iterator(); it.HasNext() == types.True; {
		element := it.Next()
		current, ok := element.(traits.Comparer)
		if !ok {
			return types.MaybeNoSuchOverloadErr(element)
		}
		if last != nil && last.Compare(element) == types.IntOne {
			return types.False
		}
		last = current
	}
	return types.True
}

// sum adds the elements to zero. An overflow is an error value.
func sum(list traits.Lister, zero traits.Adder) ref.Val {
	total := zero
	for it := list.Iterator(); it.HasNext() == types.True; {
		element := it.Next()
		if _, ok := element.(traits.Adder); !ok {
			return types.MaybeNoSuchOverloadErr(element)
		}
		next := total.Add(element)
		adder, ok := next.(traits.Adder)
		if !ok {
			return types.MaybeNoSuchOverloadErr(next)
		}
		total = adder
	}
	return total.(ref.Val)
}

// extreme returns the first element that no later one replaces. An element is
// replaced by a later one if the result of comparing it with that is replaces.
func extreme(list traits.Lister, function string, replaces ref.Val) ref.Val {
	var found traits.Comparer
	for it := list.Iterator(); it.HasNext() == types.True; {
		element := it.Next()
		candidate, ok := element.(traits.Comparer)
		if !ok {
			return types.MaybeNoSuchOverloadErr(element)
		}
		if found == nil || found.Compare(element) == replaces {
			found = candidate
		}
	}
	if found == nil {
		return types.NewErr("%s called on empty list", function)
	}
	return found.(ref.Val)
}

// indexOf returns the first index of an equal element, otherwise -1.
// Elements that do not compare are not equal.
func indexOf(list, item ref.Val) ref.Val {
	elements, ok := list.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(list)
	}
	size, _ := elements.Size().(types.Int)
	for i := types.IntZero; i < size; i++ {
		if elements.Get(i).Equal(item) == types.True {
			return i
		}
	}
	return types.IntNegOne
}

// lastIndexOf returns the last index of an equal element, otherwise -1.
func lastIndexOf(list, item ref.Val) ref.Val {
	elements, ok := list.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(list)
	}
	size, _ := elements.Size().(types.Int)
	for i := size - 1; i >= 0; i-- {
		if elements.Get(i).Equal(item) == types.True {
			return i
		}
	}
	return types.IntNegOne
}

// includes reports whether a list has an equal element. A target that is not a
// list is compared as a whole (LIB-015).
func includes(target, item ref.Val) ref.Val {
	list, ok := target.(traits.Lister)
	if !ok {
		return types.Bool(target.Equal(item) == types.True)
	}
	for it := list.Iterator(); it.HasNext() == types.True; {
		if it.Next().Equal(item) == types.True {
			return types.True
		}
	}
	return types.False
}
