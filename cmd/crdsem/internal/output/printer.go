package output

import (
	"errors"
	"fmt"
	"io"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// Formats are the names of the formats, the default first.
func Formats() []string {
	return []string{"text", "json", "yaml", "sarif", "junit", "github"}
}

// Printer prints results in the order in which they come.
type Printer interface {
	// Print prints a result. The result may be printed only by Close.
	Print(r *verdict.Result) error
	// Close prints what follows the last result.
	Close(s *verdict.Summary) error
}

// Style is how text for people looks. Other formats have one style.
type Style struct {
	// Verbose adds what is fine, what was changed, and what would be stored.
	Verbose bool
	// Sources shows the line of each finding, with a marker below the column.
	Sources bool
	// Colors colors severities and markers.
	Colors bool
}

// New returns a printer of a format. It fails if there is no such format.
func New(format string, out io.Writer, style Style) (Printer, error) {
	switch format {
	case "text":
		return &textPrinter{out: out, style: style}, nil
	case "json":
		return &jsonPrinter{out: out}, nil
	case "yaml":
		return &yamlPrinter{out: out}, nil
	case "sarif":
		return newSARIF(out), nil
	case "junit":
		return &junitPrinter{out: out}, nil
	case "github":
		return &githubPrinter{out: out}, nil
	}
	return nil, fmt.Errorf("there is no format %q", format)
}

// PrintAll prints results and their summary.
func PrintAll(p Printer, results []*verdict.Result) error {
	var s verdict.Summary
	for _, r := range results {
		s.Add(r)
		if err := p.Print(r); err != nil {
			return err
		}
	}
	return p.Close(&s)
}

// writer writes text and remembers the first error.
type writer struct {
	out io.Writer
	err error
}

func (w *writer) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format, args...)
	}
}

func (w *writer) write(data []byte, err error) {
	if w.err = errors.Join(w.err, err); w.err == nil {
		_, w.err = w.out.Write(data)
	}
}
