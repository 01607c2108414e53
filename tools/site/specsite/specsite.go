package specsite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/crdsem/crdsem/conformance/suite"

	_ "embed" // of the template
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// chapter is a file of the specification.
type chapter struct {
	Title string
	Page  string // the name of its page, e.g. pruning.html
	text  string
}

// page is what the template shows.
type page struct {
	*chapter
	Chapters []*chapter
	Body     template.HTML
}

// Write writes the pages of a book into a folder. examples has the requests of
// the vectors by their ids.
func Write(folder string, book fs.FS, examples map[string]json.RawMessage) error {
	chapters, err := readChapters(book)
	if err != nil {
		return err
	}
	for _, c := range chapters {
		text, err := withExamples(c.text, examples)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Page, err)
		}
		body, err := render(text)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Page, err)
		}
		var out bytes.Buffer
		if err := pageTemplate.Execute(&out, page{c, chapters, body}); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, c.Page), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// readChapters reads the chapters in the order of the table of contents, which
// is the first one.
func readChapters(book fs.FS) ([]*chapter, error) {
	contents, err := readChapter(book, "README.md")
	if err != nil {
		return nil, err
	}
	chapters := []*chapter{contents}
	for line := range strings.Lines(contents.text) {
		row, isRow := strings.CutPrefix(line, "| [")
		_, link, linked := strings.Cut(row, "](")
		name, _, closed := strings.Cut(link, ")")
		if !isRow || !linked || !closed {
			continue
		}
		c, err := readChapter(book, name)
		if err != nil {
			return nil, err
		}
		chapters = append(chapters, c)
	}
	return chapters, nil
}

func readChapter(book fs.FS, name string) (*chapter, error) {
	text, err := fs.ReadFile(book, name)
	if err != nil {
		return nil, err
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return &chapter{
		Title: strings.TrimPrefix(title, "# "), Page: pageOf(name), text: string(text),
	}, nil
}

// pageOf returns the page of a chapter's file.
func pageOf(name string) string {
	if name == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(name, path.Ext(name)) + ".html"
}

// Files returns the pages of the chapters by the prefixes of their rules, e.g.
// pruning.html for PRN. It fails if two chapters have rules of one prefix.
func Files(rules []Rule) (map[string]string, error) {
	files := map[string]string{}
	for _, r := range rules {
		page := pageOf(r.File)
		if before, known := files[r.Prefix]; known && before != page {
			return nil, fmt.Errorf("rules of %s are in %s and in %s", r.Prefix, before, page)
		}
		files[r.Prefix] = page
	}
	return files, nil
}

// Rule is the prefix of a rule and the file of its chapter.
type Rule struct{ Prefix, File string }

// Examples returns the requests of vectors by the ids of the vectors.
func Examples(vectors []suite.Vector) map[string]json.RawMessage {
	requests := make(map[string]json.RawMessage, len(vectors))
	for i := range vectors {
		requests[vectors[i].ID] = vectors[i].Request
	}
	return requests
}
