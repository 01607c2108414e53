package objectgen

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/crdsem/crdsem/structural"
)

// Hints are what a rule or a junctor mentions. To keep or break it, a value is
// changed there first.
type Hints struct {
	members  []string // names of fields
	strings  []string
	numbers  []int64
	patterns []string
}

func (h *Hints) sortMembers() {
	slices.Sort(h.members)
	h.members = slices.Compact(h.members)
}

// RuleHints returns the hints of a CEL expression. It reads words and literals
// only, so that it takes rules that do not compile.
func RuleHints(rule string) *Hints {
	h := &Hints{}
	for at := 0; at < len(rule); {
		switch c := rule[at]; {
		case c == '\'' || c == '"':
			raw := at > 0 && (rule[at-1] == 'r' || rule[at-1] == 'R')
			text, length := literal(rule[at:], raw)
			h.addLiteral(rule[:at], text)
			at += length
		case c >= '0' && c <= '9':
			end := wordEnd(rule, at)
			if n, err := strconv.ParseInt(rule[at:end], 10, 64); err == nil {
				h.numbers = append(h.numbers, n)
			}
			at = end
		case c == '_' || unicode.IsLetter(rune(c)):
			end := wordEnd(rule, at)
			h.addWord(rule, at, end)
			at = end
		default:
			at++
		}
	}
	h.sortMembers()
	return h
}

// wordEnd returns the end of the word or number that starts at an index.
func wordEnd(rule string, at int) int {
	isPart := func(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }
	for at < len(rule) && isPart(rune(rule[at])) {
		at++
	}
	return at
}

// literal reads a string literal. It returns the string and the length of the
// literal in the rule. In a raw literal a backslash stands for itself.
func literal(from string, raw bool) (text string, length int) {
	quote := from[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(from, triple) {
		quote = triple
	}
	var out strings.Builder
	for at := len(quote); at < len(from); at++ {
		if strings.HasPrefix(from[at:], quote) {
			return out.String(), at + len(quote)
		}
		if from[at] == '\\' && !raw && at+1 < len(from) {
			at++
		}
		out.WriteByte(from[at])
	}
	return out.String(), len(from)
}

// addLiteral adds a string literal; before is the rule up to it.
func (h *Hints) addLiteral(before, text string) {
	before = strings.TrimRight(before, "rR ")
	if strings.HasSuffix(before, "matches(") {
		h.patterns = append(h.patterns, text)
		return
	}
	h.strings = append(h.strings, text)
}

// addWord adds a word of a rule: the name of a field, or a function that gives
// away what its argument looks like.
func (h *Hints) addWord(rule string, at, end int) {
	word := rule[at:end]
	if strings.HasPrefix(rule[end:], "(") {
		h.strings = append(h.strings, samplesOf[word]...)
		return
	}
	if at > 0 && (rule[at-1] == '.' || rule[at-1] == '?') {
		h.members = append(h.members, unescaped(word))
	}
}

// unescaped returns the name of a field from the identifier in a rule, e.g.
// x-y from x__dash__y.
func unescaped(word string) string {
	word = strings.NewReplacer("__dash__", "-", "__dot__", ".", "__slash__", "/").Replace(word)
	if inner, ok := strings.CutPrefix(word, "__"); ok {
		if inner, ok = strings.CutSuffix(inner, "__"); ok && inner != "" {
			return inner
		}
	}
	return word
}

// junctorHints returns the hints of the branches of a node's junctors.
func junctorHints(s *structural.Schema) *Hints {
	h := &Hints{}
	h.addJunctors(s)
	h.sortMembers()
	return h
}

func (h *Hints) addJunctors(s *structural.Schema) {
	for _, j := range junctorsOf(s) {
		for _, branch := range j.branches {
			h.addBranch(branch)
		}
	}
}

// addBranch adds the keywords of a branch and of the nodes below it.
func (h *Hints) addBranch(branch *structural.Schema) {
	v := branch.Values()
	h.members = append(h.members, v.Required...)
	for _, value := range v.Enum {
		switch value := value.(type) {
		case string:
			h.strings = append(h.strings, value)
		case int64:
			h.numbers = append(h.numbers, value)
		}
	}
	for _, limit := range []*float64{v.Minimum, v.Maximum, v.MultipleOf} {
		if limit != nil {
			h.numbers = append(h.numbers, toInt(*limit))
		}
	}
	if v.Pattern != "" {
		h.patterns = append(h.patterns, v.Pattern)
	}
	if samples, ok := formatSamples(v.Format); ok {
		h.strings = append(append(h.strings, samples.Matching...), samples.Others...)
	}
	for name, property := range branch.Properties() {
		h.members = append(h.members, name)
		h.addBranch(property)
	}
	if items := branch.Items(); items != nil {
		h.addBranch(items)
	}
	h.addJunctors(branch)
}
