package spec

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed *.md
var files embed.FS

// Chapter is one chapter of the specification.
type Chapter struct {
	// File is the name of the chapter's file, e.g. "pruning.md".
	File string
	// Title is the heading of the chapter, e.g. "Pruning".
	Title string
	// Text is the chapter in Markdown, the rules included.
	Text string
	// Rules are the rules of the chapter, in the order of the text.
	Rules []Rule
}

// Rule is one rule of the specification.
type Rule struct {
	// ID is the rule's id, e.g. "PRN-003". It never changes.
	ID string
	// Title is the rule in a few words.
	Title string
	// Summary is a sentence in Markdown for a person who met the rule: what is
	// wrong, and what to do. It is empty for functions, merging and columns.
	Summary string
	// Statement is the rule in Markdown, without its summary, its example and
	// its sources.
	Statement string
	// Vector is the id of the conformance vector that the example shows; empty
	// if no request can show the rule.
	Vector string
	// Example is the example in Markdown; empty if Vector is.
	Example string
	// Source names the function of the real code, or the document, that the
	// rule comes from.
	Source string
	// Since is the first Kubernetes minor in which the rule holds, e.g. "1.33".
	// It is empty if the rule holds in every minor that is covered.
	Since string
	// File is the chapter's file.
	File string
}

// Link returns the place of the rule in the repository, e.g.
// "conformance/spec/pruning.md#PRN-003".
func (r Rule) Link() string { return "conformance/spec/" + r.File + "#" + r.ID }

// Prefix returns the part of the id before the dash, e.g. "PRN".
func (r Rule) Prefix() string {
	prefix, _, _ := strings.Cut(r.ID, "-")
	return prefix
}

// chapters reads the book once.
var chapters = sync.OnceValue(func() []Chapter {
	names, _ := fs.Glob(files, "*.md") // the pattern is well-formed
	list := make([]Chapter, 0, len(names))
	for _, name := range names {
		text, _ := files.ReadFile(name) // the file is embedded
		if c := parse(name, string(text)); len(c.Rules) > 0 {
			list = append(list, c)
		}
	}
	return list
})

// Chapters returns the chapters that have rules, by the names of their files.
// The result is the caller's.
func Chapters() []Chapter { return slices.Clone(chapters()) }

// Find returns the rule of an id. Without one, it returns a rule whose id
// differs in case only.
func Find(id string) (rule Rule, ok bool) {
	for _, c := range chapters() {
		for _, r := range c.Rules {
			if r.ID == id {
				return r, true
			}
			if !ok && strings.EqualFold(r.ID, id) {
				rule, ok = r, true
			}
		}
	}
	return rule, ok
}

// Group returns the rules of a prefix, e.g. "PRN", in the order of the text.
func Group(prefix string) []Rule {
	var rules []Rule
	for _, c := range chapters() {
		for _, r := range c.Rules {
			if strings.EqualFold(r.Prefix(), prefix) {
				rules = append(rules, r)
			}
		}
	}
	return rules
}
