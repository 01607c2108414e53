package book

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

	"github.com/crdsem/crdsem/internal/test/suite"

	_ "embed" // of the template
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// A Book is a folder of Markdown whose README.md is its table of contents. It
// may name files of other folders.
type Book struct {
	Folder   string // in the repository, e.g. conformance/spec
	Subtitle string
	Source   fs.FS // the repository
	// Examples has the requests of vectors by their ids. They can be sent from
	// the page.
	Examples map[string]json.RawMessage

	chapters []*chapter
}

// site returns the folder of the pages on the site, e.g. spec.
func (b *Book) site() string { return path.Base(b.Folder) }

// A chapter is a file of a book.
type chapter struct {
	Title string
	Page  string // the name of its page, e.g. pruning.html
	file  string // in the repository
	text  string
}

// page is what the template shows.
type page struct {
	*chapter
	*Book
	Chapters []*chapter
	Body     template.HTML
}

// Write writes the pages of books into a folder, and what the search of the
// site looks in.
func Write(folder string, books []*Book) error {
	found := &index{}
	for _, b := range books {
		if err := b.read(); err != nil {
			return fmt.Errorf("%s: %w", b.Folder, err)
		}
	}
	for _, b := range books {
		if err := b.write(folder, books, found); err != nil {
			return fmt.Errorf("%s: %w", b.Folder, err)
		}
	}
	return found.write(filepath.Join(folder, "search.json"))
}

func (b *Book) write(folder string, books []*Book, found *index) error {
	if err := os.MkdirAll(filepath.Join(folder, b.site()), 0o755); err != nil {
		return err
	}
	for _, c := range b.chapters {
		text, err := withExamples(c.text, b.Examples)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Page, err)
		}
		body, err := render(text, place{b, c, books})
		if err != nil {
			return fmt.Errorf("%s: %w", c.Page, err)
		}
		found.add(b.site()+"/"+c.Page, c.Title, string(body))
		var out bytes.Buffer
		if err := pageTemplate.Execute(&out, page{c, b, b.chapters, body}); err != nil {
			return err
		}
		name := filepath.Join(folder, b.site(), c.Page)
		if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// read reads the chapters in the order of the table of contents, which is the
// first one.
func (b *Book) read() error {
	contents, err := b.readChapter("README.md")
	if err != nil {
		return err
	}
	b.chapters = []*chapter{contents}
	for line := range strings.Lines(contents.text) {
		row, isRow := strings.CutPrefix(line, "| [")
		_, link, linked := strings.Cut(row, "](")
		name, _, closed := strings.Cut(link, ")")
		if !isRow || !linked || !closed {
			continue
		}
		c, err := b.readChapter(name)
		if err != nil {
			return err
		}
		b.chapters = append(b.chapters, c)
	}
	return nil
}

func (b *Book) readChapter(name string) (*chapter, error) {
	file := path.Join(b.Folder, name)
	text, err := fs.ReadFile(b.Source, file)
	if err != nil {
		return nil, err
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return &chapter{
		Title: strings.ReplaceAll(strings.TrimPrefix(title, "# "), "`", ""),
		Page:  pageOf(name), file: file, text: string(text),
	}, nil
}

// pageOf returns the page of a chapter's file.
func pageOf(name string) string {
	if name == "README.md" {
		return "index.html"
	}
	name = strings.ToLower(path.Base(name))
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
