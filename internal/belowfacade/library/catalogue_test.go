package library_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// costNames are the names of cost models in functions.txt.
var costNames = [...]string{
	library.CostNominal: "nominal", library.CostScan: "scan", library.CostTransform: "transform",
	library.CostScanTwice: "scan-twice", library.CostReplace: "replace",
	library.CostSplit: "split", library.CostJoin: "join", library.CostRegex: "regex",
	library.CostTraverse: "traverse", library.CostContainsIP: "contains-ip",
	library.CostContainsIPText:     "contains-ip-text",
	library.CostContainsCIDR:       "contains-cidr",
	library.CostContainsCIDRText:   "contains-cidr-text",
	library.CostFormatValidate:     "format-validate",
	library.CostAuthorizationCheck: "authorization-check",
	library.CostSelector:           "selector", library.CostListSlice: "list-slice",
	library.CostListFlatten: "list-flatten", library.CostListRange: "list-range",
	library.CostListDistinct: "list-distinct", library.CostListReverse: "list-reverse",
	library.CostListSort: "list-sort", library.CostListSortBy: "list-sort-by",
	library.CostSetCompare: "set-compare", library.CostSetCompareTwice: "set-compare-twice",
	library.CostFormatString: "format-string", library.CostQuote: "quote",
}

// attribute writes a cost model as functions.txt does.
func attribute(c library.Cost) string {
	if c == library.CostDefault {
		return ""
	}
	return "; cost " + costNames[c]
}

// edition returns the first edition of a library that has a function.
func edition(name, function string) uint32 {
	for e := uint32(0); ; e++ {
		all := library.Library{Name: name, Edition: e}.Functions()
		if slices.ContainsFunc(all, func(f library.Function) bool { return f.Name == function }) {
			return e
		}
	}
}

// written writes a function as functions.txt does.
func written(f library.Function) string {
	text := f.Name + attribute(f.Cost)
	if e := edition(f.Library, f.Name); e > 0 {
		text += fmt.Sprintf("; edition %d", e)
	}
	text += ": " + f.Summary + "\n"
	for _, o := range f.Overloads {
		text += "\t" + o.ID + ": " + o.Signature(f.Name) + attribute(o.Cost)
		if o.Introduced > 0 {
			text += fmt.Sprintf("; since %d", uint8(o.Introduced))
		}
		text += "\n"
	}
	return text
}

// The catalogue is the whole of functions.txt, each function as it is there.
func TestCatalogue(t *testing.T) {
	file, err := os.ReadFile("functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, sections, _ := strings.Cut(string(file), "\n[")
	for section := range strings.SplitSeq(sections, "\n[") {
		name, want, _ := strings.Cut(section, "]\n")
		got := ""
		for _, f := range (library.Library{Name: name, Edition: 99}).Functions() {
			got += written(f)
		}
		want = strings.TrimRight(want, "\n") + "\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: file -, catalogue +\n%s", name, diff)
		}
	}
}

// A type with parameters is one parameter, also with two commas inside.
func TestParameters(t *testing.T) {
	for _, f := range everyFunction() {
		for _, o := range f.Overloads {
			for _, p := range o.Params {
				if strings.Count(p, "(") != strings.Count(p, ")") {
					t.Errorf("%s: parameter %q", o.ID, p)
				}
			}
		}
	}
}

// Changing the parameters of a result does not change the catalogue.
func TestParametersCallersOwn(t *testing.T) {
	quantity := library.Library{Name: library.Quantity}
	for i, f := range quantity.Functions() {
		for j, o := range f.Overloads {
			clear(o.Params)
			if slices.Contains(quantity.Functions()[i].Overloads[j].Params, "") {
				t.Errorf("%s: the catalogue changed", o.ID)
			}
		}
	}
}

// New expressions have what the previous minor has, stored ones what the minor
// itself has (CEL-001).
func TestIn(t *testing.T) {
	for _, c := range []struct {
		introduced, removed, version library.Version
		added, stored                bool
	}{
		{0, 0, 0, true, true},
		{0, 5, 0, true, true},
		{1, 0, 0, false, false},
		{30, 0, 29, false, false},
		{30, 0, 30, false, true},
		{30, 0, 31, true, true},
		{0, 30, 29, true, true},
		{0, 30, 30, true, false},
		{0, 30, 31, false, false},
		{29, 30, 30, true, false},
		{0, 1, 1, true, false},
		{1, 0, 1, false, true},
	} {
		l := library.Library{Introduced: c.introduced, Removed: c.removed}
		added := l.In(c.version, library.NewExpressions)
		stored := l.In(c.version, library.StoredExpressions)
		if added != c.added || stored != c.stored {
			t.Errorf("%+v: got %t, %t", c, added, stored)
		}
	}
}

// A cost model that is not one of the constants is described as the default.
func TestUnknownCost(t *testing.T) {
	last := library.Cost(len(costNames) - 1)
	if got := last.Estimate(); got != "⌈0.1n⌉; result size 2n+2" {
		t.Errorf("the last is %q", got)
	}
	for _, c := range []library.Cost{-1, last + 1, last + 9} {
		if c.Estimate() != "1" || c.Runtime() != "1" {
			t.Errorf("%d: %s, %s", c, c.Estimate(), c.Runtime())
		}
	}
}
