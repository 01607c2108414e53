package yamljson

import (
	"math"
	"strconv"
)

// Integer returns the int64 that a float64 is read back as once it was written
// as JSON (PIPE-004): 3.0 is written as 3 and read as the integer 3. ok is
// false for fractions and for numbers whose text is outside the range of int64.
//
// From 2^53 on the integer is not always the value of the float:
// 1234567890123456768.0 has the text 1234567890123456800.
func Integer(f float64) (n int64, ok bool) {
	const exact = 1 << 53
	if f != math.Trunc(f) || f < -1<<63 || f >= 1<<63 {
		return 0, false
	}
	if -exact < f && f < exact {
		return int64(f), true
	}
	return shortestDecimal(f)
}

// shortestDecimal reads the text that encoding/json writes for a whole number:
// the fewest digits that tell it from its neighbours, filled up with zeros. The
// text of -2^63 is -9223372036854775808 rounded to -9223372036854776000, which
// is not an int64.
func shortestDecimal(f float64) (int64, bool) {
	const longest = len("-9223372036854776000")
	var text [longest]byte
	n, err := strconv.ParseInt(string(strconv.AppendFloat(text[:0], f, 'f', -1, 64)), 10, 64)
	return n, err == nil
}
