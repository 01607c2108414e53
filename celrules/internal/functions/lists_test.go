package functions

import (
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/internal/base/quantity"
)

// list returns a list of Go values.
func list(items ...any) ref.Val {
	return types.DefaultTypeAdapter.NativeToValue(items)
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
