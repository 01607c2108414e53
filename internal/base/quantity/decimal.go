package quantity

import "math"

// nano is the number of decimal places that a parsed quantity keeps.
const nano = 9

// failure is what a function panics with where the real code panics, with the
// same text. The cause is a difference of scales that overflows an int32.
type failure string

const (
	failedPower    failure = "runtime error: index out of range [-2147483648]"
	failedDivision failure = "runtime error: integer divide by zero"
)

// decimal is the number unscaled * 10^-scale. Differences of scales wrap around
// as int32, as in the real code.
type decimal struct {
	unscaled integer
	scale    int32
}

// plus returns d + e, with the larger one of their scales.
func (d decimal) plus(e decimal) decimal {
	scale := max(d.scale, e.scale)
	d, _ = d.rescaled(scale)
	e, _ = e.rescaled(scale)
	return decimal{d.unscaled.plus(e.unscaled), scale}
}

// negated returns -d.
func (d decimal) negated() decimal { return decimal{d.unscaled.times(-1), d.scale} }

// compare returns -1, 0 or 1.
func (d decimal) compare(e decimal) int { return d.plus(e.negated()).unscaled.sign() }

// rounded returns d with nano decimal places, rounded away from zero.
func (d decimal) rounded() decimal {
	d, rest := d.rescaled(nano)
	return decimal{d.unscaled.plus(newInteger(int64(rest))), nano}
}

// rescaled returns d with another scale, rounded toward zero, and the sign of
// the remainder.
func (d decimal) rescaled(scale int32) (decimal, int) {
	switch shift := scale - d.scale; {
	case shift == math.MinInt32:
		panic(failedPower) //nolint:forbidigo // as the real code; the evaluation recovers
	case shift < 0:
		unscaled, rest := d.unscaled.quotient(-int64(shift))
		return decimal{unscaled, scale}, rest
	default:
		return decimal{d.unscaled.shifted(int64(shift)), scale}, 0
	}
}

// What follows is how Kubernetes computes since 1.38: no difference of scales
// wraps around.

// widestGap is how many orders of magnitude the smallest digits of two
// decimals may be apart in a sum.
const widestGap = 29

// plusWide returns d + e. The one with the smaller digits is rounded away from
// zero if they are very far apart.
func (d decimal) plusWide(e decimal) decimal {
	switch {
	case e.unscaled.sign() == 0:
		return d
	case d.unscaled.sign() == 0:
		return e
	case int64(e.scale)-int64(d.scale) > widestGap:
		e = e.roundedTo(d.scale + widestGap)
	case int64(d.scale)-int64(e.scale) > widestGap:
		d = d.roundedTo(e.scale + widestGap)
	}
	return d.plus(e)
}

// roundedTo returns d with at most some decimal places, rounded away from zero.
func (d decimal) roundedTo(scale int32) decimal {
	if d.scale <= scale || d.unscaled.sign() == 0 {
		return d
	}
	unscaled, rest := d.unscaled.quotient(int64(d.scale) - int64(scale))
	return decimal{unscaled.plus(newInteger(int64(rest))), scale}
}

// compareWide returns -1, 0 or 1.
func (d decimal) compareWide(e decimal) int {
	scale := max(d.scale, e.scale)
	a := d.unscaled.shifted(int64(scale) - int64(d.scale))
	b := e.unscaled.shifted(int64(scale) - int64(e.scale))
	return a.plus(b.times(-1)).sign()
}
