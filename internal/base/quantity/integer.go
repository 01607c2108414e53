package quantity

import (
	"cmp"
	"math/big"
	"slices"
)

// A limb has limbDigits decimal digits.
const (
	limbDigits = 9
	limbBase   = 1_000_000_000
)

// limb is a part of an integer: value * 10^(limbDigits*place).
type limb struct{ place, value int64 }

// integer is the sum of its limbs, e.g. 10^2000000000 - 1 is a limb of 1 and
// one of -1. Places ascend. Values are not 0, and less than limbBase in
// magnitude, so that the last limb decides the sign. It is immutable.
type integer []limb

// newInteger returns an integer of 64 bits.
func newInteger(value int64) integer { return carried([]limb{{0, value}}) }

// carried returns the sum of limbs whose places ascend or are equal. The sum of
// the values of a place must fit an int64.
func carried(limbs []limb) integer {
	var out integer
	var carry limb
	for len(limbs) > 0 || carry.value != 0 {
		sum := carry
		if carry.value == 0 {
			sum = limb{place: limbs[0].place}
		}
		for len(limbs) > 0 && limbs[0].place == sum.place {
			sum.value += limbs[0].value
			limbs = limbs[1:]
		}
		carry = limb{sum.place + 1, sum.value / limbBase}
		if sum.value %= limbBase; sum.value != 0 {
			out = append(out, sum)
		}
	}
	return shortened(out)
}

// shortened removes leading limbs that the next one can take, e.g. those of
// 10^900 - (10^900 - 5).
func shortened(limbs []limb) integer {
	for len(limbs) > 1 {
		top, next := limbs[len(limbs)-1], &limbs[len(limbs)-2]
		value := top.value*limbBase + next.value
		if top.place != next.place+1 || value <= -limbBase || value >= limbBase {
			break
		}
		next.value = value
		limbs = limbs[:len(limbs)-1]
	}
	return limbs
}

// parseInteger returns the value of a string of ASCII digits.
func parseInteger(digits string) integer {
	var out integer
	for place := int64(0); digits != ""; place++ {
		start := max(len(digits)-limbDigits, 0)
		value := int64(0)
		for _, digit := range digits[start:] {
			value = value*10 + int64(digit-'0')
		}
		if value != 0 {
			out = append(out, limb{place, value})
		}
		digits = digits[:start]
	}
	return out
}

// sign returns -1, 0 or 1.
func (n integer) sign() int {
	if len(n) == 0 {
		return 0
	}
	return cmp.Compare(n[len(n)-1].value, 0)
}

// plus returns n + m.
func (n integer) plus(m integer) integer {
	limbs := slices.Concat(n, m)
	slices.SortStableFunc(limbs, func(a, b limb) int { return cmp.Compare(a.place, b.place) })
	return carried(limbs)
}

// times returns the product with a factor of at most limbBase in magnitude.
func (n integer) times(factor int64) integer {
	limbs := slices.Clone(n)
	for i := range limbs {
		limbs[i].value *= factor
	}
	return carried(limbs)
}

// shifted returns n * 10^digits.
func (n integer) shifted(digits int64) integer {
	out := n.times(power(digits % limbDigits))
	for i := range out {
		out[i].place += digits / limbDigits
	}
	return out
}

// quotient returns n / 10^digits, rounded toward zero, and the sign of the
// remainder.
func (n integer) quotient(digits int64) (integer, int) {
	lowest, inside := digits/limbDigits, digits%limbDigits
	var limbs []limb
	rest := 0
	for _, l := range n {
		switch {
		case l.place < lowest:
			rest = cmp.Compare(l.value, 0)
		case l.place == lowest:
			if remainder := l.value % power(inside); remainder != 0 {
				rest = cmp.Compare(remainder, 0)
			}
			limbs = append(limbs, limb{0, l.value / power(inside)})
		default:
			limbs = append(limbs, limb{l.place - lowest - 1, l.value * power(limbDigits-inside)})
		}
	}
	out := carried(limbs)
	if out.sign()*rest < 0 {
		return out.plus(newInteger(int64(rest))), -rest
	}
	return out, rest
}

// power returns 10^exponent, of at most limbBase.
func power(exponent int64) int64 {
	out := int64(1)
	for range exponent {
		out *= 10
	}
	return out
}

// digits returns the number of digits of n or a few more.
func (n integer) digits() int64 {
	if len(n) == 0 {
		return 0
	}
	return (n[len(n)-1].place + 1) * limbDigits
}

// big returns n, whose digits must be few.
func (n integer) big() *big.Int {
	out, place := new(big.Int), int64(0)
	base := big.NewInt(limbBase)
	for i := len(n) - 1; i >= 0; i-- {
		for ; place > n[i].place; place-- {
			out.Mul(out, base)
		}
		place = n[i].place
		out.Add(out, big.NewInt(n[i].value))
	}
	for ; place > 0; place-- {
		out.Mul(out, base)
	}
	return out
}
