package validation

import (
	"math"
	"sync"
	"unicode/utf8"

	regexps "github.com/crdsem/crdsem/internal/base/regexmatch"
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
	text    string
	compile func() (*regexps.Pattern, error)
}

func newPattern(text string) *pattern {
	return &pattern{
		text,
		sync.OnceValues(func() (*regexps.Pattern, error) { return regexps.Compile(text) }),
	}
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
