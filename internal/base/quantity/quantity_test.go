package quantity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// special has texts at the borders of the forms of a
var special = []string{
	"", "0", "-", "+", ".", "-.", "+.5", "5.", ".5", "-.5e3", "00", "-000", "0.0", "+1", "01", "-01.50",
	"1000", "1500m", "100000", "12000k", "1e", "1E", "1e+5", "1E-5", "1e5.5", "1ee5", "1Em", "1e 5", " 1",
	"1.2.3", "1é", "1\xff", ".e-50", "-e-50", ".Ki", "-Ki", "0e-50", "000e-50", "0.000e50", "0Ki", "0.0Ki",
	"1Ki", "1.5Ki", "0.1Ki", "0.0001Ki", "-0.0001Ki", "0.0005Ki", "0.0009765625Ki", "0.00097656249Ki", "8Ki", "1024Ki", "7Ei", "8Ei", "9Ei", "-9Ei", "9.9Ei",
	"999999999999999Mi", "1n", "0.5n", "-0.5n", "1e-9", "1e-10", "1e-20", "1e-100", "-1e-100",
	"1e-1000",
	"1e19", "1e20", "1e100", "1e1000", "-1e1000", "1e2000", "9e-10", "15e-10",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"123456789012345678", "1234567890123456789", "12345678901234567890e50", "12345678901234567890e-50",
	"1e4294967296", "1e4294967301", "1e-4294967301", "3e8589934595", "1e9223372036854775808", "1e4294967287",
	"0.0000000000000000000000001", "99999999999999999999.999999999999", "1000000000000000000000n", "1u", "1k",
	"100000000000000000e18", "1P", "1T", "1G", "1M", "0.1m", "200K", "1Kii", "1i", "1e0", "1e-0", "1e+", "1e-",
	strings.Repeat("9", 400), strings.Repeat("9", 450), "1e450", "1.000000001000000001", strings.Repeat("1", 320) + "e-300", "1e" + strings.Repeat("0", 100) + "7",
}

// random returns the text of a quantity, or nearly so.
func random(r *rand.Rand) string {
	digits := func(most int) string {
		var out strings.Builder
		for range r.IntN(most) {
			out.WriteByte("0000123456789999"[r.IntN(16)])
		}
		return out.String()
	}
	text := []string{"", "", "-", "+"}[r.IntN(4)] + digits([]int{3, 22, 60}[r.IntN(3)])
	if r.IntN(2) == 0 {
		text += "." + digits([]int{3, 22, 60}[r.IntN(3)])
	}
	suffixes := strings.Split(" n u m k M G T P E Ki Mi Gi Ti Pi Ei x", " ")
	if r.IntN(2) == 0 {
		return text + suffixes[r.IntN(len(suffixes))]
	}
	return text + fmt.Sprint([]string{"e", "E"}[r.IntN(2)], r.IntN(200)-100)
}

// view is everything that can be observed of a
type view struct {
	text, failure string
	sign          int
	whole         int64
	isWhole       bool
	float         uint64
}

// caught runs f and returns the panic in the view.
func caught(f func() view) (out view) {
	defer func() {
		if cause := recover(); cause != nil {
			out = view{failure: fmt.Sprint("panic: ", cause)}
		}
	}()
	return f()
}

func viewOurs(q Quantity) view {
	whole, isWhole := q.Int()
	return view{q.String(), "", q.Sign(), whole, isWhole, math.Float64bits(q.Float())}
}

func viewReal(q resource.Quantity) view {
	whole, isWhole := q.AsInt64()
	if !isWhole {
		whole = 0
	}
	float := math.Float64bits(q.AsApproximateFloat64())
	return view{q.String(), "", q.Sign(), whole, isWhole, float}
}

func parseOurs(text string) (Quantity, view) {
	var q Quantity
	return q, caught(func() (out view) {
		parsed, err := Parse(text)
		if q = parsed; err != nil {
			return view{failure: err.Error()}
		}
		return viewOurs(q)
	})
}

// ours returns the views of texts and of what is computed with them.
func ours(first, second string) (out []view) {
	a, errA := Parse(first)
	b, errB := Parse(second)
	if errA != nil || errB != nil {
		return []view{{failure: fmt.Sprint(errA, errB)}}
	}
	sum, difference := a.Add(b), a.Sub(b)
	out = append(out, viewOurs(a), viewOurs(b), viewOurs(sum), viewOurs(difference),
		viewOurs(sum.Sub(b)), viewOurs(difference.Add(OfInt(math.MinInt64))),
		viewOurs(a.Sub(OfInt(math.MinInt64))), viewOurs(OfInt(7).Add(a)))
	for _, pair := range [][2]*Quantity{
		{&a, &b}, {&b, &a}, {&sum, &b}, {&sum, &difference},
	} {
		out = append(out, view{sign: pair[0].Compare(*pair[1])}, viewOurs(*pair[0]))
	}
	return out
}

// theirs does what ours does with the real code.
func theirs(first, second string) (out []view) {
	a, errA := resource.ParseQuantity(first)
	b, errB := resource.ParseQuantity(second)
	if errA != nil || errB != nil {
		return []view{{failure: fmt.Sprint(errA, errB)}}
	}
	number := func(n int64) resource.Quantity {
		return *resource.NewQuantity(n, resource.DecimalExponent)
	}
	add := func(a, b resource.Quantity) resource.Quantity { a = a.DeepCopy(); a.Add(b); return a }
	sub := func(a, b resource.Quantity) resource.Quantity { a = a.DeepCopy(); a.Sub(b); return a }
	sum, difference := add(a, b), sub(a, b)
	out = append(out, viewReal(a), viewReal(b), viewReal(sum), viewReal(difference),
		viewReal(sub(sum, b)), viewReal(add(difference, number(math.MinInt64))),
		viewReal(sub(a, number(math.MinInt64))), viewReal(add(number(7), a)))
	for _, pair := range [][2]*resource.Quantity{
		{&a, &b}, {&b, &a}, {&sum, &b}, {&sum, &difference},
	} {
		out = append(out, view{sign: pair[0].Cmp(*pair[1])}, viewReal(*pair[0]))
	}
	return out
}

// TestTwin compares all functions with the real code, on exponents that it can
// write out.
func TestTwin(t *testing.T) {
	compare := func(a, b string) {
		var got, want []view
		gotPanic := caught(func() view { got = ours(a, b); return view{} })
		wantPanic := caught(func() view { want = theirs(a, b); return view{} })
		if gotPanic != wantPanic || !slices.Equal(got, want) {
			t.Errorf("%q and %q:\n got %v %v\nwant %v %v", a, b, got, gotPanic, want, wantPanic)
		}
	}
	for _, a := range special {
		for _, b := range special {
			if compare(a, b); t.Failed() {
				return
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 5_000 {
		if compare(random(r), random(r)); t.Failed() {
			return
		}
	}
}

// TestPanicsOfTheRealCode compares overflows of scales, at which the real code
// panics at once.
func TestPanicsOfTheRealCode(t *testing.T) {
	for _, c := range [][2]string{
		{"12345678901234567890e2147483639", "1"}, {"1e2147483647", "1n"}, {"1m", "1e2147483647"},
	} {
		got := caught(func() view { ours(c[0], c[1]); return view{} })
		a, _ := resource.ParseQuantity("0")
		want := caught(func() view {
			a = resource.MustParse(c[0])
			a.Cmp(resource.MustParse(c[1]))
			return view{}
		})
		if got != want || got.failure == "" {
			t.Errorf("%v: %q, want %q", c, got.failure, want.failure)
		}
	}
}

// TestFarApart has values for which the real code would take days. The results
// follow from its int32 arithmetic.
func TestFarApart(t *testing.T) {
	for _, c := range []struct {
		text, shown string
		sign        int
		whole       bool
		float       float64
	}{
		{"1e-2147483647", "1e-9", 1, false, 1e-9},
		{"-1e-2147483647", "-1e-9", -1, false, -1e-9},
		{"1e-999999999", "1e-9", 1, false, 1e-9},
		{"1e2147483647", "10e2147483646", 1, false, math.Inf(1)},
		{"0e2147483647", "0", 0, true, math.NaN()},
		{"0e-2147483640", "0", 0, false, 0},
		{"1000e2147483647", "", 1, false, math.Inf(1)},
		// The shift to nano wraps around, so that the value becomes tiny.
		{"12345678901234567890e2147483647", "1e-9", 1, false, 1e-9},
		{"12345678901234567890e2147483630", "a quantity of over 10000 digits", 1, false, math.Inf(1)},
		{"-12345678901234567890e999999999", "a quantity of over 10000 digits", -1, false, math.Inf(-1)},
		{"1e-2147483648", "1e-9", 1, false, 1e-9},
		{"0." + strings.Repeat("0", 1<<20) + "1", "1n", 1, false, 1e-9},
		{"0." + strings.Repeat("0", 1<<20) + "1Ki", "1n", 1, false, 1e-9},
		{strings.Repeat("9", 1<<20), "a quantity of over 10000 digits", 1, false, math.Inf(1)},
		{strings.Repeat("9", 9990), strings.Repeat("9", 9990), 1, false, math.Inf(1)},
		{strings.Repeat("9", 9991), "a quantity of over 10000 digits", 1, false, math.Inf(1)},
		{strings.Repeat("9", 1<<20) + "Ki", "8Ei", 1, false, math.MaxInt64},
	} {
		_, got := parseOurs(c.text)
		if c.shown == "" || c.shown == "8Ei" {
			c.shown = got.text
		}
		want := view{text: c.shown, sign: c.sign, isWhole: c.whole}
		want.float = math.Float64bits(c.float)
		float := math.Float64frombits(got.float)
		if math.Abs(float-c.float) < 1e-20 || math.IsNaN(float) && math.IsNaN(c.float) {
			got.float = want.float // Float is approximate
		}
		if got != want {
			t.Errorf("%.40q: %+v, want %+v", c.text, got, want)
		}
	}
}

// extremes are quantities whose scales are near the borders of an int32, or
// whose values are near those of an int64, and ordinary ones.
var extremes = []string{
	"0", "-7n", "15e-10", "123456789012345678901234567890", "-9e18", "1Ki", "1e4294967295", "0.1",
	"0.00000000001Ki",
	"0e-2147483640", "0e-2147483645", "0e2147483647", "-0e-10", "1e2147483638", "-1e2147483640",
	"900000000000000000e2147483640", "-999999999999999999e2147483640",
	"-1e2147483647", "3e2147483646", "0.5e2147483647",
	"922337203685477580", "922337203685477581", "-922337203685477580", "-922337203685477581",
}

// pair is a quantity here and in the real code.
type pair struct {
	name   string
	ours   Quantity
	theirs resource.Quantity
}

// operations change a quantity or compare it.
var operations = map[string]struct {
	ours   func(a *Quantity, b Quantity) int
	theirs func(a *resource.Quantity, b resource.Quantity) int
}{
	" + ": {
		func(a *Quantity, b Quantity) int { *a = a.Add(b); return 0 },
		func(a *resource.Quantity, b resource.Quantity) int { a.Add(b); return 0 },
	},
	" - ": {
		func(a *Quantity, b Quantity) int { *a = a.Sub(b); return 0 },
		func(a *resource.Quantity, b resource.Quantity) int { a.Sub(b); return 0 },
	},
	" <=> ": {(*Quantity).Compare, (*resource.Quantity).Cmp},
}

// TestExtremes compares all pairs of operations on such quantities with the
// real code, wherever it answers at once.
func TestExtremes(t *testing.T) {
	var first []pair
	for _, text := range extremes {
		ours, _ := Parse(text)
		first = append(first, pair{text, ours, resource.MustParse(text)})
	}
	for _, n := range []int64{1, -1, math.MaxInt64, math.MinInt64, math.MaxInt64 / 10} {
		theirs := resource.NewQuantity(n, resource.DecimalExponent)
		first = append(first, pair{fmt.Sprint("int ", n), OfInt(n), *theirs})
	}
	level := first
	for range 2 {
		var next []pair
		for _, a := range level {
			for _, b := range first {
				if !isQuick(a.theirs.DeepCopy(), b.theirs.DeepCopy()) {
					continue
				}
				for name, both := range operations {
					out := pair{a.name + name + b.name, a.ours, a.theirs.DeepCopy()}
					got := caught(func() view { return view{sign: both.ours(&out.ours, b.ours)} })
					want := caught(func() view {
						return view{sign: both.theirs(&out.theirs, b.theirs.DeepCopy())}
					})
					if got != want {
						t.Errorf("%s: %+v, want %+v", out.name, got, want)
					}
					if got.failure == "" {
						out.compare(t)
						next = append(next, out)
					}
				}
			}
		}
		level = next
	}
}

// isQuick reports whether the real code writes out only small powers of ten to
// bring two quantities to one scale.
func isQuick(a, b resource.Quantity) bool {
	x, y := int32(a.AsDec().Scale()), int32(b.AsDec().Scale())
	shift := max(x, y) - min(x, y)
	return -100 <= shift && shift <= 100 || shift == math.MinInt32
}

// compare compares the parts of a quantity.
func (p pair) compare(t *testing.T) {
	t.Helper()
	got, want := view{sign: p.ours.Sign()}, view{sign: p.theirs.Sign()}
	if p.ours.scale < 100 { // the real code multiplies one by one
		got.whole, got.isWhole = p.ours.Int()
		if whole, isWhole := p.theirs.AsInt64(); isWhole {
			want.whole, want.isWhole = whole, true
		}
	}
	d := p.ours.decimal()
	got.text = d.unscaled.big().String() + fmt.Sprint(p.ours.format, d.scale)
	e := p.theirs.AsDec()
	want.text = e.UnscaledBig().String() + fmt.Sprint(p.theirs.Format, e.Scale())
	if got != want {
		t.Errorf("%s: %+v, want %+v", p.name, got, want)
	}
}

// Exponents wrap around in every minor; in newer ones the least that then
// results is no exponent.
func TestWideExponents(t *testing.T) {
	for text, want := range map[string]string{
		"1e4294967301": "1e5", "1e-4294967291": "1e5", "3e8589934595": "3e3",
		"1e2147483648": "", "1e-2147483648": "", "1e6442450944": "",
	} {
		got, err := ParseWide(text)
		if want == "" {
			if err == nil {
				t.Errorf("%s is a quantity", text)
			}
			continue
		}
		other, otherErr := ParseWide(want)
		if err != nil || otherErr != nil || got.Float() != other.Float() {
			t.Errorf("%s is %v, want %s: %v, %v", text, got.Float(), want, err, otherErr)
		}
	}
}
