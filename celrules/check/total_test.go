package check

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A schema over its limit has an error for each of its four most expensive
// expressions that take a hundredth of the limit, and one for all.
func TestTotal(t *testing.T) {
	const (
		share       = SchemaCostLimit / 100
		contributed = ": Forbidden: contributed to estimated rule cost total " +
			"exceeding cost limit for entire OpenAPIv3 schema"
		total = "s: Forbidden: x-kubernetes-validations estimated rule cost total for entire " +
			"OpenAPIv3 schema exceeds budget by factor of "
		try = " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength " +
			"where arrays, maps, and strings are declared)"
	)
	for name, test := range map[string]struct {
		costs         []uint64
		parts, factor string
	}{
		"the limit":               {[]uint64{SchemaCostLimit}, "", ""},
		"a part below":            {[]uint64{SchemaCostLimit, share - 1}, "a", "1.010000x"},
		"one and a half":          {[]uint64{share, 149 * share}, "ba", "1.5x"},
		"the factor 100":          {[]uint64{100 * SchemaCostLimit}, "a", "100.0x"},
		"above 100":               {[]uint64{1, 100*SchemaCostLimit + 99}, "b", "more than 100x"},
		"a sum that is too large": {[]uint64{1<<64 - 1, 1}, "a", "more than 100x"},
		"the largest four": {
			[]uint64{20 * share, 10 * share, 60 * share, 10 * share, 30 * share},
			"ceab", "1.300000x",
		},
	} {
		var want []string
		for _, part := range test.parts {
			want = append(want, string(part)+contributed)
		}
		if test.factor != "" {
			want = append(want, total+test.factor+try)
		}
		var sum schemaCost
		for i, cost := range test.costs {
			sum.add(field.NewPath(string(rune('a'+i))), cost)
		}
		errs := sum.errors(field.NewPath("s"))
		for i, err := range errs {
			if i >= len(want) || err.Error() != want[i] || err.Origin != "COST-022" {
				t.Errorf("%s: %d: %v, %s", name, i, err, err.Origin)
			}
		}
		if len(errs) != len(want) {
			t.Errorf("%s: %d errors, want %d", name, len(errs), len(want))
		}
	}
}
