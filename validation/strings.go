package validation

import (
	"math"
	"regexp"
	"unicode/utf8"
)

// stringRule checks strings: lengths, pattern and format.
type stringRule struct {
	min, max int64
	pattern  *pattern
	format   *format
}

// pattern is a compiled regular expression. A text that does not compile fails every string (VAL-043).
type pattern struct {
	text string
	re   *regexp.Regexp // nil if the text does not compile
	err  error
}

func compilePattern(text string) *pattern {
	re, err := regexp.Compile(text)
	return &pattern{text, re, err}
}

// shown is the pattern as errors show it.
func (p *pattern) shown() string {
	if p.err != nil {
		return p.text + ", but pattern is invalid: " + p.err.Error()
	}
	return p.text
}

func (p *pattern) matches(s string) bool { return p.re != nil && p.re.MatchString(s) }

func (r *stringRule) valid(s string) bool {
	return !r.tooLong(s) && !r.tooShort(s) && (r.pattern == nil || r.pattern.matches(s)) && (r.format == nil || r.format.valid(s))
}

// A string has at most as many characters as bytes, and at least a quarter as many.
func (r *stringRule) tooLong(s string) bool {
	return int64(len(s)) > r.max && int64(utf8.RuneCountInString(s)) > r.max
}

func (r *stringRule) tooShort(s string) bool {
	return int64(len(s)) < r.min || r.min > 0 && int64(len(s)) < r.min*utf8.UTFMax && int64(utf8.RuneCountInString(s)) < r.min
}

// limits returns the bounds that an absent keyword stands for.
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
