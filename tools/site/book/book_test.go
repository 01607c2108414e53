package book

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestWrite(t *testing.T) {
	rules := fstest.MapFS{
		"spec/README.md": {Data: []byte("# Contents\n\n| [One](one.md) | A | first |\n")},
		"spec/one.md": {Data: []byte("# One\n\n<a id=\"A-001\"></a>\n### A-001: First\n\n" +
			"See [A-002](one.md#A-002) and [code](../prune/).\n\n" +
			"<!-- example a-001 -->\n<details><summary>Example</summary>\n\n</details>\n" +
			"<!-- end -->\n")},
	}
	examples := map[string]json.RawMessage{
		"a-001": []byte(`{"object": {"a": 1.0, "b": "</script>"}}`),
	}
	folder := t.TempDir()
	guide := fstest.MapFS{
		"docs/README.md": {Data: []byte("# Guide\n\n| [Bounds](../BOUNDS.md) | all |\n\n" +
			"See [one](../spec/one.md#x).\n")},
		"BOUNDS.md": {Data: []byte("# Bounds\n\nSee [one](spec/one.md) and [code](doc.go).\n")},
	}
	books := []*Book{
		{Folder: "spec", Subtitle: "Rules", Source: rules, Examples: examples},
		{Folder: "docs", Source: guide},
	}
	if err := Write(folder, books); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "spec", "one.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<title>One · crdsem</title>`, `<p>Rules</p>`, `<a id="A-001"></a>`,
		`href="one.html#A-002" class="id"`, `href="https://github.com/crdsem/crdsem/blob/main/prune/"`,
		`<h2 id="a-001-first" class="rule">`, `<a href="one.html" aria-current="page">One</a>`,
		`<script type="application/json">{"object":{"a":1.0,"b":"\u003c/script\u003e"}}</script>`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	text, err = os.ReadFile(filepath.Join(folder, "docs", "index.html"))
	if err != nil || !strings.Contains(string(text), `href="../spec/one.html#x"`) {
		t.Errorf("no link to the other book: %v\n%s", err, text)
	}
	text, err = os.ReadFile(filepath.Join(folder, "docs", "bounds.html"))
	if err != nil || !strings.Contains(string(text), `href="../spec/one.html"`) ||
		!strings.Contains(string(text), `crdsem/blob/main/doc.go"`) {
		t.Errorf("links of a file that is elsewhere: %v\n%s", err, text)
	}
	text, err = os.ReadFile(filepath.Join(folder, "search.json"))
	if err != nil || !strings.Contains(string(text), `{"link":"spec/one.html#a-001-first"`) {
		t.Errorf("the section is not found: %v\n%s", err, text)
	}
}

// The sections of the contents are groups. Pages that a page of a folder lists
// are there, but not in the contents, and another book is a link.
func TestGroups(t *testing.T) {
	source := fstest.MapFS{
		"docs/README.md": {Data: []byte("# Docs\n\n## Use\n\n| [Flags](cli/a.md) | all |\n\n" +
			"## More\n\n| [Rules](../spec/README.md) | |\n\n## Empty\n")},
		"docs/cli/a.md":   {Data: []byte("## a\n\n* [a b](a_b.md)\t - sub\n")},
		"docs/cli/a_b.md": {Data: []byte("## a b\n\n* [a](a.md)\t - all\n")},
		"spec/README.md":  {Data: []byte("# Rules\n")},
	}
	folder := t.TempDir()
	books := []*Book{{Folder: "docs", Source: source}, {Folder: "spec", Source: source}}
	if err := Write(folder, books); err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(folder, "docs", "index.html"))
	if !strings.Contains(text, ">Docs</h1>") {
		t.Errorf("another book's contents took the place of these:\n%s", text)
	}
	text = read(t, filepath.Join(folder, "docs", "a_b.html"))
	for _, want := range []string{
		`<p>Use</p>`, `<a href="a.html" aria-current="page">Flags</a>`, `<p>More</p>`,
		`<a href="../spec/index.html">Rules</a>`, `<h1 id="a-b">a b</h1>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Empty") || strings.Contains(text, `<a href="a_b.html"`) {
		t.Errorf("too much in the contents:\n%s", text)
	}
}

// TestNames requires that the contents name each page as its own heading does.
func TestNames(t *testing.T) {
	for _, folder := range []string{"docs", "conformance/spec"} {
		b := &Book{Folder: folder, Source: os.DirFS("../../..")}
		if err := b.read(); err != nil {
			t.Fatal(err)
		}
		if folder == "docs" && len(b.groups) != 4 {
			t.Errorf("%d groups, want the contents and three", len(b.groups))
		}
		for _, g := range b.groups {
			for _, e := range g.Entries {
				isCommand := e.of != nil && strings.HasPrefix(e.of.file, "docs/cli/")
				if e.of != nil && e.of.Title != e.Title && !isCommand {
					t.Errorf("%s: %q in the contents, %q on its page", e.Link, e.Title, e.of.Title)
				}
			}
		}
	}
}

func TestFiles(t *testing.T) {
	files, err := Files([]Rule{{"A", "one.md"}, {"A", "one.md"}, {"B", "two.md"}})
	if err != nil || files["A"] != "one.html" || files["B"] != "two.html" {
		t.Error(files, err)
	}
	if _, err := Files([]Rule{{"A", "one.md"}, {"A", "two.md"}}); err == nil {
		t.Error("rules of one prefix in two chapters")
	}
}

// TestLinks requires of every link of the real books that its target exists.
func TestLinks(t *testing.T) {
	root := "../../.."
	books := []*Book{
		{Folder: "docs", Source: os.DirFS(root)},
		{Folder: "conformance/spec", Source: os.DirFS(root)},
	}
	folder := t.TempDir()
	if err := Write(folder, books); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(folder + "/*/*.html")
	if err != nil || len(pages) < 20 {
		t.Fatal(len(pages), err)
	}
	for _, page := range pages {
		for _, link := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(read(t, page), -1) {
			if problem := check(t, page, link[1]); problem != "" {
				t.Errorf("%s: %s: %s", filepath.Base(page), link[1], problem)
			}
		}
	}
}

// check returns what is wrong with a link of a page. Links to files that the
// build of the site adds are not followed.
func check(t *testing.T, page, link string) string {
	t.Helper()
	if file, ours := strings.CutPrefix(link, home); ours {
		file, _, _ = strings.Cut(file, "#")
		if _, err := os.Stat(filepath.Join("../../..", file)); err != nil {
			return err.Error()
		}
		return ""
	}
	name, anchor, _ := strings.Cut(link, "#")
	if strings.Contains(name, "://") || !strings.HasSuffix(name, ".html") && name != "" ||
		name == "../index.html" || name == "../try.html" {
		return ""
	}
	if name != "" {
		page = filepath.Join(filepath.Dir(page), name)
	}
	if _, err := os.Stat(page); err != nil {
		return err.Error()
	}
	if anchor != "" && !strings.Contains(read(t, page), ` id="`+anchor+`"`) {
		return "no such anchor"
	}
	return ""
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
