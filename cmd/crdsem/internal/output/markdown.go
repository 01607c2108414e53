package output

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// Table is an item in the comment of a pull request. Tables of items that
// follow each other with the same heading and columns are joined.
type Table struct {
	Heading string
	Columns []string
	Rows    [][]string // with escaped cells: see Cell
	// Steps are numbered, below the rows. Empty stands in for rows.
	Steps []string
	Empty string
}

// maxListed is the number of items in one table. A comment of GitHub has at
// most 65536 characters.
const maxListed = 50

// markdownPrinter prints the comment of a pull request.
type markdownPrinter struct {
	rest
	out    io.Writer
	title  string // that is not written yet
	last   *Table
	listed int // items of the last table
}

func newMarkdown(c Config) Printer {
	return &markdownPrinter{rest: rest{c.Err}, out: c.Out, title: c.Title}
}

func (p *markdownPrinter) Print(item *Item) error {
	table := &Table{}
	switch {
	case item.Table != nil:
		table = item.Table()
	case item.Result != nil:
		table = findingsTable(item.Result)
	}
	if len(table.Rows) == 0 && table.Empty == "" {
		return nil
	}
	var b strings.Builder
	if !p.joins(table) {
		p.begin(&b, table)
	}
	if p.listed++; p.listed <= maxListed {
		for _, row := range table.Rows {
			writeRow(&b, row)
		}
	}
	for i, step := range table.Steps {
		if i == 0 {
			b.WriteString("\n")
		}
		printf(&b, "%d. %s\n", i+1, step)
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

func (p *markdownPrinter) joins(t *Table) bool {
	return p.last != nil && p.last.Heading == t.Heading && slices.Equal(p.last.Columns, t.Columns)
}

// begin writes the head of a table, after the end of the one before.
func (p *markdownPrinter) begin(b *strings.Builder, t *Table) {
	if p.last != nil {
		p.sayOmitted(b)
		b.WriteString("\n")
	}
	if p.title != "" {
		printf(b, "## %s\n\n", p.title)
		p.title = ""
	}
	p.last, p.listed = t, 0
	printf(b, "### %s\n\n", t.Heading)
	if t.Empty != "" {
		printf(b, "%s\n", t.Empty)
		return
	}
	writeRow(b, t.Columns)
	b.WriteString(strings.Repeat("| --- ", len(t.Columns)) + "|\n")
}

// sayOmitted says how many items the last table leaves out.
func (p *markdownPrinter) sayOmitted(b *strings.Builder) {
	if n := p.listed - maxListed; n > 0 {
		fmt.Fprintf(b, "| and %d more %s|\n", n, strings.Repeat("| ", len(p.last.Columns)-1))
	}
	p.listed = 0
}

func writeRow(b *strings.Builder, cells []string) {
	for _, cell := range cells {
		printf(b, "| %s ", cell)
	}
	b.WriteString("|\n")
}

// Add prints the summary as a list.
func (p *markdownPrinter) Add(m *Member) error {
	if m.Name != Summary {
		return p.rest.Add(m)
	}
	var b strings.Builder
	if p.last != nil {
		p.sayOmitted(&b)
	}
	if p.last != nil && m.Text != "" {
		b.WriteString("\n")
	}
	for line := range strings.Lines(m.Text) {
		if line = strings.TrimSpace(line); line != "" {
			printf(&b, "- %s\n", line)
		}
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

func (p *markdownPrinter) Close() error { return nil }

// findingsTable returns a row for each finding.
func findingsTable(r *verdict.Result) *Table {
	t := &Table{Heading: "Findings", Columns: []string{"place", "severity", "finding"}}
	for i := range r.Findings {
		f := &r.Findings[i]
		text := strings.TrimSpace(withSubject(r, ShortText(f)) + " " + bracketed(f.Rule))
		t.Rows = append(t.Rows, []string{
			Cell(place(r, f)), string(f.Severity), Cell(text + holds(r, f)),
		})
	}
	for i := range r.Turns {
		t.Rows = append(t.Rows, []string{
			Cell(place(r, &verdict.Finding{})), "note", Cell(withSubject(r, r.Turns[i].Text())),
		})
	}
	return t
}

// Cell escapes a text for a cell of a table.
func Cell(text string) string {
	if text == "" {
		return ""
	}
	text = strings.NewReplacer("|", "\\|", "`", "'").Replace(visible.Line(text))
	return "`" + text + "`"
}
