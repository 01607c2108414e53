package celfunctions

import (
	"fmt"
	"math/rand/v2"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/crdsem/crdsem/conformance/oracle/formercel/celcases"
)

// generator writes random expressions. Most have the wanted type and compile.
type generator struct {
	*rand.Rand
	overloads []Callable
	locals    []celcases.Variable
}

func newGenerator(seed uint64, env *cel.Env) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), overloads: Overloads(env)}
	return g
}

// scalars are the types that replace type parameters.
var scalars = []*types.Type{
	types.IntType, types.StringType, types.DoubleType, types.BoolType, types.UintType, types.BytesType,
	types.DurationType, types.TimestampType, types.DynType,
}

// call writes a call of the overload with random arguments.
func (g *generator) call(c Callable, depth int) string {
	return g.bound(c, map[string]*types.Type{}, depth)
}

// bound writes a call with the type parameters bound that are in the map.
func (g *generator) bound(c Callable, params map[string]*types.Type, depth int) string {
	args := make([]string, len(c.Args))
	for i, t := range c.Args {
		args[i] = g.argument(c, i, g.resolve(t, params), depth-1)
	}
	return c.Call(args)
}

// argument writes one argument. It usually has the right type, sometimes it is
// hidden behind dyn, sometimes it has another type behind dyn.
func (g *generator) argument(c Callable, i int, t *types.Type, depth int) string {
	switch n := g.IntN(40); {
	case n == 0:
		return "dyn(" + g.value(scalars[g.IntN(len(scalars))], depth) + ")"
	case n < 4:
		return "dyn(" + g.value(t, depth) + ")"
	case n < 30 && t == types.StringType:
		if pool := StringsFor(c.ID, i); pool != nil {
			return Quote(pool[g.IntN(len(pool))])
		}
	}
	return g.value(t, depth)
}

// resolve replaces type parameters by concrete types, each parameter by one
// type.
func (g *generator) resolve(t *types.Type, params map[string]*types.Type) *types.Type {
	switch t.Kind() {
	case types.TypeParamKind:
		if params[t.TypeName()] == nil {
			params[t.TypeName()] = scalars[g.IntN(len(scalars))]
		}
		return params[t.TypeName()]
	case types.ListKind:
		return types.NewListType(g.resolve(t.Parameters()[0], params))
	case types.MapKind:
		return types.NewMapType(g.resolve(t.Parameters()[0], params),
			g.resolve(t.Parameters()[1], params))
	}
	if isOptional(t) {
		return types.NewOptionalType(g.resolve(t.Parameters()[0], params))
	}
	return t
}

// unify binds the parameters of pattern so that it becomes t, and reports
// whether that is possible.
func unify(pattern, t *types.Type, params map[string]*types.Type) bool {
	if pattern.Kind() == types.TypeParamKind {
		name := pattern.TypeName()
		if params[name] == nil {
			params[name] = t
		}
		return params[name].IsExactType(t)
	}
	if pattern.Kind() != t.Kind() || pattern.TypeName() != t.TypeName() ||
		len(pattern.Parameters()) != len(t.Parameters()) {
		return false
	}
	for i, p := range pattern.Parameters() {
		if !unify(p, t.Parameters()[i], params) {
			return false
		}
	}
	return true
}

// value writes an expression of a type.
func (g *generator) value(t *types.Type, depth int) string {
	if depth > 0 && g.IntN(3) > 0 {
		if text := g.compound(t, depth); text != "" {
			return text
		}
	}
	if variables := g.variables(t); len(variables) > 0 && g.IntN(3) == 0 {
		return variables[g.IntN(len(variables))]
	}
	return g.literal(t, depth)
}

// variables returns the names of the variables of a type.
func (g *generator) variables(t *types.Type) []string {
	var out []string
	for _, v := range append(celcases.Variables(), g.locals...) {
		if v.Type.IsExactType(t) {
			out = append(out, v.Name)
		}
	}
	return out
}

// compound writes a macro or a call with a given result type. It returns "" if
// there is no such macro or function.
func (g *generator) compound(t *types.Type, depth int) string {
	if g.IntN(4) == 0 {
		if text := g.macro(t, depth); text != "" {
			return text
		}
	}
	type candidate struct {
		Callable
		params map[string]*types.Type
	}
	var candidates []candidate
	for _, c := range g.overloads {
		params := map[string]*types.Type{}
		if unify(c.Result, t, params) {
			candidates = append(candidates, candidate{c, params})
		}
	}
	if len(candidates) == 0 {
		return ""
	}
	chosen := candidates[g.IntN(len(candidates))]
	return g.bound(chosen.Callable, chosen.params, depth)
}

// within writes an expression in which a local variable is declared.
func (g *generator) within(name string, of, t *types.Type, depth int) string {
	g.locals = append(g.locals, celcases.Variable{Name: name, Type: of})
	text := g.value(t, depth)
	g.locals = g.locals[:len(g.locals)-1]
	return text
}

// macro writes a macro call with a given result type.
func (g *generator) macro(t *types.Type, depth int) string {
	element := scalars[g.IntN(5)]
	x := fmt.Sprintf("x%d", len(g.locals))
	list := func(of *types.Type) string { return g.value(types.NewListType(of), depth-1) }
	switch {
	case t == types.BoolType && g.IntN(6) == 0:
		return []string{"has(labels.app)", "has(labels.none)", "labels.?app.hasValue()"}[g.IntN(3)]
	case t == types.BoolType:
		one := []string{"all", "exists", "exists_one"}[g.IntN(3)]
		if g.IntN(4) == 0 {
			return fmt.Sprintf("%s.%s(i%s, %s, %s)", list(element), one, x, x,
				g.within(x, element, t, depth-1))
		}
		return fmt.Sprintf("%s.%s(%s, %s)", list(element), one, x, g.within(x, element, t, depth-1))
	case t.Kind() == types.ListKind:
		of := t.Parameters()[0]
		switch g.IntN(4) {
		case 0:
			return fmt.Sprintf("%s.map(%s, %s)", list(element), x,
				g.within(x, element, of, depth-1))
		case 1:
			return fmt.Sprintf("%s.filter(%s, %s)", g.value(t, depth-1), x,
				g.within(x, of, types.BoolType, depth-1))
		case 2:
			return fmt.Sprintf("%s.transformList(i%s, %s, %s)", list(element), x, x,
				g.within(x, element, of, depth-1))
		}
		return fmt.Sprintf("%s.sortBy(%s, %s)", g.value(t, depth-1), x,
			g.within(x, of, element, depth-1))
	case isOptional(t):
		return fmt.Sprintf("%s.optMap(%s, %s)", g.value(types.NewOptionalType(element), depth-1), x,
			g.within(x, element, t.Parameters()[0], depth-1))
	}
	return ""
}

func isOptional(t *types.Type) bool {
	return t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type"
}
