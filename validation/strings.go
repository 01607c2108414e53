package validation

import (
	"math"
	"sync/atomic"
	"unicode/utf8"

	regexps "github.com/crdsem/crdsem/validation/internal/regexmatch"
)

// stringRule checks strings: lengths, pattern and format.
type stringRule struct {
	min, max int64
	pattern  *pattern
	format   *format
}

// pattern is a regular expression, compiled when first needed. If it does not
// compile, it fails every string (VAL-043).
type pattern struct {
	text string
	room *atomic.Int64 // what large patterns of the compiler may still take
	kept atomic.Pointer[compiledPattern]
}

type compiledPattern struct {
	expression *regexps.Pattern
	err        error
}

// patternRoom is the number of bytes that the large patterns of a compiler may
// take together. The text of a{1000} takes 43 KB once it is compiled, so that a
// definition of 200 KB would keep 1 GB. There is room for some 600 patterns as
// large as ^[a-z]{1,253}$. A pattern that finds no room is compiled for each
// string.
const patternRoom = 64 << 20

func (p *pattern) compile() (*regexps.Pattern, error) {
	if c := p.kept.Load(); c != nil {
		return c.expression, c.err
	}
	c := &compiledPattern{}
	c.expression, c.err = regexps.Compile(p.text)
	if size := p.sizeAsLarge(c.expression); size == 0 || p.room.Add(-size) >= 0 {
		if !p.kept.CompareAndSwap(nil, c) {
			p.room.Add(size)
		}
	} else {
		p.room.Add(size)
	}
	return c.expression, c.err
}

// sizeAsLarge returns the size of a large pattern and 0 for any other. A
// pattern is large if its size is out of proportion to its text.
func (p *pattern) sizeAsLarge(expression *regexps.Pattern) int64 {
	const fixed, perByte = 4 << 10, 32
	if expression == nil || expression.Size() <= fixed+perByte*len(p.text) {
		return 0
	}
	return int64(expression.Size())
}

func (p *pattern) matches(s string) bool {
	re, err := p.compile()
	return err == nil && re.MatchString(s)
}

// shown returns the pattern as errors show it, and their rule.
func (p *pattern) shown() (rule, text string) {
	if _, err := p.compile(); err != nil {
		return "VAL-043", p.text + ", but pattern is invalid: " + err.Error()
	}
	return "VAL-042", p.text
}

func (r *stringRule) valid(s string) bool {
	return !r.tooLong(s) && !r.tooShort(s) && (r.pattern == nil || r.pattern.matches(s)) &&
		(r.format == nil || r.format.valid(s))
}

// validWithin is valid for a walk: a long string counts as several values.
func (r *stringRule) validWithin(s string, w *watch) bool {
	w.left -= len(s) / perLook
	return r.valid(s)
}

// A string has at most as many characters as bytes, and at least a quarter as
// many.
func (r *stringRule) tooLong(s string) bool {
	return int64(len(s)) > r.max && int64(utf8.RuneCountInString(s)) > r.max
}

func (r *stringRule) tooShort(s string) bool {
	return int64(len(s)) < r.min ||
		r.min > 0 && int64(len(s)) < r.min*utf8.UTFMax && int64(utf8.RuneCountInString(s)) < r.min
}

// limits returns two bounds. An absent keyword stands for the lowest or the
// highest number.
func limits(low, high *int64) (lowest, highest int64) {
	lowest, highest = math.MinInt64, math.MaxInt64
	if low != nil {
		lowest = *low
	}
	if high != nil {
		highest = *high
	}
	return lowest, highest
}
