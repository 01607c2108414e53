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
	"slices"
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

	chapters []*chapter // those with pages
	groups   []*group
}

// A group is a part of the table of contents, with the heading above it.
type group struct {
	Title   string
	Entries []*entry
}

// An entry is a line of the table of contents.
type entry struct {
	Title  string
	Link   string   // relative to the pages of the book, e.g. pruning.html
	target string   // the file of an entry of another book
	of     *chapter // nil for an entry of another book
}

// site returns the folder of the pages on the site, e.g. spec.
func (b *Book) site() string { return path.Base(b.Folder) }

// A chapter is a file of a book.
type chapter struct {
	Title string
	Page  string // the name of its page, e.g. pruning.html
	file  string // in the repository
	text  string
	above *chapter // that of the contents, for a page that only a chapter lists
}

// listed returns the chapter that stands in the contents.
func (c *chapter) listed() *chapter {
	if c.above != nil {
		return c.above.listed()
	}
	return c
}

// page is what the template shows.
type page struct {
	*chapter
	*Book
	Groups  []*group
	Current string // the link of the entry that the page belongs to
	Body    template.HTML
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
	for _, g := range b.groups {
		for _, e := range g.Entries {
			if e.of == nil {
				e.Link = place{b, b.chapters[0], books}.target(e.target)
			}
		}
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
		shown := page{c, b, b.groups, c.listed().Page, body}
		if err := pageTemplate.Execute(&out, shown); err != nil {
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
// first one. Its sections are groups. A README elsewhere is another book.
func (b *Book) read() error {
	contents, err := b.readChapter(path.Join(b.Folder, "README.md"))
	if err != nil {
		return err
	}
	b.chapters = []*chapter{contents}
	first := &entry{Title: contents.Title, Link: contents.Page, of: contents}
	current := &group{Entries: []*entry{first}}
	b.groups = []*group{current}
	for line := range strings.Lines(contents.text) {
		if title, isHeading := strings.CutPrefix(line, "## "); isHeading {
			current = &group{Title: strings.TrimSpace(title)}
			b.groups = append(b.groups, current)
		}
		e, err := b.readRow(line)
		if err != nil {
			return err
		}
		if e != nil {
			current.Entries = append(current.Entries, e)
		}
	}
	b.groups = slices.DeleteFunc(b.groups, func(g *group) bool { return len(g.Entries) == 0 })
	return nil
}

// readRow reads the chapter of a row of the contents; nil for other lines.
func (b *Book) readRow(line string) (*entry, error) {
	row, isRow := strings.CutPrefix(line, "| [")
	title, link, linked := strings.Cut(row, "](")
	name, _, closed := strings.Cut(link, ")")
	if !isRow || !linked || !closed {
		return nil, nil
	}
	if path.Base(name) == "README.md" {
		return &entry{Title: title, target: name}, nil
	}
	c, err := b.readChapter(path.Join(b.Folder, name))
	if err != nil {
		return nil, err
	}
	b.chapters = append(b.chapters, c)
	if path.Dir(name) != "." && !strings.HasPrefix(name, "..") {
		err = b.readListed(c)
	}
	return &entry{Title: title, Link: c.Page, of: c}, err
}

// readListed reads the pages that a page of a folder lists, e.g. one for each
// command. They are not in the contents.
func (b *Book) readListed(by *chapter) error {
	for line := range strings.Lines(by.text) {
		_, link, linked := strings.Cut(line, "](")
		name, _, closed := strings.Cut(link, ")")
		file := path.Join(path.Dir(by.file), name)
		if !strings.HasPrefix(line, "* [") || !linked || !closed || b.has(file) {
			continue
		}
		c, err := b.readChapter(file)
		if err != nil {
			return err
		}
		c.above = by
		b.chapters = append(b.chapters, c)
		if err := b.readListed(c); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether a file is a chapter.
func (b *Book) has(file string) bool {
	return slices.ContainsFunc(b.chapters, func(c *chapter) bool { return c.file == file })
}

func (b *Book) readChapter(file string) (*chapter, error) {
	text, err := fs.ReadFile(b.Source, file)
	if err != nil {
		return nil, err
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return &chapter{
		Title: strings.ReplaceAll(strings.TrimLeft(title, "# "), "`", ""),
		Page:  pageOf(path.Base(file)), file: file, text: string(text),
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
