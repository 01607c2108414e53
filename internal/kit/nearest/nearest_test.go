package nearest_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crdsem/crdsem/internal/kit/nearest"
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

// A search finds what a search without a limit finds, for each word in the set
// of all words.
func TestLimitChangesNothing(t *testing.T) {
	for _, words := range [][]string{allWords("ab", 6), allWords("aAbé", 3), allWords("abc", 4)} {
		for _, name := range words {
			var near []string
			distances := map[string]int{}
			for _, other := range words {
				d := plainDistance([]rune(strings.ToLower(name)), []rune(strings.ToLower(other)))
				longer := max(utf8.RuneCountInString(name), utf8.RuneCountInString(other))
				if distances[other] = d; name != other && d <= longer/3 {
					near = append(near, other)
				}
			}
			slices.SortFunc(near, func(a, b string) int {
				return cmp.Or(distances[a]-distances[b], strings.Compare(a, b))
			})
			if got := nearest.Names(name, words, len(words)); !slices.Equal(got, near) {
				t.Fatalf("%q: got %q, want %q", name, got, near)
			}
			first := strings.Join(near[:min(1, len(near))], "")
			if got := nearest.Name(name, words); got != first {
				t.Fatalf("%q: got %q, want %q", name, got, first)
			}
		}
	}
}

// Edits at all places of long names count, as in a table without a limit.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("abcdefgh", 8)
	found := 0
	for from := range len(long) {
		for to := from; to <= len(long); to += 3 {
			for _, other := range []string{
				long[:from] + long[to:], long[from:to] + "x" + long[from:], long[to:] + long[:from],
			} {
				want := ""
				d := plainDistance([]rune(long), []rune(other))
				if len(other) <= 64 && d > 0 && d <= 64/3 {
					want, found = other, found+1
				}
				if got := nearest.Name(long, []string{other}); got != want {
					t.Fatalf("got %q, want %q", got, want)
				}
			}
		}
	}
	if found < 300 {
		t.Errorf("%d names are near", found)
	}
}

// allWords returns the words over some letters up to a length.
func allWords(letters string, length int) []string {
	words := []string{""}
	for from := 0; length > 0; length-- {
		last := words[from:]
		from = len(words)
		for _, word := range last {
			for _, letter := range letters {
				words = append(words, word+string(letter))
			}
		}
	}
	return words
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

func TestIsTypo(t *testing.T) {
	long := strings.Repeat("a", 65)
	for _, c := range []struct {
		name, meant string
		want        bool
	}{
		{"widget", "Widget", true}, {"Widgets", "Widget", true}, {"Wdiget", "Widget", true},
		{"Widgat", "Widget", true}, {"Widget", "Widget", false}, {"Gadget", "Widget", false},
		{"TCPRoute", "UDPRoute", false}, {"Pop", "Pod", false}, {"pod", "Pod", true},
		{"Wudgets", "Widget", false}, {long, "A" + long[1:], false}, {"", "", false},
	} {
		if got := nearest.IsTypo(c.name, c.meant); got != c.want {
			t.Errorf("%q for %q: %v", c.name, c.meant, got)
		}
	}
}
