package output

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// githubPrinter prints workflow commands, which GitHub shows at the lines of a
// pull request:
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
type githubPrinter struct{ out io.Writer }

func (p *githubPrinter) Print(r *verdict.Result) error {
	w := writer{out: p.out}
	for i := range r.Findings {
		f := &r.Findings[i]
		command := map[verdict.Severity]string{
			verdict.Error: "error", verdict.Warning: "warning", verdict.Tolerated: "notice",
		}
		w.printf("::%s file=%s", command[f.Severity], property(r.File))
		if line := cmp.Or(f.Line, r.Line); line > 0 {
			w.printf(",line=%d", line)
		}
		if f.Column > 0 {
			w.printf(",col=%d", f.Column)
		}
		if title := strings.TrimSpace(r.Subject() + " " + bracketed(f.Rule)); title != "" {
			w.printf(",title=%s", property(title))
		}
		text := shortText(f) + holds(r, f)
		if f.Hint != "" {
			text += "\nhint: " + f.Hint
		}
		w.printf("::%s\n", message(text))
	}
	for i := range r.Turns {
		w.printf("::notice file=%s,line=%d,title=%s::%s\n", property(r.File), max(r.Line, 1),
			property(r.Subject()), message(r.Turns[i].Text()))
	}
	return w.err
}

// Close prints the summary as a notice.
func (p *githubPrinter) Close(s *verdict.Summary) error { return WriteNotice(p.out, s.Text()) }

// WriteNotice prints a text as a notice of the format github.
func WriteNotice(out io.Writer, text string) error {
	_, err := fmt.Fprintf(out, "::notice title=crdsem::%s\n", message(text))
	return err
}

var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer(
		"%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func message(text string) string { return messageEscapes.Replace(text) }

func property(text string) string { return propertyEscapes.Replace(text) }
