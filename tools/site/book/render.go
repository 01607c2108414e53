package book

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A place is the book that is rendered, among all.
type place struct {
	*Book
	chapter *chapter
	all     []*Book
}

// render renders a chapter. Raw HTML is kept: the chapters are files of this
// repository, and have anchors and details in it.
func render(source string, at place) (template.HTML, error) {
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithASTTransformers(
				util.Prioritized(links{at}, 100), util.Prioritized(headings{}, 100),
			),
		),
		goldmark.WithRendererOptions(html.WithUnsafe()),
	)
	var out bytes.Buffer
	if err := markdown.Convert([]byte(source), &out); err != nil {
		return "", err
	}
	return template.HTML(out.String()), nil
}

// home is where the files of the repository can be read.
const home = "https://github.com/crdsem/crdsem/blob/main/"

// ruleLink matches the destination of a link to a rule.
var ruleLink = regexp.MustCompile(`#[A-Z]+-[0-9]+$`)

// links makes links between chapters links between pages, and links to other
// files links to the repository. Links to rules get a class.
type links struct{ place }

// Transform implements the interface of the library.
func (l links) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			if ruleLink.Match(link.Destination) {
				link.SetAttributeString("class", []byte("id"))
			}
			link.Destination = []byte(l.target(string(link.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// headings marks the headings of rules, and skips no level: a rule that is
// below no section gets a heading of the second level.
type headings struct{}

// Transform implements the interface of the library.
func (headings) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	level := 0
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		heading, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		if heading.Level > 2 {
			heading.SetAttributeString("class", []byte("rule"))
		}
		heading.Level = min(heading.Level, level+1)
		level = heading.Level
	}
}

// target returns where a link of the book leads to on the site.
func (p place) target(link string) string {
	name, anchor, _ := strings.Cut(link, "#")
	if name == "" || strings.Contains(name, "://") {
		return link
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	file := path.Join(path.Dir(p.chapter.file), name)
	for _, b := range p.all {
		for _, c := range b.chapters {
			if c.file == file {
				return p.to(b) + c.Page + anchor
			}
		}
	}
	if strings.HasSuffix(name, "/") {
		file += "/"
	}
	return home + file + anchor
}

// to returns the way from a page of the book to those of another.
func (p place) to(b *Book) string {
	if b.Folder == p.Folder {
		return ""
	}
	return "../" + b.site() + "/"
}

var exampleStart = regexp.MustCompile(`(?m)^<!-- example (\S+) -->$`)

const exampleEnd = "<!-- end -->"

// withExamples puts each example of a chapter into an element. That of a vector
// has its request, which a script of the page sends. A case is no request.
func withExamples(text string, examples map[string]json.RawMessage) (string, error) {
	var out strings.Builder
	for {
		at := exampleStart.FindStringSubmatchIndex(text)
		if at == nil {
			out.WriteString(text)
			return out.String(), nil
		}
		id := text[at[2]:at[3]]
		before, rest := text[:at[0]], text[at[1]:]
		example, after, closed := strings.Cut(rest, exampleEnd)
		if !closed {
			return "", fmt.Errorf("example %s has no end", id)
		}
		fmt.Fprintf(&out, "%s<div class=\"example\">\n\n%s\n\n", before, example)
		if request, isVector := examples[id]; isVector {
			data, err := scriptData(request)
			if err != nil {
				return "", fmt.Errorf("example %s: %w", id, err)
			}
			fmt.Fprintf(&out, "<script type=\"application/json\">%s</script>\n\n", data)
		}
		out.WriteString("</div>\n")
		text = after
	}
}

// scriptData returns JSON in one line that does not end a script element.
// Numbers keep their spelling.
func scriptData(request json.RawMessage) (string, error) {
	var out bytes.Buffer
	if err := json.Compact(&out, request); err != nil {
		return "", err
	}
	var escaped bytes.Buffer
	json.HTMLEscape(&escaped, out.Bytes())
	return escaped.String(), nil
}
