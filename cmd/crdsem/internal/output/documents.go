package output

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// Style is how text for people looks. Other formats have one style.
type Style struct {
	// Verbose adds what is fine, what was changed, and what would be stored.
	Verbose bool
	// Unjudged adds the documents and the values that are not judged.
	Unjudged bool
	// Sources shows the line of each finding, with a marker below the column.
	Sources bool
	// Colors colors severities and markers.
	Colors bool
}

// Documents describes documents that were judged. Its text has a line for each
// finding, as compilers print them, and a summary. Documents without findings
// have no text, unless the style is verbose.
type Documents struct {
	Style Style

	more   groups
	matrix []*verdict.Result // the rows, if there are several minors of Kubernetes
}

// Item returns the item of a document.
func (d *Documents) Item(r *verdict.Result) *Item {
	d.addRow(r)
	return &Item{
		List: "results", Value: r, Result: r, Text: func() string { return d.text(r) },
	}
}

// End prints the summary of documents, and ends the output.
func (d *Documents) End(p Printer, s *verdict.Summary) error {
	all := []*Member{{Text: d.more.text()}, {Text: d.matrixText(s)}, SummaryOf(s, s.Text())}
	for _, m := range all {
		if err := p.Add(m); err != nil {
			return err
		}
	}
	return p.Close()
}

func (d *Documents) text(r *verdict.Result) string {
	var w strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		if d.Style.Verbose || d.more.shows(r, f) {
			d.finding(&w, r, f)
		}
		if d.Style.Verbose && f.Type != "" && (f.Path != "" || pathless(f)) {
			printf(&w, "  server     %s\n", f.Text)
		}
	}
	for i := range r.Turns {
		turn := withSubject(r, r.Turns[i].Text())
		printf(&w, "%s: note: %s\n", place(r, &verdict.Finding{}), turn)
	}
	d.unjudged(&w, r)
	switch {
	case r.Verdict == verdict.Unreadable:
	case d.Style.Verbose:
		d.verbose(&w, r)
	default:
		for _, note := range r.Notes {
			printf(&w, "%s: note: %s\n", place(r, &verdict.Finding{}), note)
		}
	}
	return w.String()
}

// unjudged prints what of a result is not judged, if it is asked for.
func (d *Documents) unjudged(w *strings.Builder, r *verdict.Result) {
	if !d.Style.Unjudged {
		return
	}
	if r.Verdict == verdict.NotJudged && !d.Style.Verbose {
		printf(w, "%s: not judged: %s\n", place(r, &verdict.Finding{}),
			withSubject(r, r.Reason.Text()))
	}
	for _, value := range r.Unjudged {
		at := verdict.Finding{Line: value.Line, Column: value.Column}
		printf(w, "%s: not judged: %s\n", place(r, &at),
			withSubject(r, value.Field+": "+value.Cause))
	}
}

// place returns where a finding is: its own place, or that of its document.
func place(r *verdict.Result, f *verdict.Finding) string {
	line, column := f.Line, f.Column
	if line == 0 {
		line, column = r.Line, r.Column
	}
	switch {
	case line == 0:
		return r.FileOf(f)
	case column == 0:
		return fmt.Sprintf("%s:%d", r.FileOf(f), line)
	default:
		return fmt.Sprintf("%s:%d:%d", r.FileOf(f), line, column)
	}
}

// findingLine returns a finding in one line.
func findingLine(r *verdict.Result, f *verdict.Finding) string {
	text := fmt.Sprintf("%s: %s: %s", place(r, f), f.Severity, withSubject(r, ShortText(f)))
	if rule := bracketed(f.Rule); rule != "" {
		text += " " + rule
	}
	text += holds(r, f)
	if f.RulesUnchecked {
		text += " (" + rulesUnchecked + ")"
	}
	if f.Hint != "" {
		text += " (hint: " + f.Hint + ")"
	}
	return text
}

// rulesUnchecked says why no rule in CEL has a finding.
const rulesUnchecked = "rules of the schema were not checked: correct the errors first"

func withSubject(r *verdict.Result, text string) string {
	if subject := r.Subject(); subject != "" {
		text = subject + ": " + text
	}
	return text
}

func bracketed(rule string) string {
	if rule == "" {
		return ""
	}
	return "[" + rule + "]"
}

// paint colors a text, if the style has colors.
func (d *Documents) paint(color, text string) visible.Verbatim {
	text = visible.Line(text)
	if d.Style.Colors {
		text = color + text + visible.Plain
	}
	return visible.Verbatim(text)
}

var severityColors = map[verdict.Severity]string{
	verdict.Error: visible.Red, verdict.Warning: visible.Yellow, verdict.Tolerated: visible.Blue,
	verdict.Style: visible.Blue,
}

func (d *Documents) finding(w *strings.Builder, r *verdict.Result, f *verdict.Finding) {
	if !d.Style.Sources {
		printf(w, "%s\n", findingLine(r, f))
		return
	}
	color := severityColors[f.Severity]
	printf(w, "%s %s %s\n", d.paint(visible.Bold, place(r, f)+":"),
		d.paint(color, string(f.Severity)+":"),
		strings.TrimSpace(withSubject(r, ShortText(f))+" "+bracketed(f.Rule))+holds(r, f))
	if f.Source != "" {
		number := fmt.Sprint(f.Line)
		gap := strings.Repeat(" ", len(number))
		source, marker := excerpt(f.Source, f.Column)
		printf(w, " %s %s %s\n", d.paint(visible.Blue, number), d.paint(visible.Blue, "|"), source)
		if f.Column > 0 {
			printf(w, " %s %s %s%s\n", gap, d.paint(visible.Blue, "|"), marker, d.paint(color, "^"))
		}
	}
	if f.RulesUnchecked {
		printf(w, "   %s %s\n", d.paint(visible.Blue, "note:"), rulesUnchecked)
	}
	if f.Hint != "" {
		printf(w, "   %s %s\n", d.paint(visible.Green, "hint:"), f.Hint)
	}
}

// excerptWidth is the number of characters of a source line that are shown.
const excerptWidth = 120

// excerpt returns the part of a line around a column, and the white space that
// a marker below the column needs before it.
func excerpt(line string, column int) (text, before visible.Verbatim) {
	characters := []rune(strings.TrimRight(line, "\r\n"))
	from := 0
	if column > excerptWidth*2/3 && len(characters) > excerptWidth {
		from = min(column-excerptWidth/2, len(characters))
	}
	shown := characters[from:min(from+excerptWidth, len(characters))]
	var marker strings.Builder
	for i := range min(max(column-1-from, 0), len(shown)) {
		if shown[i] == '\t' {
			marker.WriteByte('\t')
		} else {
			width := utf8.RuneCountInString(visible.Text(string(shown[i])))
			marker.WriteString(strings.Repeat(" ", width))
		}
	}
	return visible.Verbatim(visible.Text(string(shown))), visible.Verbatim(marker.String())
}

// verbose prints the verdict, what was done to the object, and what would be
// stored.
func (d *Documents) verbose(w *strings.Builder, r *verdict.Result) {
	printf(w, "%s: %s: %s\n", place(r, &verdict.Finding{}), d.verdict(r), describe(r))
	for _, note := range r.Notes {
		printf(w, "  note       %s\n", note)
	}
	for _, c := range r.Changes {
		printf(w, "  %-10s %s (%s)\n", changeWords[c.Action], c.Path, c.Schema)
	}
	for _, e := range r.Explanations {
		printf(w, "  because    %s: %s\n", e.Field, e.Rule)
		for _, t := range e.Terms {
			printf(w, "             %d:%d  %s = %s\n", t.Line, t.Column, t.Text, t.Value)
		}
	}
	if r.Rules == crdsem.RulesEvaluated {
		printf(w, "  rules      cost %d\n", r.RulesCost)
	}
	if r.Verdict == verdict.Accepted {
		written(w, r)
	}
}

// written prints what is stored, what was lost on the way, and what clients
// get.
func written(w *strings.Builder, r *verdict.Result) {
	for _, c := range r.Lost {
		printf(w, "  lost       %s (%s)\n", c.Path, c.Schema)
	}
	if r.Webhook {
		printf(w, "  not judged: a conversion webhook decides what is stored\n")
	}
	printObject(w, "stored as", r.Object, nil)
	printObject(w, "answered as", r.Answer, r.Object)
	for _, read := range r.Reads {
		printObject(w, "read as", read.Object, r.Object)
		switch {
		case read.Webhook:
			printf(w, "  not judged: a conversion webhook decides what is read as %s\n",
				read.Version)
		case read.Error != "":
			printf(w, "  reading %s fails: %s\n", read.Version, read.Error)
		}
	}
}

// printObject prints an object below a title. It may be nil. One that differs
// from the stored object in nothing but its apiVersion takes a line.
func printObject(w *strings.Builder, title string, object, stored map[string]any) {
	switch {
	case object == nil:
		return
	case stored != nil && isAlike(object, stored):
		printf(w, "  %s %v: the same\n", title, object["apiVersion"])
		return
	}
	text, err := YAML(object)
	if err != nil {
		text = []byte(err.Error() + "\n")
	}
	printf(w, "  %s\n", title)
	for line := range strings.Lines(string(text)) {
		printf(w, "    %s", visible.Verbatim(line))
	}
}

// isAlike reports whether two objects are equal but for their apiVersion.
func isAlike(a, b map[string]any) bool {
	a, b = maps.Clone(a), maps.Clone(b)
	delete(a, "apiVersion")
	delete(b, "apiVersion")
	return jsonvalue.Equal(a, b)
}

func (d *Documents) verdict(r *verdict.Result) visible.Verbatim {
	switch r.Verdict {
	case verdict.Accepted:
		return d.paint(visible.Green, "accepted")
	case verdict.NotJudged:
		return d.paint(visible.Yellow, "not judged")
	default:
		return d.paint(visible.Red, string(r.Verdict))
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

// ShortText returns the message of a finding in one line. The server prints
// whole structs as values; a long value is cut, and the detail stays. The path
// is that in the file.
func ShortText(f *verdict.Finding) string {
	value, detail := f.Text, ""
	if pathless(f) {
		rest := strings.TrimPrefix(f.Detail, strconv.Quote(f.Field)+" ")
		return strings.TrimPrefix(f.Field+": ", ": ") + cut(visible.Line(rest), maxDetail)
	}
	if f.Detail != "" {
		if before, found := strings.CutSuffix(f.Text, f.Detail); found {
			value, detail = before, f.Detail
		}
	}
	limit := maxValue + len(f.Field)
	if detail == "" {
		limit = maxDetail
	}
	rest, isOfField := strings.CutPrefix(value, f.Field+": ")
	isOfField = isOfField && f.Path != ""
	if isOfField {
		value = f.Path + ": " + rest
	}
	text := cut(visible.Line(value), limit)
	if detail != "" {
		text = strings.TrimRight(text, ": ") + ": " + cut(visible.Line(detail), maxDetail)
	}
	if f.Path != "" && !isOfField {
		text += " (in the file: " + f.Path + ")"
	}
	return text
}

// pathless reports whether a finding is one whose path the server names in the
// detail only, after <nil>: of junctors, and of formats of numbers.
func pathless(f *verdict.Finding) bool {
	return strings.HasPrefix(f.Text, "<nil>: ") && f.Detail != ""
}

// cut shortens a text to a number of bytes, at the border of a character, if
// that makes it shorter.
func cut(text string, limit int) string {
	if len(text) <= limit+len("… (10 more characters)") {
		return text
	}
	at := limit
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return fmt.Sprintf("%s… (%d more characters)", text[:at], utf8.RuneCountInString(text[at:]))
}
