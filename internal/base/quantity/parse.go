package quantity

import (
	"math"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// parts is the text of a quantity, taken apart.
type parts struct {
	negative        bool
	whole, fraction string // whole has no leading zeros, but is not empty
	suffix          string
	digits          bool // reports whether there is a digit before the suffix
}

// unit is the meaning of a suffix: base^exponent.
type unit struct {
	base, exponent int32
	format         resource.Format
}

// units has all suffixes but exponents.
var units = map[string]unit{
	"n": {10, -9, resource.DecimalSI}, "u": {10, -6, resource.DecimalSI},
	"m": {10, -3, resource.DecimalSI}, "": {10, 0, resource.DecimalSI},
	"k": {10, 3, resource.DecimalSI}, "M": {10, 6, resource.DecimalSI},
	"G": {10, 9, resource.DecimalSI}, "T": {10, 12, resource.DecimalSI},
	"P": {10, 15, resource.DecimalSI}, "E": {10, 18, resource.DecimalSI},
	"Ki": {2, 10, resource.BinarySI}, "Mi": {2, 20, resource.BinarySI},
	"Gi": {2, 30, resource.BinarySI}, "Ti": {2, 40, resource.BinarySI},
	"Pi": {2, 50, resource.BinarySI}, "Ei": {2, 60, resource.BinarySI},
}

// Parse parses a quantity, e.g. "1500m". Its time is linear in the length of
// the text. It panics where the real code does.
func Parse(text string) (Quantity, error) { return parse(text, false) }

// ParseWide parses a quantity as Kubernetes does since 1.38: integers of 19
// digits that fit an int64 are integers, the least int32 is no exponent, and
// numbers have a bounded number of digits.
func ParseWide(text string) (Quantity, error) {
	q, err := parse(text, true)
	q.wide = true
	return q, err
}

func parse(text string, wide bool) (Quantity, error) {
	if text == "" {
		return Quantity{}, resource.ErrFormatWrong
	}
	p, err := split(text)
	if err != nil {
		return Quantity{}, err
	}
	u, err := parseSuffix(p.suffix)
	if err != nil {
		return Quantity{}, err
	}
	if q, ok := p.short(u, wide); ok {
		if len(p.whole)+len(p.fraction) <= 18 && canonical(q, p.whole+p.fraction, u) {
			q.text = text
		}
		return q, nil
	}
	if !p.digits {
		return Quantity{}, resource.ErrNumeric
	}
	if wide && u.exponent == math.MinInt32 {
		return Quantity{}, resource.ErrSuffix
	}
	if wide {
		return p.longWide(u), nil
	}
	return p.long(u), nil
}

// split takes a text apart.
func split(text string) (parts, error) {
	var p parts
	rest := text
	if rest[0] == '-' || rest[0] == '+' {
		p.negative, rest = rest[0] == '-', rest[1:]
	}
	number := rest
	rest = strings.TrimLeft(rest, "0")
	if rest == "" { // a sign alone is 0
		return parts{whole: "0"}, nil
	}
	p.whole, rest = span(rest, isDigit)
	if strings.HasPrefix(rest, ".") {
		p.fraction, rest = span(rest[1:], isDigit)
	}
	p.digits = number[0] == '0' || p.whole != "" || p.fraction != ""
	if p.whole == "" {
		p.whole = "0"
	}
	p.suffix = rest
	_, rest = span(rest, func(c rune) bool { return strings.ContainsRune("eEinumkKMGTP", c) })
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		rest = rest[1:]
	}
	if strings.TrimLeft(rest, "0123456789") != "" {
		return parts{}, resource.ErrFormatWrong
	}
	return p, nil
}

// span splits a text before the first rune that does not belong.
func span(text string, belongs func(rune) bool) (head, tail string) {
	end := strings.IndexFunc(text, func(c rune) bool { return !belongs(c) })
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// isDigit reports whether a rune is an ASCII digit.
func isDigit(c rune) bool { return '0' <= c && c <= '9' }

// parseSuffix returns the meaning of a suffix. Exponents wrap around as int32.
func parseSuffix(suffix string) (unit, error) {
	if u, ok := units[suffix]; ok {
		return u, nil
	}
	if suffix[0] != 'e' && suffix[0] != 'E' {
		return unit{}, resource.ErrSuffix
	}
	exponent, err := strconv.ParseInt(suffix[1:], 10, 64)
	if err != nil {
		return unit{}, resource.ErrSuffix
	}
	return unit{10, int32(exponent), resource.DecimalExponent}, nil
}

// short returns the quantity as an int64 and a scale, if the real code takes
// that form.
func (p parts) short(u unit, wide bool) (Quantity, bool) {
	digits := 18
	if wide {
		digits = 19
	}
	precision, scale, factor := digits-len(p.whole)-len(p.fraction), u.exponent, int64(1)
	if u.base == 2 {
		if p.fraction != "" {
			return Quantity{}, false
		}
		precision = 14 - len(p.whole) - int(float32(u.exponent)*3/10)
		scale, factor = 0, 1<<u.exponent
	}
	scale -= int32(len(p.fraction))
	if precision < 0 || scale < -nano {
		return Quantity{}, false
	}
	// The precision keeps the value below 2^63, but for 19 digits.
	text := p.whole + p.fraction
	if p.negative {
		text = "-" + text
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return Quantity{}, false
	}
	value *= factor
	return Quantity{value: value, scale: scale, format: u.format}, true
}

// canonical reports whether a short quantity keeps its text. The real code does
// not bring every such text into the canonical form, e.g. "+1".
func canonical(q Quantity, digits string, u unit) bool {
	if u.base == 2 {
		return (q.value>>u.exponent)&7 != 0
	}
	return q.scale%3 == 0 && !strings.HasSuffix(digits, "000") && digits[0] != '0'
}

// long returns the quantity as a decimal, rounded away from zero to nano
// decimal places.
func (p parts) long(u unit) Quantity {
	d := decimal{parseInteger(p.whole + p.fraction), int32(len(p.fraction))}
	if u.base == 2 {
		for range u.exponent / 10 {
			d.unscaled = d.unscaled.times(1 << 10)
		}
	} else {
		d.scale -= u.exponent
	}
	if d.unscaled.sign() != 0 {
		d = d.rounded()
	}
	if u.base == 2 {
		d, u.format = bounded(d)
	}
	if p.negative {
		d = d.negated()
	}
	return Quantity{dec: &d, format: u.format}
}

// The significant digits that a long quantity keeps, of a decimal one and of a
// binary one.
const (
	widestDecimal = 29
	widestBinary  = 70
)

// longWide is long with a bounded number of digits, rounded away from zero. A
// number of few digits keeps its scale.
func (p parts) longWide(u unit) Quantity {
	digits := strings.TrimLeft(p.whole+p.fraction, "0")
	most, dropped := widestDecimal, ""
	if u.base == 2 {
		most = widestBinary
	}
	if len(digits) > most {
		digits, dropped = digits[:most], digits[most:]
	}
	scale := int64(len(p.fraction)) - int64(len(dropped))
	unscaled := parseInteger(digits)
	if strings.TrimLeft(dropped, "0") != "" {
		unscaled = unscaled.plus(newInteger(1))
	}
	if u.base == 2 {
		for range u.exponent / 10 {
			unscaled = unscaled.times(1 << 10)
		}
	} else {
		scale -= int64(u.exponent)
	}
	scale = max(min(scale, math.MaxInt32), -math.MaxInt32)
	d := decimal{unscaled, int32(scale)}.roundedTo(nano)
	if u.base == 2 {
		d, u.format = bounded(d)
	}
	if p.negative {
		d = d.negated()
	}
	return Quantity{dec: &d, format: u.format}
}

// bounded returns a binary quantity of at most the largest int64, and its
// format: a fraction below 1 is a decimal one.
func bounded(d decimal) (decimal, resource.Format) {
	largest := decimal{newInteger(math.MaxInt64), 0}
	switch {
	case d.compare(largest) > 0:
		return largest, resource.BinarySI
	case d.unscaled.sign() > 0 && d.compare(decimal{newInteger(1), 0}) < 0:
		return d, resource.DecimalSI
	}
	return d, resource.BinarySI
}
