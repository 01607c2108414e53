package validation

import (
	"math"
	"strconv"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// numberRule checks numbers (VAL-050 to VAL-054). An int64 is compared with a
// bound as integers, the bound cut off towards zero. If the bound itself is out
// of the type's range, they are compared as floats.
type numberRule struct {
	width    width
	typeText string // how range errors name the node's type
	// truncates: the quotient of multipleOf is cut off, not rounded.
	truncates bool
	multiple  bound
	maximum   bound
	minimum   bound
}

// bound is the value of multipleOf, maximum or minimum.
type bound struct {
	present, exclusive bool
	// inRange: the bound is a value of the node's own type.
	inRange bool
	float   float64
	integer int64 // float, cut off; out of range it depends on the machine, as on the server
}

// width is the range that the node's type and format set for values.
type width uint8

const (
	anyWidth width = iota
	int64Width
	int32Width
	float32Width
)

// widthOf returns the width of a node with exactly one type (VAL-052).
func widthOf(types, format string) width {
	switch {
	case types == "integer" && format == "int32":
		return int32Width
	case types == "integer":
		return int64Width
	case types == "number" && format == "float":
		return float32Width
	default:
		return anyWidth
	}
}

// rangeText returns a node's type and format as range errors show them.
func rangeText(types, format string) string {
	switch {
	case types == "integer" && (format == "int32" || format == "int64"),
		types == "number" && (format == "float" || format == "double"):
		return types + " with format " + format
	default:
		return types + " (default format)"
	}
}

func newBound(value *float64, w width) bound {
	if value == nil {
		return bound{}
	}
	return bound{
		present: true,
		inRange: w.holdsFloat(*value),
		float:   *value,
		integer: jsonvalue.Truncate(*value),
	}
}

func (w width) holdsInt(i int64) bool {
	return w != int32Width || i == int64(int32(i))
}

// holdsFloat reports whether a float, printed in plain decimals, reads as a
// number of the width.
func (w width) holdsFloat(f float64) bool {
	switch w {
	case int64Width, int32Width:
		if math.Abs(f) < 1<<53 {
			return f == math.Trunc(f) && w.holdsInt(int64(f))
		}
		return w == int64Width && holdsPrinted(f)
	case float32Width:
		if math.Abs(f) <= math.MaxFloat32 {
			return true
		}
		_, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', -1, 64), 32)
		return err == nil
	default:
		return true
	}
}

// holdsPrinted reports whether a float beyond 2^53 reads as an int64: its
// shortest digits, filled up with zeros.
func holdsPrinted(f float64) bool {
	var text [320]byte
	digits := strconv.AppendFloat(text[:0], math.Abs(f), 'f', -1, 64)
	const highest = "9223372036854775807" // also for negative floats: no float prints as 2^63
	return len(digits) < len(highest) ||
		len(digits) == len(highest) && string(digits) <= highest
}

func (r *numberRule) validInt(i int64) bool {
	if !r.width.holdsInt(i) {
		return false
	}
	if b := &r.multiple; b.present && (!b.inRange || b.integer <= 0 || i%b.integer != 0) {
		return false
	}
	if b := &r.maximum; b.present &&
		(!b.inRange || i > b.integer || b.exclusive && i == b.integer) {
		return false
	}
	b := &r.minimum
	return !b.present || b.inRange && (i > b.integer || !b.exclusive && i == b.integer)
}

func (r *numberRule) validFloat(f float64) bool {
	if !r.width.holdsFloat(f) {
		return false
	}
	if b := &r.multiple; b.present && (!b.inRange || b.float <= 0 || !r.divides(b.float, f)) {
		return false
	}
	if b := &r.maximum; b.present && (!b.inRange || f > b.float || b.exclusive && f == b.float) {
		return false
	}
	b := &r.minimum
	return !b.present || b.inRange && (f > b.float || !b.exclusive && f == b.float)
}

// divides reports whether a number is a multiple of a factor.
func (r *numberRule) divides(factor, f float64) bool {
	quotient := f / factor
	if factor < 1 {
		quotient = 1 / factor * f
	}
	if r.truncates {
		return isTruncatedInteger(quotient)
	}
	return isJSONInteger(quotient)
}
