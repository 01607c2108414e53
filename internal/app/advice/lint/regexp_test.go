package lint

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// No string that a pattern matches is outside of its lengths.
func TestMatchLengths(t *testing.T) {
	texts := []string{""}
	for start := 0; len(texts) < 400; start++ {
		for _, c := range []string{"a", "b", "é"} {
			texts = append(texts, texts[start]+c)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	impossible, bounded := 0, 0
	for range 3000 {
		text := randomPattern(r, 4)
		pattern := regexp.MustCompile(text)
		found, possible := matchLengths(text)
		if !possible {
			impossible++
		} else if found.max < unbounded {
			bounded++
		}
		for _, s := range texts {
			n := int64(len([]rune(s)))
			if pattern.MatchString(s) && (!possible || n < found.min || n > found.max) {
				t.Fatalf("%q matches %q: lengths %v, possible %v", text, s, found, possible)
			}
		}
	}
	if impossible < 100 || bounded < 100 {
		t.Errorf("only %d of the patterns match nothing, and %d are bounded", impossible, bounded)
	}
}

// randomPattern returns a pattern of some depth.
func randomPattern(r *rand.Rand, depth int) string {
	if depth == 0 {
		leaves := []string{
			"a", "b", "é", ".", "[ab]", "^", "$", "\\A", "\\z", "(?m:^)", "\\b", "", "[^a]",
		}
		return leaves[r.IntN(len(leaves))]
	}
	part := func() string { return randomPattern(r, depth-1) }
	switch r.IntN(6) {
	case 0:
		return "(" + part() + "|" + part() + ")"
	case 1:
		suffixes := []string{"*", "+", "?", "{2}", "{1,3}", "{0}", "{2,}"}
		return "(?:" + part() + ")" + suffixes[r.IntN(len(suffixes))]
	case 2:
		return "^" + part() + "$"
	default:
		return strings.Join([]string{part(), part()}, "")
	}
}
