package output

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// textPrinter prints for people. It prints a line for each finding, as
// compilers do, and a summary. Documents without findings are not printed,
// unless the style is verbose.
type textPrinter struct {
	out    io.Writer
	style  Style
	matrix []*verdict.Result // the rows, if there are several minors of Kubernetes
}

func (p *textPrinter) Print(r *verdict.Result) error {
	w := writer{out: p.out}
	for i := range r.Findings {
		p.finding(&w, r, &r.Findings[i])
	}
	for i := range r.Turns {
		w.printf("%s: note: %s\n", place(r, &verdict.Finding{}), withSubject(r, r.Turns[i].Text()))
	}
	switch {
	case r.Verdict == verdict.Unreadable:
	case p.style.Verbose:
		p.verbose(&w, r)
	default:
		for _, note := range r.Notes {
			w.printf("%s: note: %s\n", place(r, &verdict.Finding{}), note)
		}
	}
	p.addRow(r)
	return w.err
}

// place returns where a finding is: its own place, or that of its document.
func place(r *verdict.Result, f *verdict.Finding) string {
	line, column := f.Line, f.Column
	if line == 0 {
		line, column = r.Line, r.Column
	}
	switch {
	case line == 0:
		return r.File
	case column == 0:
		return fmt.Sprintf("%s:%d", r.File, line)
	default:
		return fmt.Sprintf("%s:%d:%d", r.File, line, column)
	}
}

// findingLine returns a finding in one line.
func findingLine(r *verdict.Result, f *verdict.Finding) string {
	text := fmt.Sprintf("%s: %s: %s", place(r, f), f.Severity, withSubject(r, shortText(f)))
	if rule := bracketed(f.Rule); rule != "" {
		text += " " + rule
	}
	text += holds(r, f)
	if f.Hint != "" {
		text += " (hint: " + f.Hint + ")"
	}
	return text
}

func withSubject(r *verdict.Result, text string) string {
	if subject := r.Subject(); subject != "" {
		text = subject + ": " + text
	}
	return visible(text)
}

// visible replaces control characters, which could change a terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r >= '\x7f' && r < '\u00a0' {
			return '?'
		}
		return r
	}, text)
}

func bracketed(rule string) string {
	if rule == "" {
		return ""
	}
	return "[" + rule + "]"
}

// The escape sequences of a terminal.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	blue   = "\x1b[1;34m"
	green  = "\x1b[32m"
	plain  = "\x1b[0m"
)

// paint colors a text, if the style has colors.
func (p *textPrinter) paint(color, text string) string {
	if !p.style.Colors {
		return text
	}
	return color + text + plain
}

var severityColors = map[verdict.Severity]string{
	verdict.Error: red, verdict.Warning: yellow, verdict.Tolerated: blue,
}

func (p *textPrinter) finding(w *writer, r *verdict.Result, f *verdict.Finding) {
	if !p.style.Sources {
		w.printf("%s\n", findingLine(r, f))
		return
	}
	color := severityColors[f.Severity]
	w.printf("%s %s %s\n", p.paint(bold, place(r, f)+":"),
		p.paint(color, string(f.Severity)+":"),
		strings.TrimSpace(withSubject(r, shortText(f))+" "+bracketed(f.Rule))+holds(r, f))
	if f.Source != "" {
		number := fmt.Sprint(f.Line)
		gap := strings.Repeat(" ", len(number))
		source, marker := excerpt(f.Source, f.Column)
		w.printf(" %s %s %s\n", p.paint(blue, number), p.paint(blue, "|"), source)
		if f.Column > 0 {
			w.printf(" %s %s %s%s\n", gap, p.paint(blue, "|"), marker, p.paint(color, "^"))
		}
	}
	if f.Hint != "" {
		w.printf("   %s %s\n", p.paint(green, "hint:"), f.Hint)
	}
}

// excerptWidth is the number of characters of a source line that are shown.
const excerptWidth = 120

// excerpt returns the part of a line around a column, and the white space that
// a marker below the column needs before it.
func excerpt(line string, column int) (text, before string) {
	characters := []rune(visible(strings.TrimRight(line, "\r\n")))
	from := 0
	if column > excerptWidth*2/3 && len(characters) > excerptWidth {
		from = min(column-excerptWidth/2, len(characters))
	}
	shown := characters[from:min(from+excerptWidth, len(characters))]
	marker := make([]rune, 0, len(shown))
	for i := range min(max(column-1-from, 0), len(shown)) {
		if shown[i] == '\t' {
			marker = append(marker, '\t')
		} else {
			marker = append(marker, ' ')
		}
	}
	return string(shown), string(marker)
}

// verbose prints the verdict, what was done to the object, and what would be
// stored.
func (p *textPrinter) verbose(w *writer, r *verdict.Result) {
	w.printf("%s: %s: %s\n", place(r, &verdict.Finding{}), p.verdict(r), visible(describe(r)))
	for _, note := range r.Notes {
		w.printf("  note       %s\n", note)
	}
	for _, c := range r.Changes {
		w.printf("  %-10s %s (%s)\n", changeWords[c.Action], c.Path, c.Schema)
	}
	for _, e := range r.Explanations {
		w.printf("  because    %s: %s\n", e.Field, oneLine(e.Rule))
		for _, t := range e.Terms {
			w.printf("             %d:%d  %s = %s\n", t.Line, t.Column, oneLine(t.Text), t.Value)
		}
	}
	if r.Rules == crdsem.RulesEvaluated {
		w.printf("  rules      cost %d\n", r.RulesCost)
	}
	if r.Verdict == verdict.Accepted && r.Object != nil {
		text, err := yaml.Marshal(r.Object)
		if err != nil {
			text = []byte(err.Error() + "\n")
		}
		w.printf("  stored as\n")
		for line := range strings.Lines(string(text)) {
			w.printf("    %s", line)
		}
	}
}

func (p *textPrinter) verdict(r *verdict.Result) string {
	switch r.Verdict {
	case verdict.Accepted:
		return p.paint(green, "accepted")
	case verdict.NotJudged:
		return p.paint(yellow, "not judged")
	default:
		return p.paint(red, string(r.Verdict))
	}
}

// describe returns the document and the request, e.g. "Widget prod/w1 (update,
// v1)".
func describe(r *verdict.Result) string {
	var extra []string
	for _, text := range []string{r.Item, r.Request, r.Version, r.Reason.Text()} {
		if text != "" {
			extra = append(extra, text)
		}
	}
	text := r.Subject()
	if len(extra) > 0 {
		text += " (" + strings.Join(extra, ", ") + ")"
	}
	return strings.TrimSpace(text)
}

// changeWords are the words of the text output for changes.
var changeWords = map[crdsem.Action]string{
	crdsem.Pruned: "pruned", crdsem.MetadataPruned: "pruned", crdsem.MetadataCoerced: "coerced",
	crdsem.NullDropped: "null", crdsem.Defaulted: "defaulted", crdsem.StatusDropped: "dropped",
}

// The limits of a message in text. JSON has the whole.
const (
	maxValue  = 160
	maxDetail = 600
)

// shortText returns the message of a finding in one line. The server prints
// whole structs as values; a long value is cut, and the detail stays.
func shortText(f *verdict.Finding) string {
	value, detail := f.Text, ""
	if f.Detail != "" {
		if before, found := strings.CutSuffix(f.Text, f.Detail); found {
			value, detail = before, f.Detail
		}
	}
	limit := maxValue + len(f.Field)
	if detail == "" {
		limit = maxDetail
	}
	text := cut(oneLine(value), limit)
	if detail != "" {
		text = strings.TrimRight(text, ": ") + ": " + cut(oneLine(detail), maxDetail)
	}
	if f.Path != "" {
		text += " (in the file: " + f.Path + ")"
	}
	return text
}

// oneLine joins the lines of a text. It leaves out the lines on which the CEL
// library shows the rule.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\r\n") {
		return text
	}
	var lines []string
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '|' {
			lines = append(lines, trimmed)
		}
	}
	return strings.Join(lines, " ")
}

// cut shortens a text to a number of bytes, at the border of a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	at := limit
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return fmt.Sprintf("%s… (%d more characters)", text[:at], utf8.RuneCountInString(text[at:]))
}

func (p *textPrinter) Close(s *verdict.Summary) error {
	w := writer{out: p.out}
	p.writeMatrix(&w, s)
	w.printf("%s\n", s.Text())
	return w.err
}
