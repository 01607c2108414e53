package functions

import (
	"maps"
	"slices"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/decls"
	gofunctions "cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/base/quantity"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// valueOf returns a value of a type of the catalogue.
func valueOf(t *testing.T, name string) ref.Val {
	t.Helper()
	switch name {
	case "string":
		return types.String("::1")
	case "int":
		return types.Int(1)
	case "bool":
		return types.True
	case k8scel.URLType.TypeName():
		return parseURL("/a")
	case k8scel.QuantityType.TypeName():
		q := quantity.OfInt(1)
		return k8scel.Quantity{Quantity: &q}
	case k8scel.IPType.TypeName():
		return ipValue("::1")
	case k8scel.CIDRType.TypeName():
		return cidrValue("::/1")
	case k8scel.SemverType.TypeName():
		return versionOf(parseNormalized("1"))
	case k8scel.FormatType.TypeName():
		return k8scel.Format{Check: func(string) []string { return nil }}
	}
	for _, of := range []*types.Type{
		k8scel.AuthorizerType, k8scel.PathCheckType, k8scel.GroupCheckType,
		k8scel.ResourceCheckType, k8scel.DecisionType,
	} {
		if of.TypeName() == name {
			return k8scel.NewCheck(of)
		}
	}
	return list()
}

// implementation returns the function of a binding without the checks of types
// that cel-go puts before it.
func implementation(
	t *testing.T, id string, params int, bound cel.OverloadOpt,
) func([]ref.Val) ref.Val {
	t.Helper()
	dynamic := slices.Repeat([]*types.Type{types.DynType}, params)
	f, err := decls.NewFunction("f", decls.DisableTypeGuards(true),
		decls.Overload(id, dynamic, types.DynType, bound))
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Bindings()
	if err != nil {
		t.Fatal(err)
	}
	one := all[slices.IndexFunc(all, func(o *gofunctions.Overload) bool {
		return o.Operator == id
	})]
	return func(args []ref.Val) ref.Val {
		switch {
		case one.Unary != nil:
			return one.Unary(args[0])
		case one.Binary != nil:
			return one.Binary(args[0], args[1])
		}
		return one.Function(args...)
	}
}

// An argument of another type than the declared one, at any place, is a `no
// such overload`.
func TestArgumentsOfOtherTypes(t *testing.T) {
	bound, tested := Bindings(profile.Latest()), 0
	others := []ref.Val{types.NullValue, types.Double(1.5), k8scel.NewCheck(types.ErrType)}
	for _, lib := range library.Libraries() {
		for _, f := range lib.Functions() {
			for _, o := range f.Overloads {
				binding, ok := bound[o.ID]
				if !ok || f.Name == "includes" {
					continue
				}
				params := slices.Clone(o.Params)
				if o.IsMember() {
					params = slices.Insert(params, 0, o.Receiver)
				}
				run := implementation(t, o.ID, len(params), binding)
				args := make([]ref.Val, len(params))
				for i, p := range params {
					args[i] = valueOf(t, p)
				}
				if got := run(args); asText(got) == "no such overload" {
					t.Errorf("%s: %v", o.ID, got)
				}
				tested++
				for i, p := range params {
					if p == "A" {
						continue // of any type
					}
					for _, other := range others {
						wrong := slices.Clone(args)
						wrong[i] = other
						if got := run(wrong); asText(got) != "no such overload" {
							t.Errorf("%s, argument %d: %v", o.ID, i, got)
						}
					}
				}
			}
		}
	}
	if tested < len(slices.Collect(maps.Keys(bound)))-len(library.NamedFormats()) {
		t.Errorf("%d of %d bindings are tested", tested, len(bound))
	}
}
