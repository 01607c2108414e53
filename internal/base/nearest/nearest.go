// Package nearest finds the name that somebody probably meant: "maxLength" for
// "maxLenght".
package nearest

import (
	"cmp"
	"slices"
	"strings"
)

// Name returns the candidate nearest to name. It returns "" if no candidate is
// near: more than a third of the characters differ.
func Name(name string, candidates []string) string {
	if list := Names(name, candidates, 1); len(list) > 0 {
		return list[0]
	}
	return ""
}

// Names returns at most limit candidates near to name, the nearest first. The
// order of equally near candidates is that of the alphabet.
func Names(name string, candidates []string, limit int) []string {
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, c := range candidates {
		if c == name {
			continue
		}
		d := distance([]rune(strings.ToLower(name)), []rune(strings.ToLower(c)))
		if d <= farthest(name, c) {
			found = append(found, near{c, d})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, n := range found[:min(limit, len(found))] {
		names = append(names, n.name)
	}
	return names
}

// farthest is the maximum distance of two names that count as near. Two names
// of one or two characters are near only if they differ in case.
func farthest(a, b string) int { return max(len(a), len(b)) / 3 }

// distance is the number of edits that turn a into b: an edit inserts, deletes
// or replaces a character, or exchanges two neighbours (optimal string
// alignment, a restricted Damerau-Levenshtein distance).
func distance(a, b []rune) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
