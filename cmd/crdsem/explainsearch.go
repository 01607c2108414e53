package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/conformance/spec"
)

// mostFound is how many rules a search lists.
const mostFound = 10

// searchable is a rule with the words of its parts: code has what stands in
// code style, e.g. texts of errors.
type searchable struct {
	rule                            rules.Rule
	title, code, summary, statement string
}

// inCode is a part of a text in code style.
var inCode = regexp.MustCompile("`[^`]+`")

// searchables are the rules of the book and the checks of lint.
var searchables = sync.OnceValue(func() []searchable {
	all := rules.Checks()
	for _, c := range spec.Chapters() {
		for _, r := range c.Rules {
			all = append(all, rules.Specified(r))
		}
	}
	list := make([]searchable, len(all))
	for i, r := range all {
		list[i] = searchable{
			rule: r, title: plainWords(r.Title), summary: plainWords(r.Summary),
			statement: plainWords(r.Statement),
		}
		for _, text := range inCode.FindAllString(r.Statement, -1) {
			list[i].code += plainWords(text) + ". "
		}
	}
	return list
})

// plainWords returns the words of a text in small letters, with a space before
// and behind each. Words without a letter, e.g. numbers, are left out.
func plainWords(text string) string {
	var b strings.Builder
	b.WriteString(" ")
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), isSeparator) {
		if strings.ContainsFunc(word, unicode.IsLetter) {
			b.WriteString(word)
			b.WriteString(" ")
		}
	}
	return b.String()
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '$' }

// place returns how much a word counts in the rule: most in the title.
func (s *searchable) place(word string) float64 {
	switch {
	case strings.Contains(s.title, word):
		return 4
	case strings.Contains(s.code, word):
		return 3
	case strings.Contains(s.summary, word):
		return 2
	case strings.Contains(s.statement, word):
		return 1
	}
	return 0
}

// find is a rule that has words that were searched.
type find struct {
	rule     rules.Rule
	words    int
	isPhrase bool // an error has the words next to each other
	score    float64
}

// rank returns 0 for a rule with the words in an error, 1 for a check of lint,
// and 2 for any other rule.
func (f *find) rank() int {
	switch {
	case f.isPhrase:
		return 0
	case f.rule.Prefix() == "LINT":
		return 1
	}
	return 2
}

// search returns the rules that have the most of some words, or of the
// beginnings of words. Rare words count more than frequent ones, and words next
// to each other in an error most; checks of lint come next. It finds nothing if
// no rule has half of the words, or if a single name, e.g. list-type, occurs
// nowhere.
func search(args []string) (topic, bool) {
	query := strings.Join(args, " ")
	var finds []find
	phrase := plainWords(query)
	words := slices.Compact(slices.Sorted(strings.FieldsSeq(phrase)))
	if len(words) == 0 {
		return topic{}, false
	}
	rarity := make([]float64, len(words))
	for i, word := range words {
		rarity[i] = rarityOf(" " + word)
	}
	all := searchables()
	for i := range all {
		f := find{rule: all[i].rule}
		for j, word := range words {
			if place := all[i].place(" " + word); place > 0 {
				f.words++
				f.score += place * rarity[j]
			}
		}
		if strings.Contains(all[i].code, phrase) {
			f.score += 100
			f.isPhrase = len(words) > 1
		}
		isName := !strings.Contains(query, " ")
		if 2*f.words >= len(words) && (!isName || all[i].place(phrase) > 0) {
			finds = append(finds, f)
		}
	}
	slices.SortStableFunc(finds, func(a, b find) int {
		return cmp.Or(b.words-a.words, a.rank()-b.rank(), cmp.Compare(b.score, a.score))
	})
	return found(query, finds)
}

// rarityOf returns one divided by the number of rules that have a word.
func rarityOf(word string) float64 {
	n := 0
	all := searchables()
	for i := range all {
		if all[i].place(word) > 0 {
			n++
		}
	}
	return 1 / float64(max(n, 1))
}

// found returns the best finds: those that have as many words as the first.
func found(query string, finds []find) (topic, bool) {
	if len(finds) == 0 {
		return topic{}, false
	}
	finds = slices.DeleteFunc(finds, func(f find) bool { return f.words < finds[0].words })
	t := topic{words: query, more: max(0, len(finds)-mostFound)}
	for _, f := range finds[:min(len(finds), mostFound)] {
		t.rules = append(t.rules, f.rule)
	}
	return t, true
}

// foundText lists rules with what they mean.
func (t topic) foundText(b *strings.Builder) {
	fmt.Fprintf(b, "Rules about %q:\n", t.words)
	for _, r := range t.rules {
		fmt.Fprintf(b, "\n%s: %s\n", r.ID, r.Title)
		if r.Summary != "" {
			writeMarkdown(b, r.Summary+"\n")
		}
	}
	if t.more > 0 {
		fmt.Fprintf(b, "\n%s more; use more words.\n", count(t.more, "rule"))
	}
	fmt.Fprintf(b, "\ncrdsem explain %s prints the first one.\n", t.rules[0].ID)
}
