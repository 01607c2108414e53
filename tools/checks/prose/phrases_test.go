package prose

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// phrases leads from a phrase to the words that say the same plainly.
var phrases = []struct{ pattern, write string }{
	{`(tell|say)s? whether`, "reports whether"},
	{`what (came|comes|becomes|became) of|came of it`, "the result, the outcome"},
	{`has to say|sees? to (it|that)?`, "returns, records, rejects"},
	{`makes of`, "the verb that says what is done"},
	{`(is|are) told|told by`, "is returned, is reported, by"},
	{`(tell|say)s of`, "reports, describes"},
	{`whoever|nobody|for who (asks|has|knows)`, "callers that …, no caller"},
	{`who (wants|generates|asks|has)`, "callers that …, users who …"},
	{`anew`, "again"},
	{`besides?`, "next to, alongside, compared with, except"},
	{`(or else it|if it|that|there|what) is none`, "otherwise; if there is no …"},
	{`is none of`, "is not a …"},
	{`(of )?no use`, "not usable, unused"},
	{`[,;:] for (it|its|they|he|there|what|nobody|those|no|nothing)`, "because, since"},
}

var (
	banned = compilePhrases()
	// quoted is what a text quotes: code, and words that are not its own.
	quoted = regexp.MustCompile("`[^`]*`|\"[^\"]*\"")
)

func compilePhrases() *regexp.Regexp {
	var patterns []string
	for _, p := range phrases {
		patterns = append(patterns, `\b(`+p.pattern+`)\b`)
	}
	text := strings.ReplaceAll(strings.Join(patterns, "|"), `\b([,;:]`, `([,;:]`)
	return regexp.MustCompile(`(?i)` + text)
}

// findPhrases returns a message for every phrase in a text. at names its place.
func findPhrases(at int, text string) []string {
	var found []string
	plain := quoted.ReplaceAllString(strings.Join(strings.Fields(text), " "), "…")
	for _, phrase := range banned.FindAllString(plain, -1) {
		found = append(found, fmt.Sprintf("%d: «%s»: write %s", at, phrase, instead(phrase)))
	}
	return found
}

func instead(phrase string) string {
	for _, p := range phrases {
		if regexp.MustCompile(`(?i)^(` + p.pattern + `)$`).MatchString(phrase) {
			return p.write
		}
	}
	return "it plainly"
}

// phrasesIn returns a message for every phrase in the comments of the file.
// Directives are not text.
func (f *goFile) phrasesIn() []string {
	var found []string
	for _, group := range f.syntax.Comments {
		if isOutput(group) {
			continue
		}
		found = append(found, findPhrases(f.line(group.Pos()), commentText(group))...)
	}
	return found
}

func commentText(group *ast.CommentGroup) string {
	var text strings.Builder
	for _, c := range group.List {
		if !strings.HasPrefix(c.Text, "//go:") {
			text.WriteString(strings.TrimPrefix(c.Text, "//") + "\n")
		}
	}
	return text.String()
}

// markdownPhrases returns a message for every phrase in a document. A phrase
// may continue on the next line; the message names the paragraph's first line.
func markdownPhrases(text []byte) []string {
	var found []string
	var paragraph []string
	prose := markdown(text)
	start := 1
	for number := 1; number <= strings.Count(string(text), "\n")+1; number++ {
		line := prose[number]
		if strings.TrimSpace(line) == "" || line[0] == '|' {
			found = append(found, findPhrases(start, strings.Join(paragraph, " "))...)
			paragraph, start = nil, number
		}
		paragraph = append(paragraph, line)
	}
	return append(found, findPhrases(start, strings.Join(paragraph, " "))...)
}

func TestPhrases(t *testing.T) {
	for text, want := range map[string]int{
		"IsEmpty reports whether the list is empty.":    0,
		"IsEmpty tells\nwhether the list is empty.":     1,
		"It sees to it, for it was told by the caller.": 3,
		"The message \"whoever\" is the server's.":      0,
		"The result is the object, for each version.":   0,
	} {
		if got := findPhrases(1, text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}
