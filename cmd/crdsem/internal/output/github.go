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
type githubPrinter struct {
	rest
	out io.Writer
}

func (p *githubPrinter) Print(item *Item) error {
	r := item.Result
	if r == nil {
		return nil
	}
	var w strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		command := map[verdict.Severity]string{
			verdict.Error: "error", verdict.Warning: "warning", verdict.Tolerated: "notice",
			verdict.Style: "notice",
		}
		fmt.Fprintf(&w, "::%s file=%s", command[f.Severity], property(r.FileOf(f)))
		if line := cmp.Or(f.Line, r.Line); line > 0 {
			fmt.Fprintf(&w, ",line=%d", line)
		}
		if f.Column > 0 {
			fmt.Fprintf(&w, ",col=%d", f.Column)
		}
		if title := strings.TrimSpace(r.Subject() + " " + bracketed(f.Rule)); title != "" {
			fmt.Fprintf(&w, ",title=%s", property(title))
		}
		text := ShortText(f) + holds(r, f)
		if f.Hint != "" {
			text += "\nhint: " + f.Hint
		}
		fmt.Fprintf(&w, "::%s\n", message(text))
	}
	for i := range r.Turns {
		fmt.Fprintf(&w, "::notice file=%s,line=%d,title=%s::%s\n", property(r.File), max(r.Line, 1),
			property(r.Subject()), message(r.Turns[i].Text()))
	}
	_, err := io.WriteString(p.out, w.String())
	return err
}

// Add prints the summary as a notice.
func (p *githubPrinter) Add(m *Member) error {
	if m.Name != Summary {
		return p.rest.Add(m)
	}
	text := message(strings.TrimRight(m.Text, "\n"))
	if text == "" {
		return nil
	}
	_, err := fmt.Fprintf(p.out, "::notice title=crdsem::%s\n", text)
	return err
}

func (p *githubPrinter) Close() error { return nil }

var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer(
		"%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func message(text string) string { return messageEscapes.Replace(text) }

func property(text string) string { return propertyEscapes.Replace(text) }
