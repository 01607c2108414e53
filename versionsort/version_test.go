package versionsort

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

func TestParse(t *testing.T) {
	cases := []struct {
		name string
		want Version
		ok   bool
	}{
		{"v1", Version{Major: 1, Stability: GA}, true},
		{"v01", Version{Major: 1, Stability: GA}, true},
		{"v2beta3", Version{Major: 2, Minor: 3, Stability: Beta}, true},
		{"v0alpha0", Version{}, true},
		{"v9223372036854775807", Version{Major: 9223372036854775807, Stability: GA}, true},
		{"v00000000000000000000009", Version{Major: 9, Stability: GA}, true},
		{"v9223372036854775808", Version{}, false},
		{"v1beta9223372036854775808", Version{}, false},
		{"", Version{}, false}, {"v", Version{}, false}, {"1", Version{}, false}, {"V1", Version{}, false},
		{"v1beta", Version{}, false}, {"v1rc1", Version{}, false}, {"v1Beta1", Version{}, false}, {"v1beta1x", Version{}, false},
		{"v1\n", Version{}, false}, {" v1", Version{}, false}, {"v-1", Version{}, false}, {"v１", Version{}, false},
	}
	for _, c := range cases {
		if got, ok := Parse(c.name); got != c.want || ok != c.ok {
			t.Errorf("VER-002: Parse(%q) = %+v, %t, want %+v, %t", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestCompareVectors(t *testing.T) {
	type pair struct {
		A string `json:"a"`
		B string `json:"b"`
	}
	type order struct {
		Compared int `json:"compared"` // positive where A has the higher priority
	}
	for _, v := range vectors.Cases[pair, order](t, "versionCompare") {
		if got := Compare(v.Input.A, v.Input.B); sign(got) != -sign(v.Want.Compared) {
			t.Errorf("%s: %s: Compare gives %d", v.ID, v.Description, got)
		}
	}
}

func TestSortVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpSort) {
		v.Check(t, protocol.Sorted{Names: Sorted(v.Req.Names)})
	}
}

func sign(n int) int {
	return max(-1, min(1, n))
}

func TestSortOfEqualNamesDependsOnNamesOnly(t *testing.T) {
	want := []string{"v01", "v1", "v001beta1", "v1beta01", "v1beta1"}
	for range 5 {
		names := []string{"v1beta1", "v1", "v1beta01", "v01", "v001beta1"}
		slices.Reverse(names[:3])
		if Sort(names); !slices.Equal(names, want) {
			t.Errorf("VER-006: %q, want %q", names, want)
		}
	}
}

func TestPreferredAndSuccessor(t *testing.T) {
	names := []string{"v1alpha1", "v2", "v10", "zzz"}
	if got, ok := Preferred(names); got != "v10" || !ok {
		t.Errorf("VER-008: Preferred(%q) = %q, %t", names, got, ok)
	}
	if got, ok := Preferred(nil); got != "" || ok {
		t.Errorf("VER-008: Preferred(nil) = %q, %t", got, ok)
	}
	if got, ok := Successor("v2", names); got != "v10" || !ok {
		t.Errorf("VER-008: Successor(v2) = %q, %t", got, ok)
	}
	if got, ok := Successor("zzz", nil); got != "" || ok {
		t.Errorf("VER-008: Successor(zzz) of no versions = %q, %t", got, ok)
	}
	for _, deprecated := range []string{"v10", "v010", "v11"} {
		if got, ok := Successor(deprecated, names); got != "" || ok {
			t.Errorf("VER-008: Successor(%s) = %q, %t, want none", deprecated, got, ok)
		}
	}
}

func TestStabilityString(t *testing.T) {
	for s, want := range map[Stability]string{Alpha: "alpha", Beta: "beta", GA: "GA"} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What sorting allocates does not grow with the list.
func TestAllocations(t *testing.T) {
	names := []string{"v10", "v2", "v1", "foo", "v1beta1", "v3alpha2", "", "v01"}
	allocs.Constant(t, "Compare and Sort", func(times int) func() {
		names := slices.Repeat(names, times)
		return func() {
			Compare("v11beta2", "v10beta3")
			slices.Reverse(names)
			Sort(names)
		}
	})
}

var kubeLike = regexp.MustCompile(`^v([0-9]+)(?:(alpha|beta)([0-9]+))?$`)

// parsePlain is Parse written for reading.
func parsePlain(name string) (Version, bool) {
	parts := kubeLike.FindStringSubmatch(name)
	if parts == nil {
		return Version{}, false
	}
	major, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return Version{}, false
	}
	if parts[2] == "" {
		return Version{Major: major, Stability: GA}, true
	}
	minor, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil {
		return Version{}, false
	}
	stabilities := map[string]Stability{"alpha": Alpha, "beta": Beta}
	return Version{Major: major, Minor: minor, Stability: stabilities[parts[2]]}, true
}

// FuzzCompare compares Parse with its plain twin, and checks that Compare is an
// order.
func FuzzCompare(f *testing.F) {
	f.Add("v1", "v2beta1", "foo")
	f.Add("v01", "v1", "v001")
	f.Add("v9223372036854775808", "", "v1alpha99999999999999999999")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for _, name := range []string{a, b, c} {
			got, ok := Parse(name)
			if want, wantOK := parsePlain(name); ok != wantOK || ok && got != want {
				t.Errorf("Parse(%q) = %+v, %t, want %+v, %t", name, got, ok, want, wantOK)
			}
		}
		if sign(Compare(a, b)) != -sign(Compare(b, a)) {
			t.Errorf("Compare(%q, %q) is not the opposite of Compare(b, a)", a, b)
		}
		if Compare(a, b) <= 0 && Compare(b, c) <= 0 && Compare(a, c) > 0 {
			t.Errorf("Compare is not transitive: %q, %q, %q", a, b, c)
		}
		one, other := []string{a, b, c}, []string{c, a, b}
		if Sort(one); !slices.Equal(one, Sorted(other)) {
			t.Errorf("the order of %q depends on the order before", strings.Join(one, " "))
		}
	})
}

func BenchmarkSort(b *testing.B) {
	names := []string{
		"v12alpha1", "v3beta1", "v3beta2", "v11alpha2", "v11beta2", "v10beta3",
		"v2", "v1", "foo1", "foo10", "v10",
	}
	work := slices.Clone(names)
	b.ReportAllocs()
	for b.Loop() {
		copy(work, names)
		Sort(work)
	}
}
