package regexmatch

import (
	"regexp"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/allocs"
)

// patterns has the shapes that schemas use, and difficult ones.
var patterns = []string{
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
	`^$|^a$`, `^.{2,}|[^./]$`, `a`, `^`, `$`, `^$`, ``, `.`, `^.*$`, `\d`, `^(?i)(Debug|Info)?$`, `(?i)k`, `\bword\b`, `(?m)^a$`, `(?s).`, `^[^()<>@,;:\\"/\[\]?={} \t\x7f\x00-\x1f]+$`,
	`^https?://.+$`, `$^`, `$a`, `a^`, `(^a|b$)`, `(a|ab)(c|bcd)`, `(a+)+$`, `^a{2,5}$`, `x{0,61}$`, `^\p{L}+$`, `[^a]`, `\z`, `\A`, `(?:)`, `[[:alpha:]]+`, `a|^b|c$`, `[α-ω]`, `[a-\x{80}]`, `[b-\x7f]`, `\x7f`, `\C`, `(`, `a{1001}`,
	`^((([01][0-9])|(2[0-3])):[0-5][0-9])$|(^24:00$)`, `^([a-z]{0,61}[a-z]\.)*[a-z]{0,61}$`,
}

var texts = []string{
	"", "a", "b", "ab", "abc", "a.b", "-a", "1.5Gi", "100m", "http://x", "a\nb", "\n", "word", "a word.", "Debug", "DEBUG", "k", "K", "\u212a", "é", "aé", "éa", "αβ", "a\xff", "\xff", "\x80",
	"24:00", "23:59", "24:01", strings.Repeat("a", 300), strings.Repeat("x", 61), "()", "\x00", "\x7f", "\u0080", "\u0081", "^", "$",
}

// Any pattern has the result of Go's regexp on any string, and its error.
func FuzzMatchString(f *testing.F) {
	for _, p := range patterns {
		for _, text := range texts {
			f.Add(p, text)
		}
	}
	f.Fuzz(func(t *testing.T, text, s string) {
		want, wantErr := regexp.Compile(text)
		got, err := Compile(text)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("Compile(%q): %v, want %v", text, err, wantErr)
		}
		if err == nil && got.MatchString(s) != want.MatchString(s) {
			t.Errorf("%q in %q: %v", text, s, got.MatchString(s))
		}
	})
}

// The patterns that schemas use most have an automaton, and running it does not
// allocate.
func TestUsualPatternsHaveAutomata(t *testing.T) {
	for _, text := range patterns[:2] {
		p, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if p.automaton == nil {
			t.Errorf("%s has no automaton", text)
		}
		allocs.AtMost(t, 0, text, func() { p.MatchString("example.com") })
	}
}

func BenchmarkMatchString(b *testing.B) {
	const name = "gateway.networking.k8s.io"
	ours, err := Compile(patterns[0])
	if err != nil {
		b.Fatal(err)
	}
	general := regexp.MustCompile(patterns[0])
	b.Run("automaton", func(b *testing.B) {
		for b.Loop() {
			ours.MatchString(name)
		}
	})
	b.Run("regexp", func(b *testing.B) {
		for b.Loop() {
			general.MatchString(name)
		}
	})
}

// A class of many runes counts once, however often it occurs; an instruction
// takes more than its runes.
func TestSize(t *testing.T) {
	size := func(text string) int {
		p, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		return p.Size()
	}
	one, many := size(`\pL`), size(`\pL{20}`)
	if runes := 4 * 1000; one < runes || one > 3*runes || many < one+19*100 || many > 3*one {
		t.Errorf("%d bytes once, %d bytes 20 times", one, many)
	}
	if ab := size("ab"); ab != 1600 {
		t.Errorf("%d bytes", ab)
	}
	if a := size(`^a{1000}`); a < 100_000 || a > 200_000 {
		t.Errorf("%d bytes", a)
	}
}
