package relang_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crdsem/crdsem/internal/base/relang"
)

func of(patterns ...string) relang.Language { return relang.Language{Patterns: patterns} }

func bounded(low, high int64, patterns ...string) relang.Language {
	return relang.Language{Patterns: patterns, MinLength: &low, MaxLength: &high}
}

const (
	label     = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	subdomain = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
)

func TestDifference(t *testing.T) {
	for _, c := range []struct {
		name      string
		in, notIn relang.Language
		found     bool
		word      string
	}{
		{"equal", of("^a+$"), of("^aa*$"), false, ""},
		{"an anchor binds to a branch", of(`^(([0-9]+(s|m|h))+)|(Never)$`),
			of(`^(([0-9]+(s|m|h))+|Never)$`), true, "0h0"},
		{"the other way round", of(`^(([0-9]+(s|m|h))+|Never)$`),
			of(`^(([0-9]+(s|m|h))+)|(Never)$`), false, ""},
		{"an end anchor", of("^[a-z]+"), of("^[a-z]+$"), true, "a0"},
		{"repetition", of("^[a-z]{1,20}$"), of("^[a-z]{1,19}$"), true, strings.Repeat("a", 20)},
		{"repetition within a length", bounded(0, 19, "^[a-z]{1,20}$"),
			of("^[a-z]{1,19}$"), false, ""},
		{"all strings", relang.Language{}, of("^[^!]*$"), true, "!"},
		{"a label is a subdomain", of(label), of(subdomain), false, ""},
		{"a subdomain is no label", of(subdomain), of(label), true, "a.a"},
		{"a search", of("ab"), of("b"), false, ""},
		{"flags", of("(?i)^k$"), of("^k$"), true, "K"},
		{"a dot", of("(?s)^.$"), of("^.$"), true, "\n"},
		{"lines", of("(?m)^a$"), of("^a$"), true, "a\n"},
		{"word boundaries", of(`\bfoo\b`), of(`foo`), false, ""},
		{"no word boundary", of(`foo`), of(`\bfoo\b`), true, "0foo"},
		{"Unicode", of(`^\p{L}$`), of(`^\pL$`), false, ""},
		{"Greek letters", of(`^\p{L}$`), of(`^\p{Latin}$`), true, "º"},
		{"two patterns", of("^[a-z]*$", "x"), of("^[a-wyz]*$"), true, "x"},
		{"none of two", of("^a*$", "b"), of("^c$"), false, ""},
		{"a pattern that does not compile", of("("), of("^c$"), false, ""},
		{"against one", of("^c?$"), of("("), true, ""},
		{"lengths", bounded(0, 9), bounded(0, 5), true, "aaaaaa"},
		{"longer lengths", bounded(2, 5), bounded(0, 9), false, ""},
		{"shortest lengths", bounded(1, 5), bounded(2, 5), true, "a"},
		{"a pattern bounds the length", of("^a{3,5}$"), bounded(0, 5), false, ""},
		{"no string", bounded(0, 2, "^a{3}$"), bounded(9, 9), false, ""},
		{"a code point is one", bounded(1, 1, "^é*$"), bounded(0, 1), false, ""},
	} {
		got := relang.Difference(t.Context(), c.in, c.notIn)
		if !got.Decided || got.Found != c.found || len(got.Word) != len(c.word) {
			t.Errorf("%s: got %+v, want %q", c.name, got, c.word)
		}
	}
}

func TestShortest(t *testing.T) {
	for _, c := range []struct {
		name  string
		of    relang.Language
		found bool
		word  string
	}{
		{"a pattern", of("^[a-z]{3}-[0-9]+$"), true, "aaa-0"},
		{"nothing", of("a^"), false, ""},
		{"a letter rather than a control character", of("^[^b]$"), true, "a"},
		{"two patterns", of("^a*$", "aa"), true, "aa"},
		{"patterns that exclude each other", of("^a+$", "^b+$"), false, ""},
		{"a length", bounded(4, 9, "^[ab]+$"), true, "aaaa"},
		{"no such length", bounded(0, 2, "^a{3}$"), false, ""},
		{"a length alone", bounded(2, 9), true, "aa"},
	} {
		got := relang.Shortest(t.Context(), c.of)
		if !got.Decided || got.Found != c.found || got.Word != c.word {
			t.Errorf("%s: got %+v, want %q", c.name, got, c.word)
		}
	}
}

// What is large is undecided, or decided without a string.
func TestBudget(t *testing.T) {
	old := of(`^(a|b){500,1000}(c{1000})(\d{1000})$`)
	low := int64(100_000)
	changed := relang.Language{Patterns: []string{`^(a|b){500,1000}(c{999})$`}, MinLength: &low}
	if got := relang.Difference(t.Context(), old, changed); !got.Found {
		t.Errorf("got %+v", got)
	}
	// An automaton of these has 2^900 states.
	many, others := of("^(a|b)*a(a|b){900}$"), of("^(a|b)*b(a|b){900}$")
	if got := relang.Difference(t.Context(), many, others); got.Decided {
		t.Errorf("got %+v", got)
	}
	got := relang.Difference(t.Context(), bounded(0, 2e9), bounded(0, 1e9))
	if !got.Found || !got.Long {
		t.Errorf("got %+v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got = relang.Difference(ctx, of("^(a|b)*a(a|b){90}$"), of("^(a|b)*b(a|b){900}$"))
	if got.Decided {
		t.Errorf("after the end of the context: %+v", got)
	}
}

// A comparison says what a search through short strings says.
func FuzzDifference(f *testing.F) {
	f.Add("^a+$", "^aa*$", uint8(0), uint8(9))
	f.Add(`\bfoo`, `(?m)^b$|.\B`, uint8(1), uint8(4))
	f.Add(`(?i)k|(ab)*$`, `\p{L}0?`, uint8(0), uint8(2))
	f.Add("^(([0-9]+(s|m|h))+)|(Never)$", "^[^!]*$", uint8(2), uint8(3))
	words := shortWords("ab0 \nkK.é", 4)
	f.Fuzz(func(t *testing.T, in, notIn string, low, high uint8) {
		if len(in)+len(notIn) > 60 || !utf8.ValidString(in+notIn) {
			return
		}
		a, err := regexp.Compile(in)
		if err != nil {
			return
		}
		b, err := regexp.Compile(notIn)
		if err != nil {
			return
		}
		isIn := func(word string) bool {
			n := utf8.RuneCountInString(word)
			return n >= int(low) && n <= int(high) && a.MatchString(word) && !b.MatchString(word)
		}
		got := relang.Difference(t.Context(), bounded(int64(low), int64(high), in), of(notIn))
		if got.Found && !isIn(got.Word) {
			t.Fatalf("%q of %q is not in the difference to %q", got.Word, in, notIn)
		}
		for _, word := range words {
			if got.Decided && isIn(word) && (!got.Found ||
				utf8.RuneCountInString(got.Word) > utf8.RuneCountInString(word)) {
				t.Fatalf("got %+v, but there is %q", got, word)
			}
		}
	})
}

// shortWords returns the strings over some letters up to a length.
func shortWords(letters string, length int) []string {
	words := []string{""}
	last := words
	for range length {
		var next []string
		for _, word := range last {
			for _, letter := range letters {
				next = append(next, word+string(letter))
			}
		}
		words, last = append(words, next...), next
	}
	return words
}
