package library_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// everyFunction returns the functions of all libraries of all versions.
func everyFunction() []library.Function {
	var out []library.Function
	for _, l := range library.Libraries() {
		out = append(out, l.Functions()...)
	}
	return out
}

// Calls are charged by name, therefore a name has one cost model in all
// libraries.
func TestOneCostPerName(t *testing.T) {
	costs := map[string]library.Cost{}
	for _, f := range everyFunction() {
		if c, found := costs[f.Name]; found && c != f.Cost {
			t.Errorf("%s: %d and %d", f.Name, c, f.Cost)
		}
		costs[f.Name] = f.Cost
	}
}

// The sizes of formats are those of the specification (LIB-060).
func TestSizesOfFormats(t *testing.T) {
	rule, _ := spec.Find("LIB-060")
	for _, f := range library.NamedFormats() {
		size := ""
		for line := range strings.Lines(rule.Statement) {
			cells := strings.Split(line, "|")
			if len(cells) > 4 && strings.Contains(cells[1], "`"+f.Name+"`") {
				size = strings.TrimSpace(cells[len(cells)-2])
			}
		}
		if size != fmt.Sprint(f.RegexSize) {
			t.Errorf("%s: %d, specified is %s", f.Name, f.RegexSize, size)
		}
	}
}

// An environment has each overload id once.
func TestOverloadsOnce(t *testing.T) {
	for v := library.Version(25); v <= library.Latest; v++ {
		kinds := []library.Expressions{library.NewExpressions, library.StoredExpressions}
		for _, kind := range kinds {
			seen := map[string]string{}
			for _, f := range library.Functions(v, kind) {
				for _, o := range f.Overloads {
					if seen[o.ID] != "" {
						t.Errorf("%v, %v: %s of %s and %s", v, kind, o.ID, seen[o.ID], f.Name)
					}
					seen[o.ID] = f.Name
				}
			}
			if len(seen) == 0 {
				t.Errorf("%v, %v: no functions", v, kind)
			}
		}
	}
}

// Each function has a summary, and each cost model its own formulas.
func TestDescribed(t *testing.T) {
	for _, f := range everyFunction() {
		if f.Summary == "" || f.Library == "" || len(f.Overloads) == 0 {
			t.Errorf("%s of %q is not described", f.Name, f.Library)
		}
		for _, o := range f.Overloads {
			if f.Cost < 0 || o.Cost < 0 || o.ID == "" || o.Result == "" {
				t.Errorf("%s: %+v and cost %d", f.Name, o, f.Cost)
			}
		}
	}
	for _, lib := range library.Libraries() {
		rule, found := spec.Find(lib.Rule)
		if len(lib.Functions()) > 0 && (!found || rule.ID != lib.Rule) {
			t.Errorf("%s: no rule %q", lib.Name, lib.Rule)
		}
	}
	for c := library.CostScan; c <= library.CostQuote; c++ {
		nominal := library.CostNominal
		if c.Estimate() == nominal.Estimate() || c.Runtime() == nominal.Runtime() {
			t.Errorf("cost model %d has no formulas", c)
		}
	}
}

func TestVersions(t *testing.T) {
	has := func(name string, v library.Version, kind library.Expressions) bool {
		return slices.ContainsFunc(library.Functions(v, kind), func(f library.Function) bool {
			return f.Name == name
		})
	}
	for _, c := range []struct {
		function string
		stored   library.Version // first version whose stored expressions have it
		added    library.Version // first version whose new expressions have it
	}{
		{"includes", 37, 38}, {"lists.range", 34, 35}, {"semver", 33, 34}, {"first", 33, 33}, {"format.named", 31, 32}, {"cidr", 30, 31},
		{"sets.contains", 29, 30}, {"strings.quote", 29, 30}, {"quantity", 28, 29}, {"cel.@mapInsert", 32, 33},
	} {
		for kind, first := range map[library.Expressions]library.Version{
			library.StoredExpressions: c.stored, library.NewExpressions: c.added,
		} {
			if has(c.function, first-1, kind) || !has(c.function, first, kind) {
				t.Errorf("%s: not since %v for expressions %v", c.function, first, kind)
			}
		}
	}
}

// Changing a result does not change the catalogue.
func TestCallersOwn(t *testing.T) {
	fs := library.Functions(library.Latest, library.StoredExpressions)
	fs[0].Name, fs[0].Overloads[0].ID = "changed", "changed"
	library.Libraries()[0].Functions()[0].Overloads[0].ID = "changed"
	library.NamedFormats()[0].Name = "changed"
	for _, f := range library.Functions(library.Latest, library.StoredExpressions) {
		changed := slices.ContainsFunc(f.Overloads, func(o library.Overload) bool {
			return o.ID == "changed"
		})
		if f.Name == "changed" || changed {
			t.Error("the catalogue was changed")
		}
	}
	if strings.Contains(fmt.Sprint(library.NamedFormats()), "changed") {
		t.Error("the formats were changed")
	}
}

func ExampleFunctions() {
	for _, f := range library.Functions(library.Latest, library.StoredExpressions) {
		if f.Library != library.Quantity || f.Name != "add" {
			continue
		}
		for _, o := range f.Overloads {
			fmt.Println(o.Signature(f.Name))
		}
		fmt.Println(f.Summary)
		fmt.Println("estimate:", f.Cost.Estimate())
	}
	// Output:
	// <kubernetes.Quantity>.add(kubernetes.Quantity) -> kubernetes.Quantity
	// <kubernetes.Quantity>.add(int) -> kubernetes.Quantity
	// the sum, a new quantity
	// estimate: 1
}

func ExampleLibrary_In() {
	for _, l := range library.Libraries() {
		if l.Name == library.Lists && l.Edition == 1 {
			fmt.Println(l.Introduced)
			fmt.Println(l.In(37, library.NewExpressions), l.In(37, library.StoredExpressions))
		}
	}
	// Output:
	// 1.37
	// false true
}

func ExampleCost_Runtime() {
	fmt.Println(library.CostRegex.Runtime())
	// Output: ⌈0.1(n+1)⌉·⌈0.25·size of the regular expression⌉
}
