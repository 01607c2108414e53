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
		name == "../index.html" {
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
