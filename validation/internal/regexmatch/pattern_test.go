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

// All patterns of up to four pieces have the results of Go's regexp on all
// short strings, others on all characters. An automaton decides strings in
// ASCII.
func TestShortPatterns(t *testing.T) {
	pieces := []string{"a", ".", "^", "$", "*", "|", "(", ")", "[^a]", "(?i)", "é"}
	words := products([]string{"a", "b", "A", "\n", "é"}, 3)
	for _, text := range products(pieces, 4) {
		compareWithGo(t, text, words)
	}
	characters := []string{"\u017f", "\u212a", "\u2126", "\U0010ffff"}
	for c := range rune(0x120) {
		characters = append(characters, string(c), string([]byte{byte(c)}), "a"+string(c))
	}
	for _, text := range append(patterns,
		"(?i)s", "(?i)[j-l]", "(?i)é", "(?i)ω", `[\x00-\x{10ffff}]`, `[\x7e-\x{81}]`, `[^\x00-\x7e]`,
		`[\x00a\x7f]`, `[^\x7f]`, `.$`, `^[b-dB-D]{1,2}$`, `(^.|a)b?$`, `(a|b$)*$`, `(a$|b)+`, `^(^a)*b$`,
	) {
		compareWithGo(t, text, characters)
	}
}

func compareWithGo(t *testing.T, text string, words []string) {
	t.Helper()
	p, err := Compile(text)
	if err != nil {
		return
	}
	general := regexp.MustCompile(text)
	for _, word := range words {
		got, want := p.MatchString(word), general.MatchString(word)
		found, decided := want, true
		if p.automaton != nil {
			found, decided = p.automaton.match(word)
		}
		isASCII := !strings.ContainsFunc(word, func(r rune) bool { return r >= ascii })
		if got != want || decided && found != want || !decided && isASCII {
			t.Errorf("%q in %q: %t, by the automaton %t, %t", text, word, got, found, decided)
		}
	}
}

// products returns all sequences of up to most pieces.
func products(pieces []string, most int) []string {
	all := []string{""}
	for last := all; most > 0; most-- {
		var next []string
		for _, text := range last {
			for _, piece := range pieces {
				next = append(next, text+piece)
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

// A pattern has an automaton unless it matches every string, has an assertion
// other than the beginning and the end, or is too large. The automaton decides
// as soon as more characters cannot change the result.
func TestAutomata(t *testing.T) {
	nested := func(n int, text string) string {
		return "^" + strings.Repeat("(", n) + text + strings.Repeat(")", n)
	}
	type answer struct{ found, decided bool }
	yes, no, open := answer{true, true}, answer{false, true}, answer{}
	none := map[string]answer(nil)
	for text, want := range map[string]map[string]answer{
		"": none, "a*": none, "^": none, "(a|^)": none, `\b`: none, `a\B`: none, "(?m)a$": none,
		"(?m)^a": none, "(a|^)b": {"é": open, "b": yes, "ab": yes, "a": no, "cbé": open},
		"$": {"": yes, "é": open}, "^$": {"": yes, "a": no, "aé": no, "é": open},
		"$^": {"": yes, "a": no, "aé": open}, "a$^": {"": no, "a": no, "é": open},
		"a":              {"": no, "b": no, "é": open, "bé": open, "aé": yes},
		"^a":             {"": no, "aé": yes, "bé": no, "é": open},
		"^ab$":           {"aé": open, "baé": no, "ab": yes, "abé": open, "abaé": no},
		nested(198, "a"): {"a": yes}, nested(198, "ab"): none,
		"^a{248}": {"a": no}, "^a{249}": none,
	} {
		p, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if (p.automaton != nil) != (want != nil) {
			t.Errorf("%q has an automaton: %t", text, p.automaton != nil)
			continue
		}
		for word, want := range want {
			found, decided := p.automaton.match(word)
			if got := (answer{found, decided}); got != want {
				t.Errorf("%q in %q: %+v, want %+v", text, word, got, want)
			}
		}
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
	// Characters, states by classes, states, instructions, runes.
	const fixed, instruction, r = 1024, 100, 4
	for text, want := range map[string]int{
		"ab":       ascii + 5*7 + 5 + fixed + 4*instruction + 2*r,
		"[a-c]":    ascii + 4*3 + 4 + fixed + 3*instruction + 2*r,
		"[a-cx-z]": ascii + 4*5 + 4 + fixed + 3*instruction + 4*r,
		"^a":       ascii + 3*5 + 3 + fixed + 4*instruction + 1*r, // a dead state
		"a$":       ascii + 5*5 + 5 + fixed + 4*instruction + 1*r,
		`\b`:       fixed + 3*instruction,
	} {
		if got := size(text); got != want {
			t.Errorf("%s: %d bytes, want %d", text, got, want)
		}
	}
	if a := size(`^a{1000}`); a < 100_000 || a > 200_000 {
		t.Errorf("%d bytes", a)
	}
}
