package edit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/manifest"
	"github.com/crdsem/crdsem/manifest/files"
)

// Severity is how much a diagnostic counts: error, warning, tolerated or style,
// as in the output of the command.
type Severity = string

// Diagnostic is one thing that is wrong or doubtful in a text.
type Diagnostic struct {
	Range    Range
	Severity Severity
	// Rule is the id of the rule that is broken, e.g. VAL-050, Message what the
	// server says, and Hint how to mend it.
	Rule, Message, Hint string
	// Field is the path of the field, e.g. spec.replicas.
	Field string
}

// Diagnose judges the documents of a file: definitions as crdsem check and
// lint, objects as crdsem validate. Documents that are not meant for a server
// have none. The error is that of the context.
func (w *Workspace) Diagnose(ctx context.Context, name string) ([]Diagnostic, error) {
	text := w.Text(name)
	k := w.definitions()
	var all []Diagnostic
	lines := &lineColumns{encoding: w.encoding, lines: strings.Split(text, "\n")}
	for o, err := range files.Parse(name, strings.NewReader(text)) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r := w.judge(ctx, k, o, err)
		if r == nil {
			continue
		}
		for i := range r.Findings {
			all = append(all, lines.diagnostic(&r.Findings[i]))
		}
	}
	slices.SortStableFunc(all, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Column, b.Range.Start.Column))
	})
	return all, ctx.Err()
}

// judge returns the result of an object, nil if it is not meant for a server.
func (w *Workspace) judge(
	ctx context.Context, k *known, o files.Object, err error,
) *verdict.Result {
	switch {
	case err != nil && o.Document == nil:
		return judge.NewUnreadable("", err)
	case err != nil && (repository.IsTemplate(o.Data) || errors.Is(err, manifest.ErrNoObject)):
		return nil
	case err != nil:
		return judge.Unreadable(o.Document, err)
	case files.IsDefinition(o.Content):
		return w.newJudge().Check(ctx, o.Document, o.Content, o.Strict).Result
	case !repository.IsManifest(o.Content) || repository.IsTool(o.Content):
		return nil
	}
	shown, hidden := repository.Reveal(o.Content, nil)
	r := k.judge.Send(ctx, o.Document, shown, o.Strict)
	judge.LeaveOut(r, hidden.Covers)
	judge.IgnoreComments(o.Document, r)
	return r
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
		column += max(1, l.encoding.size(r))
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
	}
}
