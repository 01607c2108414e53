package prose

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

// The limits of a line in columns. A tab is four columns wide.
const (
	commentWidth  = 80
	codeWidth     = 100
	markdownWidth = 100
	tabWidth      = 4
)

func width(line string) int {
	return utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
}

// goFile is one parsed Go file with the lines that may be wide.
type goFile struct {
	set    *token.FileSet
	syntax *ast.File
	lines  []string
	// comments and wide hold line numbers, counted from 1.
	comments, wide map[int]bool
}

func parseGo(path string, text []byte) (*goFile, error) {
	f := &goFile{
		set:      token.NewFileSet(),
		lines:    strings.Split(string(text), "\n"),
		comments: map[int]bool{},
		wide:     map[int]bool{},
	}
	var err error
	const mode = parser.ParseComments | parser.SkipObjectResolution
	if f.syntax, err = parser.ParseFile(f.set, path, text, mode); err != nil {
		return nil, err
	}
	for _, group := range f.syntax.Comments {
		if isOutput(group) {
			f.mark(group, true)
			continue
		}
		for _, c := range group.List {
			f.noteComment(c)
		}
	}
	ast.Inspect(f.syntax, f.noteWide)
	return f, nil
}

// isOutput reports whether a comment is the expected output of an example.
func isOutput(group *ast.CommentGroup) bool {
	first := strings.ToLower(group.List[0].Text)
	return strings.HasPrefix(first, "// output:") ||
		strings.HasPrefix(first, "// unordered output:")
}

// noteComment records a comment that has its line for itself. A directive, an
// indented line (a code block) and a single word, such as a URL, may be wide.
func (f *goFile) noteComment(c *ast.Comment) {
	line := f.line(c.Pos())
	if strings.HasPrefix(strings.TrimSpace(f.lines[line-1]), "//") {
		f.comments[line] = true
	}
	body := strings.TrimPrefix(c.Text, "//")
	if body != "" && body[0] != ' ' || len(strings.Fields(body)) < 2 {
		f.wide[line] = true
	}
}

// noteWide records the lines of tables and of raw strings. A function in a
// table is code again, so its lines are not recorded.
func (f *goFile) noteWide(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING && n.Value[0] == '`' {
			f.mark(n, true)
		}
	case *ast.CompositeLit:
		switch n.Type.(type) {
		case *ast.ArrayType, *ast.MapType:
			for _, element := range n.Elts {
				if f.beginsLine(element) {
					f.mark(element, true)
				}
			}
		}
	case *ast.FuncLit:
		if len(n.Body.List) > 1 {
			f.mark(n.Body, false)
		}
	}
	return true
}

func (f *goFile) beginsLine(n ast.Node) bool {
	at := f.set.Position(n.Pos())
	return strings.TrimSpace(f.lines[at.Line-1][:at.Column-1]) == ""
}

func (f *goFile) mark(n ast.Node, wide bool) {
	for line := f.line(n.Pos()); line <= f.line(n.End()); line++ {
		f.wide[line] = wide
	}
}

func (f *goFile) line(pos token.Pos) int { return f.set.Position(pos).Line }

// wideLines returns a message for every line of the file that is too wide.
func (f *goFile) wideLines() []string {
	var found []string
	for i, line := range f.lines {
		limit := codeWidth
		if f.comments[i+1] {
			limit = commentWidth
		}
		if w := width(line); w > limit && !f.wide[i+1] {
			found = append(found, fmt.Sprintf("%d: %d columns, at most %d", i+1, w, limit))
		}
	}
	return found
}

// markdown splits a document into its prose lines, by line number. Code blocks
// are not prose.
func markdown(text []byte) map[int]string {
	prose := map[int]string{}
	fenced := false
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced, strings.HasPrefix(line, "    "):
		default:
			prose[number] = strings.TrimSuffix(line, "\n")
		}
	}
	return prose
}

// wideMarkdown returns a message for every line of prose that is too wide. Rows
// of tables and lines without a space may be wide.
func wideMarkdown(text []byte) []string {
	var found []string
	for number, line := range markdown(text) {
		w := width(line)
		if w > markdownWidth && line[0] != '|' && strings.Contains(strings.TrimSpace(line), " ") {
			found = append(found,
				fmt.Sprintf("%d: %d columns, at most %d", number, w, markdownWidth))
		}
	}
	return found
}

func TestWidths(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"narrow", "package p\n\n// A is 1.\nconst A = 1\n", 0},
		{"comment", "package p\n\n// A " + long + "\nconst A = 1\n", 1},
		{"code block", "package p\n\n// A is\n//\n//\t" + long + "\nconst A = 1\n", 0},
		{"output", "package p\n\n// Output:\n// " + long + "\nconst A = 1\n", 0},
		{"code", "package p\n\nconst A = \"" + long + "\"\n", 1},
		{"raw string", "package p\n\nconst A = `" + long + "`\n", 0},
		{"table", "package p\n\nvar a = []string{\n\t\"" + long + "\",\n}\n", 0},
		{"list in a statement", "package p\n\nfunc a() { b([]string{\"" + long + "\"}) }\n", 1},
		{"function in a table",
			"package p\n\nvar a = []func(){\n\tfunc() {\n\t\tb()\n\t\tc(\"" + long + "\")\n\t},\n}\n", 1},
	} {
		f, err := parseGo("p.go", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.wideLines(); len(got) != c.want {
			t.Errorf("%s: %q, want %d lines", c.name, got, c.want)
		}
	}
	document := long + "\n| " + long + "|\n```\n" + long + "\n```\n"
	if got := wideMarkdown([]byte(document)); len(got) != 1 {
		t.Errorf("Markdown: %q, want one line", got)
	}
}
