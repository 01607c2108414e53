package generate

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// number returns a JSON number as a float64, and 0 for anything else.
func number(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// count returns a limit that counts; ok is false where the node has none.
func count(n node, keyword string) (limit int, ok bool) {
	if !isNumber(n[keyword]) {
		return 0, false
	}
	return int(max(0, min(number(n[keyword]), 1<<20))), true
}

// scalarOf makes a plain value of a type.
func scalarOf(r *Rand, kind any) any {
	switch kind {
	case "integer":
		return int64(r.between(-2, 5))
	case "number":
		return pick[any](r, int64(1), 1.5, 2.0)
	case "boolean":
		return r.chance(0.5)
	case "object":
		return map[string]any{}
	case "array":
		return []any{}
	}
	return pick(r, "a", "b", "", "5")
}

// Value makes any JSON value, small.
func Value(r *Rand) any {
	switch r.Intn(14) {
	case 0:
		return nil
	case 1:
		return r.chance(0.5)
	case 2:
		return int64(r.between(-2, 9))
	case 3:
		return pick[any](r, 1.0, 0.5, 0.0, 1e21, 1e-7, 1e308, math.Copysign(0, -1))
	case 4:
		return pick[any](r, int64(math.MaxInt64), int64(math.MinInt64), int64(1)<<53, int64(math.MaxInt32)+1)
	case 5, 6:
		return pick(r, "", "a", "b", "5", "true", "null", "é", "a\nb", "\"", "<x>", "\u2028", strings.Repeat("x", 40))
	case 7:
		return []any{}
	case 8, 9:
		return []any{Value(r), Value(r)}[:r.between(1, 2)]
	case 10:
		return map[string]any{}
	}
	return map[string]any{pick(r, "a", "b", "name", "kind"): Value(r), pick(r, "c", "value", "metadata"): Value(r)}
}

// intOrString makes a value for an int-or-string node.
func (o *objects) intOrString(n node) any {
	if o.kind == wild && o.r.chance(0.2) {
		return Value(o.r)
	}
	if o.r.chance(0.5) {
		return o.integer(n)
	}
	if n["pattern"] == nil && o.r.chance(0.5) {
		return pick(o.r, "5", "10%", "a")
	}
	return o.text(n)
}

// integer makes an int64 within the limits of a node.
func (o *objects) integer(n node) any {
	if o.kind == wild && o.r.chance(0.25) {
		return pick[any](o.r, int64(-5), 1.5, 1.0, 2.0, int64(math.MaxInt32)+1, int64(math.MaxInt64), "5")
	}
	low, high := o.limits(n, 1)
	low, high = math.Ceil(low), math.Floor(high)
	v := o.within(low, high)
	if step := number(n["multipleOf"]); step >= 1 {
		v = math.Ceil(low/step) * step
	}
	return toInt(math.Trunc(v))
}

// toInt converts and stays within what an int64 holds.
func toInt(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// number makes an int64 or float64 within the limits of a node.
func (o *objects) number(n node) any {
	if o.kind == wild && o.r.chance(0.25) {
		return pick[any](o.r, int64(-5), -0.5, 1e21, math.MaxFloat64, 1e39, "5")
	}
	low, high := o.limits(n, 0.125)
	v := o.within(low, high)
	if step := number(n["multipleOf"]); step > 0 {
		v = math.Ceil(low/step) * step
	}
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 && o.r.chance(0.5) {
		return int64(v)
	}
	return v
}

// limits returns the range that a node's keywords and format leave.
func (o *objects) limits(n node, step float64) (low, high float64) {
	low, high = -3, 12
	if isNumber(n["minimum"]) {
		low = number(n["minimum"])
		high = max(high, low+5)
		if n["exclusiveMinimum"] == true {
			low += step
		}
	}
	if isNumber(n["maximum"]) {
		high = number(n["maximum"])
		if n["exclusiveMaximum"] == true {
			high -= step
		}
		if !isNumber(n["minimum"]) {
			low = min(low, high-5)
		}
	}
	if n["format"] == "uint32" && low < 0 {
		low = 0
	}
	return low, max(low, high)
}

func (o *objects) within(low, high float64) float64 {
	if o.kind == boundary {
		return pick(o.r, low, high)
	}
	if high-low > 1e6 {
		high = low + 1e6
	}
	return math.Trunc(low + o.r.src.Float64()*(high-low+1)*0.999)
}

// text makes a string within the limits of a node.
func (o *objects) text(n node) any {
	if o.kind == wild && o.r.chance(0.3) {
		return pick[any](o.r, "", "x", "A B", "é", "a\nb", strings.Repeat("y", 12), int64(5), true)
	}
	if format, ok := n["format"].(string); ok {
		if s, ok := o.conforming(format, n); ok {
			return s
		}
	}
	if pattern, ok := n["pattern"].(string); ok {
		if s, ok := o.matching(pattern, n); ok {
			return s
		}
	}
	return o.sized(n)
}

// conforming makes a string of a format, one that keeps the node's other keywords
// where there is one; ok is false if the format is not known.
func (o *objects) conforming(format string, n node) (s string, ok bool) {
	for _, f := range formats {
		if f.format != format {
			continue
		}
		from := o.r.Intn(len(f.conforming))
		for i := range f.conforming {
			s = f.conforming[(from+i)%len(f.conforming)]
			if fitsLength(n, s) && matches(n, s) {
				return s, true
			}
		}
		return s, n["pattern"] == nil
	}
	return "", false
}

// matches reports whether a string matches the pattern of a node.
func matches(n node, s string) bool {
	pattern, ok := n["pattern"].(string)
	if !ok {
		return true
	}
	re, err := regexp.Compile(pattern)
	return err == nil && re.MatchString(s)
}

// sized makes a string of a length that a node allows.
func (o *objects) sized(n node) string {
	least, _ := count(n, "minLength")
	most, bounded := count(n, "maxLength")
	length := least + o.r.Intn(6)
	if bounded {
		length = min(length, most)
		if o.kind == boundary && most < 1<<10 {
			length = pick(o.r, least, most)
		}
	}
	letter := pick(o.r, "a", "b", "x", "a", "é")
	return strings.Repeat(letter, min(length, maxText))
}

// fitsLength reports whether a string has a length that a node allows.
func fitsLength(n node, s string) bool {
	length := utf8.RuneCountInString(s)
	least, _ := count(n, "minLength")
	most, bounded := count(n, "maxLength")
	return length >= least && (!bounded || length <= most)
}
