package spec_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conformance/spec"
)

func chaptersOf(t *testing.T) []spec.Chapter {
	t.Helper()
	chapters := spec.Chapters()
	if len(chapters) == 0 {
		t.Fatal("the specification has no chapter")
	}
	return chapters
}

// rulesOf reads the ids of conformance/vectors/rules.txt, and which of them
// have a reason why no vector shows them.
func rulesOf(t *testing.T) (ids []string, unshown map[string]bool) {
	t.Helper()
	text, err := os.ReadFile("../vectors/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	unshown = map[string]bool{}
	for line := range strings.Lines(string(text)) {
		id, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id == "" || strings.HasPrefix(id, "#") {
			continue
		}
		ids = append(ids, id)
		unshown[id] = reason != ""
	}
	return ids, unshown
}

// The book, rules.txt and the vectors have the same rules, each once.
func TestRules(t *testing.T) {
	ids, unshown := rulesOf(t)
	seen := map[string]string{}
	for _, c := range chaptersOf(t) {
		for _, r := range c.Rules {
			if where, again := seen[r.ID]; again {
				t.Errorf("%s: %s stands in %s already", c.File, r.ID, where)
			}
			seen[r.ID] = c.File
			if !slices.Contains(ids, r.ID) {
				t.Errorf("%s: rules.txt does not have %s", c.File, r.ID)
			}
			checkRule(t, r, unshown[r.ID])
		}
	}
	for _, id := range ids {
		if seen[id] == "" {
			t.Errorf("no chapter has %s", id)
		}
	}
}

// notMet are the prefixes of rules that no object or definition breaks:
// functions of CEL, merging, printer columns, mixed vectors.
var notMet = []string{"LIB", "MRG", "COL", "MIX"}

// Each rule that an object or a definition can meet begins with a sentence for
// a person.
func checkRule(t *testing.T, r spec.Rule, unshown bool) {
	t.Helper()
	if r.Statement == "" || r.Source == "" {
		t.Errorf("%s: %s needs a statement and a source", r.File, r.ID)
	}
	if (r.Summary == "") != slices.Contains(notMet, r.Prefix()) || len(r.Summary) > 300 {
		t.Errorf("%s: %s: the paragraph that begins with In short is %q", r.File, r.ID, r.Summary)
	}
	if (r.Vector == "") != unshown {
		t.Errorf("%s: %s: example %q, shown by rules.txt: %v", r.File, r.ID, r.Vector, !unshown)
	}
}

var (
	mention = regexp.MustCompile(`\b(?:CEL|COL|CONV|COST|CRD|DEF|LIB|LST|META|MRG|PIPE|PRN|RAT|STR|VAL|VER)-\d{3}\b`)
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
)

// Every rule that the Go files or the documents name is in the book.
func TestCitedRulesExist(t *testing.T) {
	known := map[string]bool{}
	for _, c := range chaptersOf(t) {
		for _, r := range c.Rules {
			known[r.ID] = true
		}
	}
	cited := 0
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		ending := filepath.Ext(path)
		if err != nil || d.IsDir() || ending != ".go" && ending != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, id := range mention.FindAllString(string(text), -1) {
			cited++
			if !known[id] {
				t.Errorf("%s names %s, which no chapter has", path, id)
			}
		}
		return err
	})
	if err != nil || cited == 0 {
		t.Fatalf("%d rules cited, %v", cited, err)
	}
}

// Each rule is found by its id, and in small letters one like it.
func TestFindEach(t *testing.T) {
	for _, c := range chaptersOf(t) {
		if len(c.Rules) == 0 || c.Title == "" || strings.Contains(c.Title, "\n") ||
			!strings.Contains(c.Text, "# "+c.Title+"\n") {
			t.Errorf("%s: the title is %q", c.File, c.Title)
		}
		for _, r := range c.Rules {
			if got, ok := spec.Find(r.ID); got != r || !ok {
				t.Errorf("%s is %q", r.ID, got.ID)
			}
			got, ok := spec.Find(strings.ToLower(r.ID))
			if !strings.EqualFold(got.ID, r.ID) || !ok {
				t.Errorf("%s in small letters is %q", r.ID, got.ID)
			}
		}
	}
	if got, ok := spec.Find("PRN-"); ok || got != (spec.Rule{}) {
		t.Errorf("no rule is %q", got.ID)
	}
}

// Every link of the book resolves.
func TestLinks(t *testing.T) {
	names, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[name] = string(data)
	}
	links := 0
	for name, content := range text {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(content, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(m[1], "#")
			if file == "" {
				file = name
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if anchor != "" && !hasAnchor(text[file], anchor) {
				t.Errorf("%s: %s has no anchor %s", name, file, anchor)
			}
		}
	}
	if links == 0 {
		t.Error("the book has no link")
	}
}

// hasAnchor reports whether a chapter has an explicit anchor or a heading of
// this name.
func hasAnchor(text, anchor string) bool {
	if strings.Contains(text, `<a id="`+anchor+`"></a>`) {
		return true
	}
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "## "); ok && slug(title) == anchor {
			return true
		}
	}
	return false
}

// slug is the anchor of a heading on GitHub.
func slug(title string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(title)))
	return kept
}

func TestFind(t *testing.T) {
	r, ok := spec.Find("ver-005")
	if !ok || r.ID != "VER-005" || r.Link() != "conformance/spec/versions.md#VER-005" {
		t.Errorf("found %+v, %v", r, ok)
	}
	if _, ok := spec.Find("VER-"); ok {
		t.Error("a rule without a number was found")
	}
	if n := len(spec.Group("ver")); n != 9 {
		t.Errorf("%d rules of VER", n)
	}
}
