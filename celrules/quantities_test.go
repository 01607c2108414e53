package celrules_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem/internal/test/requests"
)

// TestQuantitiesFarApart runs rules on quantities of two billion digits, as
// values and as constants.
func TestQuantitiesFarApart(t *testing.T) {
	const tiny, huge = "1e-2147483647", "1e2147483640"
	for _, c := range []struct{ rule, value, finds string }{
		{"isQuantity(self.a)", tiny, ""},
		{"quantity(self.a).compareTo(quantity('1n')) == 0", tiny, ""},
		{"quantity(self.a) == quantity('0.0000000001')", tiny, ""},
		{"quantity(self.a).isLessThan(quantity('1Gi'))", tiny, ""},
		{"quantity(self.a).isGreaterThan(quantity('1Gi'))", huge, ""},
		{"quantity(self.a).isLessThan(quantity('1Gi'))", huge, "failed rule"},
		{"quantity(self.a).add(quantity('1')).isGreaterThan(quantity(self.a))", huge, ""},
		{"quantity(self.a).sub(quantity('1')).isLessThan(quantity(self.a))", huge, ""},
		{"quantity(self.a).sub(quantity(self.a)).add(7).compareTo(quantity('7')) == 0", huge, ""},
		{"!quantity(self.a).isInteger() && sign(quantity(self.a)) == 1", huge, ""},
		{"quantity(self.a).asInteger() == 1", huge, "cannot convert value to integer"},
		{"quantity(self.a).asApproximateFloat() > 1e300", huge, ""},
		{"quantity('" + tiny + "').isLessThan(quantity('1e2147483000'))", "", ""},
		// The difference of the scales overflows: the huge one counts as 0.
		{"quantity('" + tiny + "').isGreaterThan(quantity('" + huge + "'))", "", ""},
		{"[1][dyn(quantity(self.a).add(1))] == 1", huge, "invalid qualifier type: *cel.Quantity"},
		{"quantity('0e2147483647').isInteger() && quantity('0e2147483647').asInteger() == 0", "", ""},
		// The real code panics here.
		{"quantity(self.a).isLessThan(quantity('1n')) || true", huge, "integer divide by zero"},
		{"isQuantity('12345678901234567890' + self.a) || true", "e2147483639", "index out of range"},
	} {
		v := requests.RuleVersion(t, c.rule)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		object := requests.RuleObject(0, 0)
		object["a"] = c.value
		err := v.Create(ctx, object).Err()
		cancel()
		if refused := err != nil; refused != (c.finds != "") ||
			refused && !strings.Contains(err.Error(), c.finds) {
			t.Errorf("%s of %q: %v, want %q", c.rule, c.value, err, c.finds)
		}
	}
}
