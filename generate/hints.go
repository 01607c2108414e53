package generate

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// hints are what a rule or a junctor speaks of: what to look at to keep or break it.
type hints struct {
	members  []string // names of members
	texts    []string
	numbers  []int64
	patterns []string
}

// ruleHints reads hints off the text of a rule.
func ruleHints(rule string) *hints {
	h := &hints{}
	for at := 0; at < len(rule); {
		switch c := rule[at]; {
		case c == '\'' || c == '"':
			text, length := literal(rule[at:], at > 0 && (rule[at-1] == 'r' || rule[at-1] == 'R'))
			h.addText(rule[:at], text)
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
	slices.Sort(h.members)
	h.members = slices.Compact(h.members)
	return h
}

// wordEnd returns the end of the word or number that starts at a place.
func wordEnd(rule string, at int) int {
	for at < len(rule) && (rule[at] == '_' || unicode.IsLetter(rune(rule[at])) || unicode.IsDigit(rune(rule[at]))) {
		at++
	}
	return at
}

// literal reads a quoted text and tells how long it is in the rule.
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

// addText takes a literal as a hint; before is the rule's text up to it.
func (h *hints) addText(before, text string) {
	before = strings.TrimRight(before, "rR ")
	if strings.HasSuffix(before, "matches(") {
		h.patterns = append(h.patterns, text)
		return
	}
	h.texts = append(h.texts, text)
}

// libraryTexts are texts that functions of rules take.
var libraryTexts = map[string][]string{
	"duration": {"5s", "1ms", "1h", "3h"}, "url": {"https://example.com/a"}, "isURL": {"https://example.com/a"},
	"isIP": {"10.0.0.1"}, "ip": {"10.0.0.1"}, "isCIDR": {"10.0.0.0/8"}, "cidr": {"10.0.0.0/8"},
	"quantity": {"1", "100m"}, "isQuantity": {"1"}, "dns1123Label": {"a-b"}, "int": {"1", "80"}, "semver": {"1.2.3"}, "timestamp": {"2020-01-01T00:00:00Z"},
}

// addWord takes a word of a rule as a hint: a member's name, or a function that says what texts are about.
func (h *hints) addWord(rule string, at, end int) {
	word := rule[at:end]
	if strings.HasPrefix(rule[end:], "(") {
		h.texts = append(h.texts, libraryTexts[word]...)
		return
	}
	if at > 0 && (rule[at-1] == '.' || rule[at-1] == '?') {
		h.members = append(h.members, unescaped(word))
	}
}

// unescaped returns the name of a member that is escaped in a rule.
func unescaped(word string) string {
	word = strings.NewReplacer("__dash__", "-", "__dot__", ".", "__slash__", "/").Replace(word)
	if inner, ok := strings.CutPrefix(word, "__"); ok {
		if inner, ok = strings.CutSuffix(inner, "__"); ok && inner != "" {
			return inner
		}
	}
	return word
}

// junctorHints collects what the branches of a node's junctors speak of.
func junctorHints(n node) *hints {
	h := &hints{}
	for _, branch := range branchesOf(n) {
		h.addBranch(branch)
	}
	slices.Sort(h.members)
	h.members = slices.Compact(h.members)
	return h
}

// branchesOf lists the branches of a node's junctors.
func branchesOf(n node) []node {
	var branches []node
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, v := range list(n[keyword]) {
			if branch, ok := v.(node); ok {
				branches = append(branches, branch)
			}
		}
	}
	if branch, ok := n["not"].(node); ok {
		branches = append(branches, branch)
	}
	return branches
}

// addBranch takes what a branch and those in it speak of.
func (h *hints) addBranch(branch node) {
	for _, name := range list(branch["required"]) {
		if s, ok := name.(string); ok {
			h.members = append(h.members, s)
		}
	}
	for _, v := range list(branch["enum"]) {
		switch v := v.(type) {
		case string:
			h.texts = append(h.texts, v)
		case int64:
			h.numbers = append(h.numbers, v)
		}
	}
	for _, limit := range []string{"minimum", "maximum", "multipleOf"} {
		if isNumber(branch[limit]) {
			h.numbers = append(h.numbers, toInt(number(branch[limit])))
		}
	}
	if pattern, ok := branch["pattern"].(string); ok {
		h.patterns = append(h.patterns, pattern)
	}
	for _, f := range formats {
		if f.format == branch["format"] {
			h.texts = append(append(h.texts, f.conforming...), f.others...)
		}
	}
	properties, _ := branch["properties"].(node)
	for _, name := range names(properties) {
		h.members = append(h.members, name)
		if property, ok := properties[name].(node); ok {
			h.addBranch(property)
		}
	}
	if items, ok := branch["items"].(node); ok {
		h.addBranch(items)
	}
	for _, inner := range branchesOf(branch) {
		h.addBranch(inner)
	}
}
