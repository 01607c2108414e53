package versionsort

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Stability is the stability of a kube-like name. The zero value is Alpha.
type Stability uint8

// The stabilities, from the lowest priority to the highest.
const (
	Alpha Stability = iota
	Beta
	GA
)

// String returns "alpha", "beta" or "GA".
func (s Stability) String() string {
	switch s {
	case Alpha:
		return "alpha"
	case Beta:
		return "beta"
	}
	return "GA"
}

// Version is a parsed kube-like name. Different names may have the same
// Version, e.g. v1 and v01. The zero value is that of v0alpha0.
type Version struct {
	// Major is the number after the v.
	Major int64
	// Minor is the number after alpha or beta; 0 for GA.
	Minor     int64
	Stability Stability
}

// Parse parses a kube-like name, e.g. v1beta2. ok is false for any other
// string, and for numbers that do not fit an int64 (VER-002). Parse neither
// trims the name nor folds its case; it accepts only the digits 0 to 9. It does
// not allocate.
func Parse(name string) (v Version, ok bool) {
	rest, ok := strings.CutPrefix(name, "v")
	if !ok {
		return Version{}, false
	}
	v.Major, rest, ok = number(rest)
	if !ok {
		return Version{}, false
	}
	if rest == "" {
		v.Stability = GA
		return v, true
	}
	// What is neither alpha nor beta does not begin with a digit.
	minor, isAlpha := strings.CutPrefix(rest, "alpha")
	if isAlpha {
		v.Stability = Alpha
	} else {
		v.Stability, minor = Beta, strings.TrimPrefix(rest, "beta")
	}
	v.Minor, rest, ok = number(minor)
	if !ok || rest != "" {
		return Version{}, false
	}
	return v, true
}

// number parses the digits at the start of s. ok is false without a digit or if
// the number does not fit.
func number(s string) (n int64, rest string, ok bool) {
	i := 0
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		digit := int64(s[i] - '0')
		if n > (math.MaxInt64-digit)/10 {
			return 0, s, false
		}
		n = n*10 + digit
	}
	return n, s[i:], i > 0
}

// Compare compares two names by priority; functions of package slices take it.
// The result is negative if a has the higher priority, so that a comes first,
// and positive if b has it. It is 0 for equal names and for names with the same
// Version (VER-001 to VER-006). Compare does not allocate.
func Compare(a, b string) int {
	if a == b {
		return 0
	}
	av, aKubeLike := Parse(a)
	bv, bKubeLike := Parse(b)
	switch {
	case aKubeLike && bKubeLike:
		return av.compare(bv)
	case aKubeLike:
		return -1
	case bKubeLike:
		return 1
	}
	return strings.Compare(a, b)
}

// compare returns a negative number if v has the higher priority.
func (v Version) compare(w Version) int {
	return cmp.Or(
		cmp.Compare(w.Stability, v.Stability),
		cmp.Compare(w.Major, v.Major),
		cmp.Compare(w.Minor, v.Minor),
	)
}

// Sort sorts names in place, the highest priority first (VER-007). Names for
// which Compare returns 0 are sorted by their bytes, therefore the result does
// not depend on the order before. Sort does not allocate.
func Sort(names []string) {
	slices.SortFunc(names, compareTotal)
}

// Sorted returns the names in a new slice, sorted as by [Sort]. It does not
// change its argument.
func Sorted(names []string) []string {
	sorted := slices.Clone(names)
	Sort(sorted)
	return sorted
}

func compareTotal(a, b string) int {
	if c := Compare(a, b); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// Preferred returns the name with the highest priority. Among the served
// versions of a group it is the preferred version of discovery (VER-008). ok is
// false if there are no names. Preferred does not change its argument.
func Preferred(served []string) (name string, ok bool) {
	if len(served) == 0 {
		return "", false
	}
	return slices.MinFunc(served, compareTotal), true
}

// Successor returns the version that the server's default deprecation warning
// recommends in place of a deprecated version (VER-008). current are the served
// versions that are not deprecated. The successor is the preferred one of them;
// ok is false if its priority is not higher than that of the deprecated
// version.
func Successor(deprecated string, current []string) (name string, ok bool) {
	name, ok = Preferred(current)
	if !ok || Compare(name, deprecated) >= 0 {
		return "", false
	}
	return name, true
}
