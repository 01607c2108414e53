package output

import (
	"fmt"
	"io"
	"time"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// formats are the formats, the default first.
var formats = []struct {
	name string
	open func(Config) Printer
}{
	{"text", func(c Config) Printer { return &textPrinter{out: c.Out} }},
	{"json", func(c Config) Printer { return &jsonPrinter{out: c.Out, first: c.first()} }},
	{"yaml", func(c Config) Printer { return &yamlPrinter{out: c.Out, first: c.first()} }},
	{"markdown", newMarkdown},
	{"sarif", newSARIF},
	{"junit", newJUnit},
	{"gitlab", newGitLab},
	{"github", func(c Config) Printer { return &githubPrinter{rest: rest{c.Err}, out: c.Out} }},
}

// Formats are the names of the formats, the default first.
func Formats() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].name
	}
	return names
}

// Config is what a printer needs to know.
type Config struct {
	Out io.Writer
	// Err takes the text of members that the format has no place for.
	Err io.Writer
	// Title is the heading of Markdown, if it has one.
	Title string
	// First is the list of the first items, if it is not "results": JSON and
	// YAML have it also without items.
	First string
	// Rule returns what the ID of a finding names, for formats that describe
	// it. If it is nil, nothing is described.
	Rule func(id string) (Rule, bool)
}

// Rule describes what the ID of a finding names.
type Rule struct{ ID, Title, Statement, Link string }

func (c *Config) first() string {
	if c.First == "" {
		return "results"
	}
	return c.First
}

// New returns a printer of a format. It fails if there is no such format.
func New(format string, c Config) (Printer, error) {
	for _, f := range formats {
		if f.name == format {
			return f.open(c), nil
		}
	}
	return nil, fmt.Errorf("there is no format %q", format)
}

// Printer prints items in the order in which they come, then members.
type Printer interface {
	// Print prints an item. It may be printed only by Close.
	Print(item *Item) error
	// Add prints a member.
	Add(m *Member) error
	// Close prints what follows the last member.
	Close() error
}

// Item is one thing that a verb says.
type Item struct {
	// List is the list of JSON and YAML that has the item, and Value the
	// item's value there.
	List  string
	Value any
	// Result has the findings, for formats of scanners and test runners. It is
	// nil if the item says nothing about a document.
	Result *verdict.Result
	// Suite and Case are the item's names for a test runner, if they are not
	// those of the document. Took is the time of the case.
	Suite, Case string
	Took        time.Duration
	// Text returns the text for people. It may be empty.
	Text func() string
	// Table returns the item in Markdown. It is nil if a row for each finding
	// will do.
	Table func() *Table
}

// Member is a part of the output next to the lists.
type Member struct {
	// Name and Value are those of JSON and YAML. A member without a name is
	// for people only.
	Name  string
	Value any
	// Text is the text for people, with its last line feed.
	Text string
}

// Summary is the name of the member that every verb ends with. GitHub shows its
// text as a notice.
const Summary = "summary"

// SummaryOf returns the member of a summary.
func SummaryOf(value any, text string) *Member {
	return &Member{Name: Summary, Value: value, Text: text + "\n"}
}

// rest prints the members that a format has no place for.
type rest struct{ err io.Writer }

// Add prints the text of a member other than the summary.
func (r rest) Add(m *Member) error {
	if m.Name == Summary || m.Name == "" || r.err == nil {
		return nil
	}
	_, err := io.WriteString(r.err, m.Text)
	return err
}

// textPrinter prints the texts of items and members.
type textPrinter struct{ out io.Writer }

func (p *textPrinter) Print(item *Item) error {
	_, err := io.WriteString(p.out, item.Text())
	return err
}

func (p *textPrinter) Add(m *Member) error {
	_, err := io.WriteString(p.out, m.Text)
	return err
}

func (p *textPrinter) Close() error { return nil }

// printf is visible.Printf: texts of input do not act on a terminal.
func printf(out io.Writer, format string, args ...any) { visible.Printf(out, format, args...) }
