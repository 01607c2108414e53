package quantity

import (
	"cmp"
	"fmt"
	"math"

	"gopkg.in/inf.v0"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Quantity is a number with the format of its text. Like the real code, it is
// an int64 with a scale until a sum or a comparison makes it a decimal, which
// AsInt64 does not convert.
type Quantity struct {
	value  int64 // times 10^scale, if dec is nil
	scale  int32
	dec    *decimal
	format resource.Format
	text   string // the canonical text, or empty
	// wide is set for what [ParseWide] returns, and for its sums: numbers are
	// bounded, and nothing panics.
	wide bool
}

// OfInt returns a quantity with a decimal exponent.
func OfInt(value int64) Quantity { return Quantity{value: value, format: resource.DecimalExponent} }

// decimal returns q as a decimal.
func (q Quantity) decimal() decimal {
	if q.dec != nil {
		return *q.dec
	}
	return decimal{newInteger(q.value), -q.scale}
}

// Sign returns -1, 0 or 1.
func (q Quantity) Sign() int {
	if q.dec != nil {
		return q.dec.unscaled.sign()
	}
	return cmp.Compare(q.value, 0)
}

// Compare returns -1, 0 or 1. It makes q a decimal if y is one, unless one of
// them is wide. It panics where the real code does.
func (q *Quantity) Compare(y Quantity) int {
	if q.wide || y.wide {
		return q.decimal().compareWide(y.decimal())
	}
	if q.dec == nil && y.dec == nil {
		return q.compareShort(y)
	}
	d := q.decimal()
	q.dec = &d
	return d.compare(y.decimal())
}

// compareShort compares quantities that are no decimals.
func (q Quantity) compareShort(y Quantity) int {
	scale := min(q.scale, y.scale)
	if max(q.scale, y.scale)-scale < 0 {
		panic(failedDivision) //nolint:forbidigo // as the real code; the evaluation recovers
	}
	a, fits := scaled(q.value, q.scale-scale)
	b, also := scaled(y.value, y.scale-scale)
	if fits && also {
		return cmp.Compare(a, b)
	}
	return q.decimal().compare(y.decimal())
}

// Add returns q + y. It panics where the real code does.
func (q Quantity) Add(y Quantity) Quantity { return q.plus(y, y.decimal()) }

// Sub returns q - y. It panics where the real code does.
func (q Quantity) Sub(y Quantity) Quantity {
	d := y.decimal().negated()
	if (q.wide || y.wide) && q.dec == nil && y.dec == nil && y.value == math.MinInt64 {
		y.dec = &d // it has no negative of 64 bits
	}
	y.value = -y.value
	return q.plus(y, d)
}

// plus returns q + y. The decimal is y's: the smallest int64 has no negative.
func (q Quantity) plus(y Quantity, long decimal) Quantity {
	format := q.format
	if q.Sign() == 0 {
		format = y.format
	}
	isWide := q.wide || y.wide
	if q.dec == nil && y.dec == nil {
		if value, scale, ok := q.plusShort(y); ok {
			return Quantity{value: value, scale: scale, format: format, wide: isWide}
		}
	}
	if isWide {
		d := q.decimal().plusWide(long)
		return Quantity{dec: &d, format: format, wide: true}
	}
	d := q.decimal().plus(long)
	return Quantity{dec: &d, format: format}
}

// plusShort returns the sum of quantities that are no decimals, if it fits.
func (q Quantity) plusShort(y Quantity) (value int64, scale int32, ok bool) {
	switch {
	case y.value == 0:
		return q.value, q.scale, true
	case q.value == 0:
		return y.value, y.scale, true
	}
	scale = min(q.scale, y.scale)
	if (q.wide || y.wide) && int64(max(q.scale, y.scale))-int64(scale) > math.MaxInt32 {
		return 0, 0, false
	}
	a, fits := scaled(q.value, q.scale-scale)
	b, also := scaled(y.value, y.scale-scale)
	value = a + b
	overflows := (a < 0) == (b < 0) && (a < 0) != (value < 0)
	return value, scale, fits && also && !overflows
}

// scaled returns value * 10^digits if it fits. Digits below 0, from an overflow
// of scales, count as 0 in the real code.
func scaled(value int64, digits int32) (int64, bool) {
	if value == 0 {
		return 0, true
	}
	for range digits {
		if value > math.MaxInt64/10 || value < -math.MaxInt64/10 {
			return 0, false
		}
		value *= 10
	}
	return value, true
}

// Int returns the value, if it is an integer of 64 bits. That of a decimal is
// not returned.
func (q Quantity) Int() (int64, bool) {
	if q.dec != nil || q.scale < 0 {
		return 0, false
	}
	return scaled(q.value, q.scale)
}

// Float returns the nearest double, except for an error of the last digits.
func (q Quantity) Float() float64 {
	if q.wide && q.Sign() == 0 {
		return 0
	}
	if q.dec == nil || q.dec.unscaled.digits() <= floatDigits {
		return q.real().AsApproximateFloat64()
	}
	return math.Inf(q.Sign()) * math.Pow10(int(-q.dec.scale))
}

// Bounds of conversions: longer decimals overflow a double, or are described.
const (
	floatDigits = 400
	textDigits  = 10_000
)

// String returns the canonical text, e.g. "1500m". It describes a decimal with
// too many digits.
func (q Quantity) String() string {
	switch {
	case q.text != "":
		return q.text
	case q.dec != nil && q.dec.unscaled.digits() > textDigits:
		return fmt.Sprintf("a quantity of over %d digits", textDigits)
	}
	return q.real().String()
}

// real returns q in the form of the real code.
func (q Quantity) real() *resource.Quantity {
	if q.dec != nil {
		amount := inf.NewDecBig(q.dec.unscaled.big(), inf.Scale(q.dec.scale))
		return resource.NewDecimalQuantity(*amount, q.format)
	}
	out := resource.NewScaledQuantity(q.value, resource.Scale(q.scale))
	out.Format = q.format
	return out
}
