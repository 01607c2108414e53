package nearest_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/nearest"
)

func TestName(t *testing.T) {
	keywords := []string{"default", "enum", "maxItems", "maxLength", "minLength", "type"}
	for _, c := range []struct{ name, want string }{
		{"maxLenght", "maxLength"}, // neighbours exchanged
		{"maxlength", "maxLength"}, // only case differs
		{"enumm", "enum"},
		{"tpye", "type"},
		{"default", ""}, // known
		{"replicas", ""},
		{"", ""},
		{"t", ""},
		{"TYPE", "type"},
		{"ypet", ""}, // three of four letters
	} {
		if got := nearest.Name(c.name, keywords); got != c.want {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	got := nearest.Names("STR-41", []string{"STR-042", "STR-041", "STR-014", "PRN-031"}, 2)
	if want := []string{"STR-041", "STR-014"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	got = nearest.Names("STR-41", []string{"STR-042", "STR-041"}, 3)
	if want := []string{"STR-041", "STR-042"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// plainDistance is the distance without a limit.
func plainDistance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range b {
		d[0][j+1] = j + 1
	}
	for i := range a {
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d[i+1][j+1] = min(d[i][j+1]+1, d[i+1][j]+1, d[i][j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d[i+1][j+1] = min(d[i+1][j+1], d[i-1][j-1]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// A search finds what a search without a limit finds.
func TestLimitChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letter := func() rune { return []rune("abcdé")[random.IntN(5)] }
	word := func() []rune {
		letters := make([]rune, random.IntN(14))
		for i := range letters {
			letters[i] = letter()
		}
		return letters
	}
	edited := func(letters []rune) []rune {
		letters = slices.Clone(letters)
		for range random.IntN(8) {
			switch at := random.IntN(len(letters) + 1); {
			case random.IntN(3) == 0 || at == len(letters):
				letters = slices.Insert(letters, at, letter())
			case random.IntN(2) == 0 && at > 0:
				letters[at-1], letters[at] = letters[at], letters[at-1]
			default:
				letters = slices.Delete(letters, at, at+1)
			}
		}
		return letters
	}
	found := 0
	for range 20_000 {
		letters := word()
		others := edited(letters)
		name, other, want := string(letters), string(others), ""
		if name != other && plainDistance(letters, others) <= max(len(letters), len(others))/3 {
			want, found = other, found+1
		}
		if got := nearest.Name(name, []string{other}); got != want {
			t.Fatalf("%q near %q: got %q, want %q", name, other, got, want)
		}
	}
	if found < 5000 {
		t.Errorf("%d names are near", found)
	}
}

// Long names are not compared, and a search ends when its steps are spent.
func TestBounds(t *testing.T) {
	name := strings.Repeat("é", 64)
	if got := nearest.Name(name+"x", []string{name}); got != "" {
		t.Errorf("65 characters are compared: %q", got)
	}
	if got := nearest.Name(name, []string{name + "x"}); got != "" {
		t.Errorf("a name of 65 characters is found: %q", got)
	}
	if got := nearest.Name(name[:len(name)-2]+"x", []string{name}); got != name {
		t.Errorf("64 characters are not compared: %q", got)
	}
	if got := nearest.Name(strings.Repeat("x", 64), []string{name}); got != "" {
		t.Errorf("64 other characters are near: %q", got)
	}
	set := nearest.NewSet([]string{"enum", "type", "maxLength"})
	steps := 0
	spend := func(n int) bool {
		steps += n
		return steps <= 50
	}
	if got := set.Name("enumm", spend); got != "enum" || steps != 2*(3*5+1) {
		t.Errorf("got %q in %d steps", got, steps)
	}
	for range 10 {
		set.Name("enumm", spend)
	}
	if got := set.Name("enumm", spend); got != "" {
		t.Errorf("got %q after %d steps", got, steps)
	}
	if got := (*nearest.Set)(nil).Name("enumm", nil); got != "" {
		t.Errorf("an empty set has %q", got)
	}
}
