package edit

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Severity is how much a diagnostic counts: error, warning, tolerated or style,
// as in the output of the command.
type Severity = string

// Diagnostic is one thing that is wrong or doubtful in a text.
type Diagnostic struct {
	Range    Range    `json:"range"`
	Severity Severity `json:"severity"`
	// Rule is the id of the rule that is broken, e.g. VAL-050, Message what the
	// server says, and Hint how to fix it.
	Rule    string `json:"rule,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Field is the path of the field, e.g. spec.replicas.
	Field string `json:"field,omitempty"`
	// Kubernetes are the minors that have the finding, unless all have it.
	Kubernetes []string `json:"kubernetes,omitempty"`
	// RulesUnchecked is set for the first error of an object whose rules in CEL
	// were not checked because of its errors.
	RulesUnchecked bool `json:"rulesUnchecked,omitempty"`
	// Edits are the hint, if it has that form.
	Edits []verdict.Edit `json:"-"`
}

// Diagnose judges the documents of a file: definitions as crdsem check and
// lint, objects as crdsem validate. Documents that are not meant for a server
// have none. The error is that of the context.
func (w *Workspace) Diagnose(ctx context.Context, name string) ([]Diagnostic, error) {
	f := w.file(name)
	if f == nil {
		return nil, ctx.Err()
	}
	k := w.definitions(ctx)
	lines := &lineColumns{encoding: w.encoding, lines: strings.Split(f.text(), "\n")}
	var all []Diagnostic
	for _, j := range w.judged(ctx, k, f) {
		for i := range j.result.Findings {
			all = append(all, lines.diagnostic(&j.result.Findings[i]))
		}
	}
	slices.SortStableFunc(all, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Column, b.Range.Start.Column))
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return all, nil
}

// judgedDocument is a document of a file with its result.
type judgedDocument struct {
	document
	result *verdict.Result
}

// judged returns the results of a file's documents. They are kept until the
// file or a definition changes. Concurrent calls wait for them.
func (w *Workspace) judged(ctx context.Context, k *known, f *file) []judgedDocument {
	f.judging.Lock()
	defer f.judging.Unlock()
	if f.judgedBy == k {
		return f.results
	}
	var all []judgedDocument
	var twice judge.Twice
	linter := w.linter()
	for _, d := range f.parsed() {
		if ctx.Err() != nil {
			return nil
		}
		list := []document{d}
		if len(d.items) > 0 && !k.panel.Defines(d.Content) {
			list = d.items
		}
		for _, d := range list {
			r := k.judged(ctx, linter, f, d)
			twice.Add(r)
			all = append(all, judgedDocument{d, r})
		}
	}
	if ctx.Err() == nil {
		f.results, f.judgedBy = all, k
	}
	return all
}

// judged returns the result of a document.
func (k *known) judged(
	ctx context.Context, linter *judge.Panel, f *file, d document,
) *verdict.Result {
	switch {
	case d.err != nil && d.Document == nil:
		return judge.NewUnreadable("", d.err)
	case d.err != nil:
		return k.Unreadable(ctx, k.panel, f.name, d.Document, d.err)
	case manifest.IsDefinition(d.Content) && !k.IsPatch(f.name, d.Content):
		r := linter.Add(f.lint(ctx, linter, d))
		r.Findings = append(slices.Clip(r.Findings), k.more[d.Start()]...)
		return r
	}
	return k.Send(ctx, k.panel, f.name, d.Object)
}

// lineColumns finds columns in lines. It keeps those of the last line, because
// one line may have all findings.
type lineColumns struct {
	encoding Encoding
	lines    []string

	line    string // the last one
	offsets []int  // of its characters, and its end
	columns []int  // of the same
}

// read makes a line the last one.
func (l *lineColumns) read(line string) {
	if l.line == line && l.offsets != nil {
		return
	}
	l.line, l.offsets, l.columns = line, l.offsets[:0], l.columns[:0]
	column := 0
	for at, r := range line {
		l.offsets, l.columns = append(l.offsets, at), append(l.columns, column)
		column += l.encoding.size(r)
	}
	l.offsets, l.columns = append(l.offsets, len(line)), append(l.columns, column)
}

// at returns the column of a byte of the last line.
func (l *lineColumns) at(offset int) int {
	i, _ := slices.BinarySearch(l.offsets, offset)
	return l.columns[i]
}

// longestKey is how far a key is looked for.
const longestKey = 1 << 10

// diagnostic returns a finding with its place: a key, or to the end of its
// line.
func (l *lineColumns) diagnostic(f *verdict.Finding) Diagnostic {
	at := min(max(f.Line-1, 0), len(l.lines)-1)
	l.read(strings.TrimRight(l.lines[at], " \r"))
	start := l.offsets[min(max(f.Column-1, 0), len(l.offsets)-1)]
	rest, end := l.line[start:], len(l.line)
	key, _, isKey := strings.Cut(rest[:min(len(rest), longestKey)], ":")
	if isKey && key != "" && !strings.ContainsAny(key, " \"'{[") {
		end = start + len(key)
	}
	return Diagnostic{
		Range:    Range{Position{at, l.at(start)}, Position{at, l.at(end)}},
		Severity: string(f.Severity), Rule: f.Rule, Message: f.Text, Hint: f.Hint, Field: f.Field,
		Kubernetes: f.Kubernetes, RulesUnchecked: f.RulesUnchecked, Edits: f.Edits,
	}
}

// span returns the range of some bytes of a line.
func (w *Workspace) span(line string, number, start, end int) Range {
	return Range{
		Position{number, w.encoding.column(line, start)},
		Position{number, w.encoding.column(line, end)},
	}
}
