package relang_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crdsem/crdsem/internal/kit/relang"
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
			of(`^(([0-9]+(s|m|h))+|Never)$`), true, "0ha"},
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
		{"lines", of("(?m)^a$"), of("^a$"), true, "\na"},
		{"word boundaries", of(`\bfoo\b`), of(`foo`), false, ""},
		{"no word boundary", of(`foo`), of(`\bfoo\b`), true, "afoo"},
		{"Unicode", of(`^\p{L}$`), of(`^\pL$`), false, ""},
		{"Greek letters", of(`^\p{L}$`), of(`^\p{Latin}$`), true, "µ"},
		{"two patterns", of("^[a-z]*$", "x"), of("^[a-wyz]*$"), true, "x"},
		{"none of two", of("^a*$", "b"), of("^c$"), false, ""},
		{"a pattern that does not compile", of("("), of("^c$"), false, ""},
		{"against one", of("^c?$"), of("("), true, ""},
		{"every character", of("(?s)^.$"),
			of(`^([\x00-\x{d7ff}]x?|[\x{e000}-\x{10ffff}]y?)$`), false, ""},
		{"lengths", bounded(0, 9), bounded(0, 5), true, "aaaaaa"},
		{"longer lengths", bounded(2, 5), bounded(0, 9), false, ""},
		{"shortest lengths", bounded(1, 5), bounded(2, 5), true, "a"},
		{"a pattern bounds the length", of("^a{3,5}$"), bounded(0, 5), false, ""},
		{"no string", bounded(0, 2, "^a{3}$"), bounded(9, 9), false, ""},
		{"a code point is one", bounded(1, 1, "^é*$"), bounded(0, 1), false, ""},
	} {
		got := relang.Difference(t.Context(), c.in, c.notIn)
		if !got.Decided || got.Found != c.found || got.Word != c.word {
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
		{"a word character apart from letters", of(`^[^a-zA-Z0-9]\b$`), true, "_"},
		{"a line feed by its meaning", of("(?m)^[^a-z ]^"), true, "\n"},
		{"surrogates are not characters", of(`^[\x{d800}-\x{dfff}]$`), false, ""},
		{"a long pattern", of("^a{300}b{300}$"), true,
			strings.Repeat("a", 300) + strings.Repeat("b", 300)},
		{"a longer pattern", of("^" + strings.Repeat("a{1000}", 66) + "b$"), true,
			strings.Repeat("a", 66_000) + "b"},
	} {
		got := relang.Shortest(t.Context(), c.of)
		if !got.Decided || got.Found != c.found || got.Word != c.word {
			t.Errorf("%s: got %.50v, want %.50q", c.name, got, c.word)
		}
	}
}

// A string has of each letter the character that is best shown.
func TestBestCharacter(t *testing.T) {
	for class, want := range map[string]string{
		"a0": "a", "z0": "z", "`0": "0", "{0": "0",
		"0A": "0", "9A": "9", "/A": "A", ":A": "A",
		"A!": "A", "Z!": "Z", "@!": "!", `\[!`: "!",
		"! ": "!", "~ ": "~", "\x7f ": " ", "\x1f ": " ",
		" ¡": " ", "\u00a0¡": "¡", "¡\ue000": "¡", "\ud7ff\ue000": "\ud7ff",
		"\u00a0\ue000": "\ue000", "\u00a0\U0010ffff": "\U0010ffff",
		"\u009f\u00a0": "\u009f", "\x00-\x1f": "\x00", "\x7f\u00a0": "\x7f",
		"^a": "b", "^a-z": "0", "^a-z0-9": "A", "^a-z0-9A-Z": "!", "^!-~": " ",
		"^ -~": "¡", "^ -~¡-\ud7ff": "\ue000", "^\x00-\ud7ff": "\ue000",
		"^\x00-\U0010fffe": "\U0010ffff",
	} {
		got := relang.Shortest(t.Context(), of("^["+class+"]$"))
		if want := (relang.Outcome{Decided: true, Found: true, Word: want}); got != want {
			t.Errorf("[%s]: got %+v, want %+v", class, got, want)
		}
	}
}

// A string is built up to a length of 65536. One that any letters make may be
// longer.
func TestLongWords(t *testing.T) {
	const longest = 1 << 16
	found := func(word string) relang.Outcome {
		return relang.Outcome{Decided: true, Found: true, Word: word}
	}
	atLeast := func(low int64, patterns ...string) relang.Language {
		return relang.Language{Patterns: patterns, MinLength: &low}
	}
	atMost := func(high int64, patterns ...string) relang.Language {
		return relang.Language{Patterns: patterns, MaxLength: &high}
	}
	none := relang.Outcome{Decided: true}
	long := relang.Outcome{Decided: true, Found: true, Long: true}
	for _, c := range []struct {
		name      string
		in, notIn relang.Language
		want      relang.Outcome
	}{
		{"the longest", atLeast(longest), of("("), found(strings.Repeat("a", longest))},
		{"the longest of any letters", atLeast(longest), atMost(1),
			found(strings.Repeat("a", longest))},
		{"a longer one", atLeast(longest + 1), atMost(1), long},
		{"the longest of a pattern", atLeast(longest, "^b*$"), atMost(1),
			found(strings.Repeat("b", longest))},
		{"a longer one of a pattern", atLeast(longest+1, "^b*$"), atMost(1), relang.Outcome{}},
		{"a short one after a long one", relang.Language{}, atMost(longest, "^a*$"), found("b")},
		{"a long one after a short one", atLeast(1), bounded(5, longest), found("a")},
		{"a short one after an undecided one", of("^[ab]*$"), atMost(longest, "^a*$"), found("b")},
		{"an undecided one after a short one", of("^a*$"), bounded(1, longest), found("")},
		{"undecided and none", of("^a*$"), atMost(longest, "a*"), relang.Outcome{}},
		{"no bounds", of("^a*$"), relang.Language{}, none},
		{"a negative bound", atLeast(-5, "^a*$"), of("a"), found("")},
		{"a negative bound below", atLeast(0, "^a*$"), atLeast(-5), none},
		{"a negative bound above", atMost(-1), of("a"), none},
		{"the first of equal length", of("^(a|b)$"), of("^a$", "^b$"), found("b")},
		{"the shorter of two", of("^(bb|aaa)$"), of("^b*$", "^a*$"), found("bb")},
		{"the shorter of two, first", of("^(bb|aaa)$"), of("^a*$", "^b*$"), found("bb")},
	} {
		if got := relang.Difference(t.Context(), c.in, c.notIn); got != c.want {
			got.Word = strings.Clone(got.Word[:min(len(got.Word), 9)])
			t.Errorf("%s: got %+v", c.name, got)
		}
	}
	patterns := []string{"^a$", "^b$"}
	relang.Difference(t.Context(), of(patterns[:1]...), of("^c$"))
	if patterns[1] != "^b$" {
		t.Errorf("the argument was changed: %q", patterns)
	}
}

func TestSize(t *testing.T) {
	for pattern, want := range map[string]int{"(": 0, "": 3, "a": 3, "^a$": 5, "a{3}": 5} {
		if got := relang.Size(pattern); got != want {
			t.Errorf("%q: %d, want %d", pattern, got, want)
		}
	}
}

// The difference of two patterns, also within bounds of the length, is that of
// a search through short strings.
func TestDifferenceOfAll(t *testing.T) {
	words := shortWords("ab0_ \nkK\u212aAé", 4)
	patterns := []string{
		"", "a", "^a", "a$", "^a*$", "^(a|b)*$", "^[^a]$", "(?i)^k+$", "(?s)^.{2}$", "^.{2}$",
		"(?m)^a$", `(?m)a$\n`, `(?m)^$`, `\bb`, `b\b`, `\Ba`, `^\W\b`, `\b_\b`, `^(ab?)+$`,
		"^(a{2}|b{3})$", "a^", `\p{L}`, `^\w+$`, `(?i)^[k]a?$`, `\Aa\z`, "[^é]", "(a|^)b", "a??b$",
		"^(a*|b)*$", `^[^a]\b`, `(?m)[^a]^`, `(?i)\x{212a}$`,
	}
	matches := make([][]bool, len(patterns))
	for i, pattern := range patterns {
		compiled := regexp.MustCompile(pattern)
		for _, word := range words {
			matches[i] = append(matches[i], compiled.MatchString(word))
		}
	}
	for i, in := range patterns {
		for j, notIn := range patterns {
			for low := range int64(4) {
				want := slices.IndexFunc(words, func(word string) bool {
					return int64(utf8.RuneCountInString(word)) >= low
				})
				for want < len(words) && (!matches[i][want] || matches[j][want]) {
					want++
				}
				got := relang.Difference(t.Context(), bounded(low, 4, in), of(notIn))
				if got.Found != (want < len(words)) || !got.Decided {
					t.Errorf("%q without %q from %d on: got %+v", in, notIn, low, got)
				} else if got.Found {
					compareWords(t, in, notIn, got.Word, words[want])
				}
			}
		}
	}
}

// compareWords checks that a string is in the difference of two patterns, and
// as long as the shortest one.
func compareWords(t *testing.T, in, notIn, got, shortest string) {
	t.Helper()
	isIn := regexp.MustCompile(in).MatchString(got) && !regexp.MustCompile(notIn).MatchString(got)
	if !isIn || utf8.RuneCountInString(got) != utf8.RuneCountInString(shortest) {
		t.Errorf("%q without %q: got %q, but there is %q", in, notIn, got, shortest)
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
	large := of("^(a|b)*a(a|b){8}$")
	if got = relang.Difference(ctx, large, large); got.Decided {
		t.Errorf("after the end of the context: %+v", got)
	}
	if got = relang.Difference(t.Context(), large, large); !got.Decided || got.Found {
		t.Errorf("before the end of the context: %+v", got)
	}
	if got = relang.Difference(ctx, of("^a$"), of("^a$")); !got.Decided || got.Found {
		t.Errorf("a quick comparison after the end of the context: %+v", got)
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
