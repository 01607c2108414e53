package library

import (
	"slices"
	"strings"
)

// Function is one CEL function with the overloads that one library gives it. A
// name that two libraries share, e.g. indexOf, has one Function per library.
type Function struct {
	// Name is what a rule writes, e.g. "sum" or "sets.contains". For an
	// operator, it is the internal name, e.g. "_[?_]".
	Name string
	// Library is the name of the [Library] that declares the function.
	Library string
	// Summary describes what the function returns and when it fails.
	Summary string
	// Cost is the cost model of the name. It holds for all overloads, whichever
	// library declares them.
	Cost Cost
	// Overloads are in the order of declaration. If several of them fit, the
	// first one decides the result type: `[].sum()` is an int.
	Overloads []Overload
}

// Overload is one signature of a function.
//
// Types are written as in CEL: "int", "list(string)", "map(string,
// list(string))", "optional_type(V)", "kubernetes.Quantity". Single capital
// letters are type parameters.
type Overload struct {
	// ID identifies the overload in its environment, e.g. "list_int_sum_int".
	ID string
	// Receiver is the type before the dot, empty for a global function.
	Receiver string
	// Params are the types of the arguments between the parentheses.
	Params []string
	// Result is the type of the result.
	Result string
	// Introduced is the first Kubernetes version that has the overload, if it
	// is later than that of its library. Such an overload came with a release
	// of cel-go, therefore new expressions have it at once.
	Introduced Version
	// Cost replaces the cost model of the name for this overload, unless it is
	// CostDefault.
	Cost Cost
}

// IsMember reports whether the overload is called on a receiver, as in
// `x.f(y)`.
func (o Overload) IsMember() bool { return o.Receiver != "" }

// Signature returns the overload with its types, e.g. `<list(int)>.sum() ->
// int` or `quantity(string) -> kubernetes.Quantity`.
func (o Overload) Signature(name string) string {
	call := name + "(" + strings.Join(o.Params, ", ") + ") -> " + o.Result
	if o.IsMember() {
		return "<" + o.Receiver + ">." + call
	}
	return call
}

// Functions returns every function beyond CEL's standard library that
// expressions of a kind can call in an API server of Kubernetes version v.
// Libraries are in the order of [Libraries], functions in the order of their
// library. The caller may change the result. Rules LIB-001 to LIB-100, CEL-004.
func Functions(v Version, kind Expressions) []Function {
	var out []Function
	for _, lib := range Libraries() {
		if !lib.In(v, kind) {
			continue
		}
		for _, f := range lib.Functions() {
			if f.Overloads = presentOverloads(f.Overloads, v); len(f.Overloads) > 0 {
				out = append(out, f)
			}
		}
	}
	return out
}

// presentOverloads returns the overloads that version v has.
func presentOverloads(all []Overload, v Version) []Overload {
	return slices.DeleteFunc(slices.Clone(all), func(o Overload) bool { return o.Introduced > v })
}
