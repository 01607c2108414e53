package metadata

import (
	"encoding/json"
	"math"
	"testing"
)

// Numbers have the text that the JSON writer gives them.
func TestNumberText(t *testing.T) {
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e-7, -2.5e-9, 1e-10, 1e20, 1e21, -1e21,
		1.5e300, math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53,
	} {
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := numberText(f); got != string(want) {
			t.Errorf("%g is written %s, want %s", f, got, want)
		}
	}
}
