package cost

import (
	"slices"
	"testing"

	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// What functions on lists cost: 11 for the call and its list, and more for each
// element.
func TestListTrackers(t *testing.T) {
	list := func(n int, of ref.Val) traits.Lister {
		return types.DefaultTypeAdapter.NativeToValue(
			slices.Repeat([]ref.Val{of}, n)).(traits.Lister)
	}
	three, ints := list(3, types.Int(1)), list(10, types.Int(1))
	texts, bytes := list(10, types.String("a")), list(10, types.Bytes("a"))
	args := func(values ...ref.Val) []ref.Val { return values }
	latest, former := profile.Latest(), profile.Of(36)
	rangeCost := extensionTracker(library.CostListRange, latest)
	for name, c := range map[string]struct {
		got  *uint64
		want uint64
	}{
		"no factor":         {allocation(0, 3), 11},
		"half":              {allocation(0.5, 3), 12},
		"negative factor":   {allocation(-2, 3), 14},
		"range before":      {rangeCost(args(types.Int(4)), nil), 15},
		"negative range":    {rangeCost(args(types.Int(-4)), nil), 11},
		"range after":       {rangeCost(args(types.Int(9)), three), 14},
		"range of an error": {rangeCost(args(types.String("4")), three), 14},
		"flatten":           {flattenCost(latest, args(three)), 14},
		"flatten twice":     {flattenCost(latest, args(three, types.Int(2))), 17},
		"flatten, not":      {flattenCost(latest, args(three, types.Int(0))), 11},
		"flatten negative":  {flattenCost(latest, args(three, types.Int(-5))), 14},
		"flatten in 1.38":   {flattenCost(profile.Of(38), args(three, types.Int(-5))), 11},
		"former flatten":    {flattenCost(former, args(three)), 14},
		"former twice":      {flattenCost(former, args(three, types.Int(2))), 17},
		"former, not":       {flattenCost(former, args(three, types.Int(0))), 11},
		"former negative":   {flattenCost(former, args(three, types.Int(-1))), 8},
		"former wraps":      {flattenCost(former, args(three, types.Int(-4))), 1<<64 - 1},
		"pairs of none":     {pairwiseCost(list(0, nil)), 11},
		"pairs of integers": {pairwiseCost(ints), 211},
		"pairs of strings":  {pairwiseCost(texts), 221},
		"pairs of bytes":    {pairwiseCost(bytes), 221},
		"sets":              {setCost(1)(args(three, ints), nil), 31},
		"sets twice":        {setCost(2)(args(three, ints), nil), 61},
	} {
		if c.got == nil || *c.got != c.want {
			t.Errorf("%s: want %d", name, c.want)
			if c.got != nil {
				t.Errorf("%s: got %d", name, *c.got)
			}
		}
	}
}

// A comparison reads both values up to the end of the shorter one, and nothing
// if one of them can be empty.
func TestComparison(t *testing.T) {
	for _, c := range []struct{ a, b, want [2]uint64 }{
		{[2]uint64{0, 25}, [2]uint64{0, 31}, [2]uint64{0, 3}},
		{[2]uint64{1, 31}, [2]uint64{1, 20}, [2]uint64{1, 2}},
		{[2]uint64{0, 9}, [2]uint64{1, 40}, [2]uint64{0, 1}},
		{[2]uint64{1, 0}, [2]uint64{0, 40}, [2]uint64{0, 0}},
		{[2]uint64{50, 50}, [2]uint64{40, 90}, [2]uint64{1, 5}},
	} {
		got := comparison(celcost.SizeEstimate{Min: c.a[0], Max: c.a[1]},
			celcost.SizeEstimate{Min: c.b[0], Max: c.b[1]})
		if want := (celcost.Estimate{Min: c.want[0], Max: c.want[1]}); got != want {
			t.Errorf("%v, %v: got %+v, want %+v", c.a, c.b, got, want)
		}
	}
}

// Each overload of the two libraries has a tracker: without one, a call would
// panic.
func TestEachOverloadHasTracker(t *testing.T) {
	for m := profile.Oldest; m <= profile.Newest; m++ {
		for id, tracker := range trackersByOverload(profile.Of(m)) {
			if tracker == nil {
				t.Errorf("1.%d: %s has none", m, id)
			}
		}
	}
}
