package library

import (
	"slices"
	"strings"
)

// Function is one CEL function of a rule's environment with all overloads that one library gives it. A name that two libraries
// share (indexOf, isGreaterThan, string, ip …) has one Function per library.
type Function struct {
	// Name is what a rule writes: "sum", "sets.contains", or an operator's internal name such as "_[?_]".
	Name string
	// Library is the name of the [Library] that declares it.
	Library string
	// Summary says in one sentence what the function returns and when it fails.
	Summary string
	// Cost is the cost model that goes with the name, for every overload of it, whichever library declares the overload.
	Cost Cost
	// Overloads are in declaration order; the order decides the result type where several fit (`[].sum()` is an int).
	Overloads []Overload
}

// Overload is one signature of a function.
type Overload struct {
	// ID is the overload id, unique in an environment.
	ID string
	// Receiver is the type before the dot, empty for a global function.
	Receiver string
	// Params are the types of the arguments between the parentheses.
	Params []string
	// Result is the type of the result. Types are written as in CEL: "int", "list(string)", "map(string, list(string))",
	// "optional_type(V)", "kubernetes.Quantity"; single capital letters are type parameters.
	Result string
	// Introduced is the first Kubernetes version that has the overload, if later than its library. Such overloads came with a release of
	// cel-go, so that expressions of both kinds have them from that version on.
	Introduced Version
	// Cost overrides the cost model of the name for this overload; CostDefault if it does not.
	Cost Cost
}

// IsMember tells whether the overload is called on a receiver, as in `x.f(y)`.
func (o Overload) IsMember() bool { return o.Receiver != "" }

// Signature writes the overload as a rule's author reads it: `<list(int)>.sum() -> int`, `quantity(string) -> kubernetes.Quantity`.
func (o Overload) Signature(name string) string {
	call := name + "(" + strings.Join(o.Params, ", ") + ") -> " + o.Result
	if o.IsMember() {
		return "<" + o.Receiver + ">." + call
	}
	return call
}

// method declares an overload with a receiver.
func method(id, receiver, result string, params ...string) Overload {
	return Overload{ID: id, Receiver: receiver, Result: result, Params: params}
}

// global declares an overload without a receiver.
func global(id, result string, params ...string) Overload {
	return Overload{ID: id, Result: result, Params: params}
}

// costing returns the overload with a cost model of its own.
func (o Overload) costing(c Cost) Overload {
	o.Cost = c
	return o
}

// since returns the overload with a first version of its own.
func (o Overload) since(v Version) Overload {
	o.Introduced = v
	return o
}

// Functions returns every function beyond CEL's standard library that expressions of the given kind can call in an API server of
// Kubernetes version v, in declaration order: libraries as [Libraries] lists them, then functions as each library declares them. The
// result is the caller's own. Rules LIB-001 … LIB-100, CEL-004.
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

// presentOverloads keeps the overloads that version v has.
func presentOverloads(all []Overload, v Version) []Overload {
	return slices.DeleteFunc(slices.Clone(all), func(o Overload) bool { return o.Introduced > v })
}
