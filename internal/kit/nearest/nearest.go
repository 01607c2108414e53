// Package nearest finds the name that somebody probably meant: "maxLength" for
// "maxLenght". Names of more than 64 characters are not compared.
package nearest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxName is the maximum number of characters of a name that is compared.
const maxName = 64

// Set is names that somebody may mean, prepared for many questions. A nil *Set
// is empty. It is safe for concurrent use.
type Set struct{ names []prepared }

// prepared is a name as it is compared.
type prepared struct {
	name  string
	runes []rune // in lower case
}

// NewSet returns a set of names.
func NewSet(names []string) *Set {
	s := &Set{}
	for _, name := range names {
		if p, ok := prepare(name); ok {
			s.names = append(s.names, p)
		}
	}
	return s
}

// prepare prepares a name. ok is false for a name that is too long.
func prepare(name string) (p prepared, ok bool) {
	return prepared{name, []rune(strings.ToLower(name))}, utf8.RuneCountInString(name) <= maxName
}

// Name returns the candidate nearest to name. It returns "" if no candidate is
// near: more than a third of the characters differ.
func Name(name string, candidates []string) string { return NewSet(candidates).Name(name, nil) }

// Names returns at most limit candidates near to name, the nearest first. The
// order of equally near candidates is that of the alphabet.
func Names(name string, candidates []string, limit int) []string {
	var names []string
	found := NewSet(candidates).near(name, nil)
	for _, n := range found[:min(limit, len(found))] {
		names = append(names, n.name)
	}
	return names
}

// Name returns the name of the set that is nearest to another one. It is empty
// if no name is near. spend is called before each comparison with the steps
// that it takes at most; if it returns false, the search ends without a name. A
// nil spend bounds nothing.
func (s *Set) Name(name string, spend func(steps int) bool) string {
	if found := s.near(name, spend); len(found) > 0 {
		return found[0].name
	}
	return ""
}

// candidate is a name that is near, by the number of edits.
type candidate struct {
	name     string
	distance int
}

// near returns the names that are near to another one, the nearest first: those
// of which at most a third of the characters differ. Names of one or two
// characters are near only if they differ in case.
func (s *Set) near(name string, spend func(steps int) bool) []candidate {
	wanted, ok := prepare(name)
	if s == nil || !ok {
		return nil
	}
	var found []candidate
	var rows rows
	for _, c := range s.names {
		limit := max(len(c.runes), len(wanted.runes)) / 3
		if c.name == name || abs(len(c.runes)-len(wanted.runes)) > limit {
			continue
		}
		if spend != nil && !spend(len(wanted.runes)*(2*limit+1)+1) {
			return nil
		}
		if d := rows.distance(wanted.runes, c.runes, limit); d <= limit {
			found = append(found, candidate{c.name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	return found
}

// IsTypo reports whether a name is another one but for its case or one edit, as
// Name counts them. Short names are too much alike for that: of those with at
// most three characters only the case may differ.
func IsTypo(name, meant string) bool {
	const short = 3
	a, ok := prepare(name)
	b, fits := prepare(meant)
	switch {
	case name == meant || !ok || !fits:
		return false
	case slices.Equal(a.runes, b.runes):
		return true
	case len(a.runes) <= short || abs(len(a.runes)-len(b.runes)) > 1:
		return false
	}
	var rows rows
	return rows.distance(a.runes, b.runes, 1) <= 1
}

func abs(n int) int { return max(n, -n) }

// rows are three rows of the table that distance fills.
type rows [3][maxName + 1]int

// distance is the number of edits that turn a into b: an edit inserts, deletes
// or replaces a character, or exchanges two neighbours (optimal string
// alignment, a restricted Damerau-Levenshtein distance). If that is above a
// limit, the result is some number above it: only the cells that are within the
// limit of the diagonal are computed.
func (r *rows) distance(a, b []rune, limit int) int {
	before, last, row := &r[0], &r[1], &r[2]
	for j := range last {
		last[j] = j
	}
	for i := range a {
		from, to := max(0, i-limit), min(len(b), i+1+limit)
		row[from] = i + 1
		for j := from; j < to; j++ {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d := min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
		if to < len(b) {
			row[to+1] = limit // one edit from the row below
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
