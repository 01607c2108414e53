// Package versionsort_test compares package versionsort with the real code.
package versionsort_test

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"testing"

	"k8s.io/apimachinery/pkg/version"

	"github.com/crdsem/crdsem/versionsort"
)

const names = 1_000_000

// TestSortDifferential sorts a million random names as the server does. Names
// of equal priority may have any order among themselves, so the lists are
// compared by priority (VER-006, VER-007).
func TestSortDifferential(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 37))
	want := make([]string, names)
	for i := range want {
		want[i] = randomName(r)
	}
	got := versionsort.Sorted(want)
	sort.Slice(want,
		func(i, j int) bool { return version.CompareKubeAwareVersionStrings(want[i], want[j]) > 0 })
	kubeLike, ties := 0, 0
	for i := range want {
		if version.CompareKubeAwareVersionStrings(want[i], got[i]) != 0 {
			t.Fatalf("at %d: %q, want %q", i, got[i], want[i])
		}
		if _, ok := versionsort.Parse(got[i]); ok {
			kubeLike++
		}
		if want[i] != got[i] {
			ties++
		}
	}
	t.Logf("%d names, %d of them kube-like, %d in another place among equals", names, kubeLike,
		ties)
	if kubeLike < names/10 || kubeLike > names*9/10 {
		t.Errorf("%d of %d names are kube-like: the generator is lopsided", kubeLike, names)
	}
}

// TestCompareDifferential compares a million random pairs.
func TestCompareDifferential(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 37))
	for range names {
		a, b := randomName(r), randomName(r)
		want, got := version.CompareKubeAwareVersionStrings(a, b), versionsort.Compare(a, b)
		if (want > 0) != (got < 0) || (want < 0) != (got > 0) {
			t.Fatalf("Compare(%q, %q) = %d, the real code has %d", a, b, got, want)
		}
	}
}

func randomName(r *rand.Rand) string {
	number := func() string {
		return []string{
			"", fmt.Sprint(r.IntN(4)), fmt.Sprint(r.IntN(100_000)), fmt.Sprint(r.Uint64()),
			"0" + fmt.Sprint(r.IntN(9)), "9223372036854775807",
		}[r.IntN(6)]
	}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	switch r.IntN(4) {
	case 0:
		return "v" + fmt.Sprint(r.IntN(1000))
	case 1:
		return "v" + number() + pick("alpha", "beta", "Beta", "rc", "", "-") + number()
	case 2:
		return "v" + fmt.Sprint(r.IntN(50)) + pick("alpha", "beta") + fmt.Sprint(r.IntN(50))
	}
	name := make([]byte, r.IntN(6))
	for i := range name {
		name[i] = "vvvab01zé "[r.IntN(11)]
	}
	return string(name)
}
