package versionsort

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Stability is what a kube-like name promises.
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

// Version is what a kube-like name says. Different names can say the same: v1 and v01.
type Version struct {
	// Major is the number after the v.
	Major int64
	// Minor is the number after alpha or beta; 0 for GA.
	Minor     int64
	Stability Stability
}

// Parse reads a kube-like name. ok is false for any other string, and for numbers beyond an int64 (VER-002). Nothing is trimmed or
// folded, and only the digits 0 to 9 count. It does not allocate.
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
	if minor, isAlpha := strings.CutPrefix(rest, "alpha"); isAlpha {
		v.Stability, rest = Alpha, minor
	} else if minor, isBeta := strings.CutPrefix(rest, "beta"); isBeta {
		v.Stability, rest = Beta, minor
	} else {
		return Version{}, false
	}
	v.Minor, rest, ok = number(rest)
	if !ok || rest != "" {
		return Version{}, false
	}
	return v, true
}

// number reads the digits at the start of s; there must be one, and the number must fit.
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

// Compare compares two names by priority, as the functions of package slices want it: negative if a has the higher priority and so comes first, positive
// if b has it, 0 for equal names and for names that say the same version (VER-001 to VER-006). It does not allocate.
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

// compare is negative if v has the higher priority.
func (v Version) compare(w Version) int {
	return cmp.Or(
		cmp.Compare(w.Stability, v.Stability),
		cmp.Compare(w.Major, v.Major),
		cmp.Compare(w.Minor, v.Minor),
	)
}

// Sort sorts names in place, the highest priority first (VER-007). Names that Compare takes for equal are sorted by their bytes, so that
// the result depends on the names only, not on their order. It does not allocate.
func Sort(names []string) {
	slices.SortFunc(names, compareTotal)
}

// Sorted returns the names in a new slice, sorted as [Sort] does; the argument is not changed.
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

// Preferred returns the name of the highest priority: of a group's served versions, the one that discovery calls preferred (VER-008). ok is false if
// there is no name. The argument is not changed.
func Preferred(served []string) (name string, ok bool) {
	if len(served) == 0 {
		return "", false
	}
	return slices.MinFunc(served, compareTotal), true
}

// Successor returns the version that the server's default deprecation warning tells users of the deprecated version to use: the preferred one
// of the served versions that are not deprecated, if its priority is higher than the deprecated one's; otherwise ok is false (VER-008).
func Successor(deprecated string, current []string) (name string, ok bool) {
	name, ok = Preferred(current)
	if !ok || Compare(name, deprecated) >= 0 {
		return "", false
	}
	return name, true
}
