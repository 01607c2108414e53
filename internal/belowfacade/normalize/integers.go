package normalize

import (
	"math"

	"github.com/crdsem/crdsem/structural"
)

// integer returns the int64 that a client's JSON has for a float64, if the
// schema says integer. encoding/json writes the float64 3 as 3, so that a
// server that gets it decodes an integer.
func integer(f float64, schema *structural.Schema) (int64, bool) {
	if schema.Type() != "integer" && !schema.IntOrString() {
		return 0, false
	}
	// -2^63 and 2^63 are exact; 2^63 is no int64.
	if f != math.Trunc(f) || f < math.MinInt64 || f >= -math.MinInt64 {
		return 0, false
	}
	return int64(f), true
}
