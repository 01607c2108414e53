package main

import (
	"cmp"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// diffSummary is the summary of diff.
type diffSummary struct {
	Objects   int `json:"objects"` // in NEW
	Differing int `json:"differing"`
}

// printDifferences prints an item for each object that differs.
func printDifferences(printer output.Printer, all []difference, objects int) error {
	for i := range all {
		d := &all[i]
		item := &output.Item{List: "results", Value: d, Result: d.result(), Text: d.text}
		if err := printer.Print(item); err != nil {
			return err
		}
	}
	summary := diffSummary{Objects: objects, Differing: len(all)}
	if err := printer.Add(&output.Member{Name: output.Summary, Value: summary}); err != nil {
		return err
	}
	return printer.Close()
}

// result returns a finding for each path. Those of removed values are at the
// new object, because a result has one file.
func (d *difference) result() *verdict.Result {
	r := judge.NewResult(d.in.Document, d.in.Content)
	r.Verdict = verdict.Refused
	for _, line := range d.lines() {
		at := d.at[line.path]
		if at.File != r.File {
			at.Line, at.Column = r.Line, r.Column
		}
		r.Findings = append(r.Findings, verdict.Finding{
			Severity: verdict.Error, Line: at.Line, Column: at.Column, Field: line.path,
			Text: changeWords[line.sign] + " " + line.path + line.values,
		})
	}
	return r
}

// changeWords are the signs of changes in words.
var changeWords = map[string]string{"-": "removed", "+": "added", "~": "modified"}

// diffLine is a path that differs, and its values.
type diffLine struct{ sign, path, values string }

// lines returns a line for each path. What is below a path that was added or
// removed is part of its value.
func (d *difference) lines() []diffLine {
	var lines []diffLine
	for _, path := range outermost(d.Removed) {
		lines = append(lines, diffLine{"-", path, valueText(": ", d.Before, path)})
	}
	for _, path := range outermost(d.Added) {
		lines = append(lines, diffLine{"+", path, valueText(": ", d.After, path)})
	}
	for _, path := range d.Modified {
		values := valueText(": ", d.Before, path) + valueText(" -> ", d.After, path)
		lines = append(lines, diffLine{"~", path, values})
	}
	return lines
}

// text returns the object and its lines, with their places.
func (d *difference) text() string {
	var b strings.Builder
	visible.Printf(&b, "%s: %s\n", cmp.Or(d.New, d.Old), d.Object)
	for _, line := range d.lines() {
		visible.Printf(&b, "  %s %s%s", line.sign, line.path, line.values)
		if place := d.Places[line.path]; place != "" {
			visible.Printf(&b, " (%s)", place)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// outermost returns the paths that are not below others. The argument is
// sorted, so that a path stands before those below it.
func outermost(paths []string) []string {
	var out []string
	for _, path := range paths {
		if len(out) > 0 {
			rest, below := strings.CutPrefix(path, out[len(out)-1])
			if below && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				continue
			}
		}
		out = append(out, path)
	}
	return out
}

// valueText returns the value of a path as JSON, cut to a readable length.
func valueText(before string, values map[string]any, path string) string {
	value, ok := values[path]
	if !ok {
		return ""
	}
	text, err := protocol.AppendValue(nil, value)
	if err != nil {
		return ""
	}
	return before + short(string(text))
}
