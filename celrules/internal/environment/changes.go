package environment

import (
	"math/bits"
	"strings"
	"sync"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Most expressions mean and cost the same in all minors, e.g. `self.a < 10`.
// Those that the newest environment compiles are shared with all minors between
// which nothing that they use changed.

// Minors is a set of minors that change something.
type Minors uint16

// Add adds a minor. Minors before the second oldest change nothing that there
// is a profile for.
func (m Minors) add(minor profile.Minor) Minors {
	if minor <= profile.Oldest {
		return m
	}
	return m | 1<<(minor-profile.Oldest)
}

// Before returns the default minor if nothing changes between it and a minor.
// Otherwise it returns the first minor that is like that one.
func (m Minors) Before(p *profile.Profile) *profile.Profile {
	if m&(upTo(p.Minor)^upToDefault) == 0 {
		return profile.Latest()
	}
	if m &= upTo(p.Minor); m == 0 {
		return profile.Of(profile.Oldest)
	}
	return profile.Of(profile.Oldest + profile.Minor(bits.Len16(uint16(m))-1))
}

// upToDefault has the minors up to the default.
const upToDefault = Minors(1)<<(profile.Default-profile.Oldest+1) - 1

// upTo returns the minors up to one.
func upTo(minor profile.Minor) Minors { return Minors(1)<<(minor-profile.Oldest+1) - 1 }

// ChangesOf returns the minors that change what an expression means or costs,
// in environments of the same kind. The expression was compiled from a text.
func (e *Env) ChangesOf(checked *ast.AST, text string) Minors {
	f := finder{env: e, checked: checked}
	if strings.Contains(text, "`") {
		f.on(func(p *profile.Profile) bool { return p.QuotedIdentifiers })
		f.on(func(p *profile.Profile) bool { return p.QuotedTokens })
	}
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(f.visit))
	if f.compares && f.opaque {
		f.on(func(p *profile.Profile) bool { return p.OpaqueEquality })
	}
	if f.compares && f.optional {
		f.on(func(p *profile.Profile) bool { return p.OptionalSizes })
		f.on(func(p *profile.Profile) bool { return p.UnsizedOptionals })
	}
	if f.optional {
		f.on(func(p *profile.Profile) bool { return p.OptionalContents })
		f.on(func(p *profile.Profile) bool { return p.OptionalTypeName })
	}
	return f.minors
}

// finder collects the changes of one expression.
type finder struct {
	env      *Env
	checked  *ast.AST
	minors   Minors
	compares bool // the expression has ==
	opaque   bool // the expression may have values of Kubernetes types
	optional bool // the expression has optional values
}

// on adds the minor that turned a switch on.
func (f *finder) on(isOn func(*profile.Profile) bool) {
	for m := profile.Oldest + 1; m <= profile.Newest; m++ {
		if isOn(profile.Of(m)) {
			f.minors = f.minors.add(m)
			return
		}
	}
}

// library adds the minor in which expressions of the environment's kind got
// what a version introduced.
func (f *finder) library(introduced library.Version) {
	if f.env.kind == library.NewExpressions {
		introduced++
	}
	f.minors = f.minors.add(profile.Minor(introduced))
}

// reserved adds the change of field names that are reserved words.
func (f *finder) reserved(name string) {
	if decl.IsReserved(name) {
		f.library(introduced().libraries[library.ReservedFieldNames])
	}
}

func (f *finder) visit(e ast.Expr) {
	f.optional = f.optional || f.checked.GetType(e.ID()).TypeName() == types.OptionalType.TypeName()
	switch e.Kind() {
	case ast.IdentKind:
		switch e.AsIdent() {
		case k8scel.IPType.TypeName(), k8scel.CIDRType.TypeName():
			f.library(introduced().libraries[library.IP])
		case types.OptionalType.TypeName():
			f.on(func(p *profile.Profile) bool { return p.OptionalTypeName })
		}
	case ast.SelectKind:
		f.reserved(e.AsSelect().FieldName())
	case ast.ComprehensionKind:
		if e.AsComprehension().HasIterVar2() {
			f.library(introduced().libraries[library.TwoVarComprehension])
			f.on(func(p *profile.Profile) bool { return p.DynamicSecondVariables })
		}
		if over := e.AsComprehension().IterRange(); isEmptyList(over) { // optMap or optFlatMap
			f.on(func(p *profile.Profile) bool { return p.CopiedReceivers })
			f.on(func(p *profile.Profile) bool { return p.LazyContents })
		}
	case ast.CallKind:
		f.call(e)
	}
}

func isEmptyList(e ast.Expr) bool { return e.Kind() == ast.ListKind && e.AsList().Size() == 0 }

// changedFunctions has the switches of each function that changed.
var changedFunctions = map[string][]func(*profile.Profile) bool{
	overloads.StartsWith: {func(p *profile.Profile) bool { return p.PrefixLengths }},
	overloads.EndsWith:   {func(p *profile.Profile) bool { return p.PrefixLengths }},
	"lists.range": {
		func(p *profile.Profile) bool { return p.BoundedRanges },
		func(p *profile.Profile) bool { return p.ListErrors },
	},
	"format": {
		func(p *profile.Profile) bool { return p.FormatLiterals },
		func(p *profile.Profile) bool { return p.DenseScientific },
	},
	"flatten": {
		func(p *profile.Profile) bool { return p.NegativeFlattenDepths },
		func(p *profile.Profile) bool { return p.NoNegativeDepths },
	},
	"containsCIDR": {func(p *profile.Profile) bool { return p.MaskedCIDRs }},
	"indexOf":      searches,
	"lastIndexOf":  searches,
	"quantity":     {func(p *profile.Profile) bool { return p.BoundedQuantities }},
	"isQuantity":   {func(p *profile.Profile) bool { return p.BoundedQuantities }},
	"isInteger":    {func(p *profile.Profile) bool { return p.WideIntegers }},
	"asInteger":    {func(p *profile.Profile) bool { return p.WideIntegers }},
	"validate":     {func(p *profile.Profile) bool { return p.NameBytes }},
	"or":           {func(p *profile.Profile) bool { return p.OptionalReceivers }},
	"orValue":      {func(p *profile.Profile) bool { return p.OptionalReceivers }},
}

// searches has the switches of indexOf and lastIndexOf.
var searches = []func(*profile.Profile) bool{
	func(p *profile.Profile) bool { return p.IndexOfPastEnd },
	func(p *profile.Profile) bool { return p.LastIndexOfEmpty },
	func(p *profile.Profile) bool { return p.EmptySearches },
}

// call adds the changes of a function.
func (f *finder) call(e ast.Expr) {
	call := e.AsCall()
	switch name := call.FunctionName(); name {
	case operators.Equals, operators.NotEquals:
		f.compares = true
		if f.isUnknownType(call.Args()[0]) || f.isUnknownType(call.Args()[1]) {
			f.on(func(p *profile.Profile) bool { return p.TypeParameters })
		}
	case operators.Index, operators.OptIndex:
		switch stripDyn(call.Args()[1]).Kind() {
		case ast.ListKind, ast.MapKind: // its text names the type of the list
			f.on(func(p *profile.Profile) bool { return p.NamelessContainer })
		}
	case operators.OptSelect:
		field, _ := call.Args()[1].AsLiteral().(types.String)
		f.reserved(string(field))
	case overloads.Matches:
		if !call.IsMemberFunction() {
			f.on(func(p *profile.Profile) bool { return p.MatchesFunction })
		}
	case overloads.TypeConvertDuration:
		if k := f.checked.GetType(e.AsCall().Args()[0].ID()).Kind(); k != types.StringKind {
			f.on(func(p *profile.Profile) bool { return p.DurationArguments })
		}
	default:
		for _, isOn := range changedFunctions[name] {
			f.on(isOn)
		}
		if functions.TakesLists(name) {
			f.on(func(p *profile.Profile) bool { return p.ListErrors })
		}
	}
	for _, id := range f.checked.GetOverloadIDs(e.ID()) {
		f.overload(id)
	}
}

// isUnknownType reports whether a value is a type that is not fully known, e.g.
// type([]).
func (f *finder) isUnknownType(e ast.Expr) bool {
	t := f.checked.GetType(e.ID())
	name := t.String()
	return t.Kind() == types.TypeKind && name != "type(dyn)" && strings.Contains(name, "dyn")
}

// stripDyn returns the argument of dyn(), or the expression itself.
func stripDyn(e ast.Expr) ast.Expr {
	if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == overloads.TypeConvertDyn {
		return stripDyn(e.AsCall().Args()[0])
	}
	return e
}

// ordersDoubles reports whether an overload is <, <=, > or >= of a double.
func ordersDoubles(id string) bool {
	return (strings.HasPrefix(id, "less_") || strings.HasPrefix(id, "greater_")) &&
		strings.Contains(id, "double")
}

// overload adds the changes that brought an overload.
func (f *finder) overload(id string) {
	if id == overloads.AddList {
		f.on(func(p *profile.Profile) bool { return p.ScalarSets })
	}
	if ordersDoubles(id) {
		f.on(func(p *profile.Profile) bool { return p.UnorderedNaN })
	}
	from, ok := introduced().overloads[id]
	if !ok {
		return
	}
	f.library(from.library)
	f.minors = f.minors.add(profile.Minor(from.release))
	f.opaque = f.opaque || from.opaque
	f.optional = f.optional || from.optional
}

// origin is where an overload comes from.
type origin struct {
	library library.Version // the first version of a library that has it
	release library.Version // of cel-go, 0 if it is as old as the library
	opaque  bool            // the library has a type of its own
	// optional is set for the library of optional values.
	optional bool
}

// origins has the origins of overloads and of libraries.
type origins struct {
	overloads map[string]origin
	libraries map[string]library.Version
}

// introduced reads the catalogue once.
var introduced = sync.OnceValue(func() origins {
	out := origins{map[string]origin{}, map[string]library.Version{}}
	for _, lib := range library.Libraries() {
		out.libraries[lib.Name] = lib.Introduced
		opaque := false
		switch lib.Name {
		case library.URLs, library.Quantity, library.IP, library.CIDR, library.Format,
			library.Semver:
			opaque = true
		}
		for _, f := range lib.Functions() {
			for _, o := range f.Overloads {
				if _, known := out.overloads[o.ID]; !known {
					out.overloads[o.ID] = origin{
						lib.Introduced, o.Introduced, opaque, lib.Name == library.Optionals,
					}
				}
			}
		}
	}
	return out
})
