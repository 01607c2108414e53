package cost

import (
	"math"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/common/ast"
	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// node is an argument of a call with a type and a size, nil if unknown.
type node struct {
	of   *types.Type
	size *celcost.SizeEstimate
}

func (node) Path() []string                        { return nil }
func (n node) Type() *types.Type                   { return n.of }
func (node) Expr() ast.Expr                        { return nil }
func (n node) ComputedSize() *celcost.SizeEstimate { return n.size }

// An equality of two values of one Kubernetes type has an estimate of its own
// (COST-103 to COST-106).
func TestEstimateEquality(t *testing.T) {
	of := func(t *types.Type) node { return node{of: t} }
	sized := func(most uint64) node {
		return node{k8scel.URLType, &celcost.SizeEstimate{Min: 2, Max: most}}
	}
	type row struct {
		args     []celcost.AstNode
		min, max uint64 // 0 if left to cel-go
	}
	table := map[string]row{
		"formats":         {[]celcost.AstNode{of(k8scel.FormatType), of(k8scel.FormatType)}, 1, 7},
		"URLs":            {[]celcost.AstNode{of(k8scel.URLType), of(k8scel.URLType)}, 1, 1},
		"URL and sized":   {[]celcost.AstNode{of(k8scel.URLType), sized(25)}, 1, 3},
		"sized and URL":   {[]celcost.AstNode{sized(25), of(k8scel.URLType)}, 1, 1},
		"sized URLs":      {[]celcost.AstNode{sized(99), sized(31)}, 1, 4},
		"strings":         {[]celcost.AstNode{of(types.StringType), of(types.StringType)}, 0, 0},
		"optional values": {[]celcost.AstNode{of(types.OptionalType), of(types.OptionalType)}, 0, 0},
		"other types":     {[]celcost.AstNode{of(k8scel.IPType), of(k8scel.CIDRType)}, 0, 0},
		"one":             {[]celcost.AstNode{of(k8scel.IPType)}, 0, 0},
		"three":           {slices.Repeat([]celcost.AstNode{of(k8scel.IPType)}, 3), 0, 0},
		"nothing":         {nil, 0, 0},
	}
	for _, one := range []*types.Type{
		k8scel.IPType, k8scel.CIDRType, k8scel.QuantityType, k8scel.SemverType,
		k8scel.AuthorizerType, k8scel.PathCheckType, k8scel.GroupCheckType,
		k8scel.ResourceCheckType, k8scel.DecisionType,
	} {
		table[one.TypeName()] = row{slices.Repeat([]celcost.AstNode{of(one)}, 2), 1, 1}
		mixed := []celcost.AstNode{of(one), of(types.StringType)}
		table[one.TypeName()+" and string"] = row{mixed, 0, 0}
	}
	for name, c := range table {
		got := estimateEquality(c.args)
		if c.max == 0 {
			if got != nil {
				t.Errorf("%s: got %+v", name, *got)
			}
			continue
		}
		if want := (celcost.Estimate{Min: c.min, Max: c.max}); got == nil ||
			got.CostEstimate != want || got.ResultSize != nil {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// models returns the models of the newest minor, and of one whose ranges have
// no bound.
func models() (newest, former *Model) {
	functions := library.Functions(library.Latest, library.StoredExpressions)
	unbounded := *profile.Latest()
	unbounded.BoundedRanges = false
	return NewModel(profile.Latest(), functions), NewModel(&unbounded, functions)
}

// The trackers of a model decide first, then the estimator, then cel-go
// (COST-023).
func TestModelCallCost(t *testing.T) {
	m, _ := models()
	ints := types.DefaultTypeAdapter.NativeToValue([]int64{4, 4, 5})
	text := types.String(strings.Repeat("a", 25))
	for _, c := range []struct {
		function, overload string
		args               []ref.Val
		want               uint64
	}{
		{"distinct", "list_distinct", []ref.Val{ints}, 29},
		{"sets.contains", "list_sets_contains_list", []ref.Val{ints, ints}, 10},
		{"lists.range", "lists_range", []ref.Val{types.Int(4)}, 15},
		{"lowerAscii", "string_lower_ascii", []ref.Val{text}, 3},
		{"getHost", "url_get_host", []ref.Val{text}, 1},
		{"contains", "contains_string", []ref.Val{text, text}, 9},
		{"unknown", "unknown", []ref.Val{text, text}, 1},
	} {
		if got := m.CallCost(c.function, c.overload, c.args, nil); got != c.want {
			t.Errorf("%s: got %d, want %d", c.function, got, c.want)
		}
	}
}

// Without the sizes of a schema, a value has any size (COST-011).
func TestUnknownSizes(t *testing.T) {
	m, _ := models()
	text := node{of: types.StringType}
	e := m.Estimator(profile.Latest(), nil)
	if size := e.EstimateSize(text); size != nil {
		t.Errorf("size %v", size)
	}
	if got := e.sizeOf(text); got != (celcost.SizeEstimate{Max: math.MaxUint64}) {
		t.Errorf("size %v", got)
	}
	again := m.Estimator(profile.Latest(), sizes{})
	if *again.EstimateSize(text) != (celcost.SizeEstimate{Max: 7}) ||
		e.EstimateSize(text) != nil {
		t.Error("an estimator with sizes changes another one")
	}
}

// sizes gives each node seven characters.
type sizes struct{}

func (sizes) EstimateSize(celcost.AstNode) *celcost.SizeEstimate {
	return &celcost.SizeEstimate{Max: 7}
}

// Functions whose charge is known before the call, or only after it.
func TestWhenKnown(t *testing.T) {
	functions := library.Functions(library.Latest, library.StoredExpressions)
	where := func(known func(function, overload string) bool) (names []string) {
		for _, f := range functions {
			for _, o := range f.Overloads {
				if known(f.Name, o.ID) {
					names = append(names, f.Name)
				}
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	newest, former := models()
	for _, c := range []struct{ got, want []string }{
		{where(newest.KnownBefore), []string{
			"@sortByAssociatedKeys", "distinct",
			"sets.contains", "sets.equivalent", "sets.intersects", "sort",
		}},
		{where(former.KnownBefore), []string{
			"@sortByAssociatedKeys", "distinct", "lists.range",
			"sets.contains", "sets.equivalent", "sets.intersects", "sort",
		}},
		{where(newest.NeedsResult), []string{"join", "lists.range", "reverse", "slice"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
