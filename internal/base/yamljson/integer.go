package yamljson

import (
	"math"
	"strconv"
)

// Integer returns the int64 that a float64 is read back as once it was written
// as JSON (PIPE-004): 3.0 is written as 3 and read as the integer 3. ok is
// false for fractions and for numbers whose text is outside the range of int64.
//
// The text has the fewest digits that tell the number from its neighbours,
// filled up with zeros, so that the integer is not always the float's value:
// 1234567890123456768.0 has the text 1234567890123456800.
func Integer(f float64) (n int64, ok bool) {
	if f != math.Trunc(f) {
		return 0, false
	}
	const longest = len("-9223372036854776000")
	var text [longest]byte
	n, err := strconv.ParseInt(string(strconv.AppendFloat(text[:0], f, 'f', -1, 64)), 10, 64)
	return n, err == nil
}
