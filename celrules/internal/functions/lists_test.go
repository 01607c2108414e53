package functions

import (
	"math"
	"testing"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/internal/base/quantity"
)

// list returns a list of Go values.
func list(items ...any) ref.Val {
	return types.DefaultTypeAdapter.NativeToValue(items)
}

// Elements that cannot be compared or added are a `no such overload`.
func TestElementsOfOtherTypes(t *testing.T) {
	const none = "no such overload"
	other := map[string]any{}
	items := func(of ...any) traits.Lister { return list(of...).(traits.Lister) }
	for _, c := range []struct {
		name, want string
		got        ref.Val
	}{
		{"sorted", none, isSorted(items(other))},
		{"sorted, second", none, isSorted(items(1, other))},
		{"sorted, of two types", "true", isSorted(items(1, "a"))},
		{"not sorted", "false", isSorted(items(1, 3, 2, 4))},
		{"sum", none, sum(items(other), types.IntZero)},
		{"sum, second", none, sum(items(1, other), types.IntZero)},
		{"sum of two types", none, sum(items(1, "a"), types.IntZero)},
		{"too great a sum", "integer overflow", sum(items(math.MaxInt64, 1), types.IntZero)},
		{"sum of nothing", "0", sum(items(), types.IntZero)},
		{"sum", "7", sum(items(1, 2, 4), types.IntZero)},
		{"max", none, extreme(items(other), "max", types.IntNegOne)},
		{"max, second", none, extreme(items(1, other), "max", types.IntNegOne)},
		{"max of nothing", "max called on empty list", extreme(items(), "max", types.IntNegOne)},
		{"max", "3", extreme(items(1, 3, 2), "max", types.IntNegOne)},
		{"min", "1", extreme(items(3, 1, 2), "min", types.IntOne)},
	} {
		if got := asText(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Each byte that is not UTF-8 is one code point.
func TestCodePoints(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "aé": "aé", "a\xffb": "a\ufffdb", "\xe2\x82": "\ufffd\ufffd",
	} {
		if got := codePoints(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Functions on lists say where an item is, and that it is not there.
func TestSearchesOfLists(t *testing.T) {
	items := list(1, 2, 1)
	for _, c := range []struct {
		name      string
		got, want ref.Val
	}{
		{"includes", includes(items, types.Int(2)), types.True},
		{"includes, not there", includes(items, types.Int(5)), types.False},
		{"includes, empty", includes(list(), types.Int(5)), types.False},
		{"includes of a scalar", includes(types.Int(1), types.Int(1)), types.True},
		{"includes of another scalar", includes(types.Int(1), types.Int(2)), types.False},
		{"lastIndexOf", lastIndexOf(items, types.Int(1)), types.Int(2)},
		{"lastIndexOf, first", lastIndexOf(list(1, 2), types.Int(1)), types.Int(0)},
		{"lastIndexOf, not there", lastIndexOf(items, types.Int(5)), types.Int(-1)},
	} {
		if c.got == nil || c.got.Equal(c.want) != types.True {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestComparisonsOfQuantities(t *testing.T) {
	for _, c := range []struct {
		a, b                   string
		less, greater, compare ref.Val
	}{
		{"1", "2", types.True, types.False, types.Int(-1)},
		{"1000m", "1", types.False, types.False, types.Int(0)},
		{"1Gi", "1G", types.False, types.True, types.Int(1)},
	} {
		a, errA := quantity.Parse(c.a)
		b, errB := quantity.Parse(c.b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if less, greater := quantityIsLess(&a, &b), quantityIsGreater(&a, &b); less != c.less ||
			greater != c.greater || quantityCompare(&a, &b) != c.compare {
			t.Errorf("%s and %s: less %v, greater %v", c.a, c.b, less, greater)
		}
	}
}
