package crdtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/manifest"
)

// Rewrite writes the outcomes of cases into the files of suites in the format
// of this package, where they are not as stated. It returns the files that it
// changed. Suites in other formats are left as they are.
//
// Of a request that is admitted, it writes the fields that the case states,
// warnings, and the object if the case stated an error. The rest of the file
// stays as it is, comments too. A case in flow style, e.g. {name: a, ...}, is
// an error, because its lines cannot be replaced. So is a request that cannot
// be sent.
func Rewrite(ctx context.Context, crds []*CRD, suites []*Suite) ([]string, error) {
	var changed []string
	for _, suite := range suites {
		if !isNative(suite.File) {
			continue
		}
		differs, err := rewrite(ctx, crds, suite)
		if err != nil {
			return changed, err
		}
		if differs {
			changed = append(changed, suite.File)
		}
	}
	return changed, nil
}

// rewrite rewrites the file of one suite.
func rewrite(ctx context.Context, crds []*CRD, suite *Suite) (changed bool, err error) {
	text, err := readFile(suite.File)
	if err != nil {
		return false, err
	}
	found, err := readDocuments(suite.File, bytes.NewReader(text))
	if err != nil {
		return false, err
	}
	if len(found) != 1 {
		return false, fmt.Errorf("%s: want one document, found %d", suite.File, len(found))
	}
	f := &rewriter{doc: found[0].Document, lines: strings.SplitAfter(string(text), "\n")}
	for _, j := range plan(crds, []*Suite{suite}) {
		if whySkipped(j.err) != "" {
			continue
		}
		if j.err != nil {
			return false, j.err
		}
		if err := f.addCase(ctx, &j); err != nil {
			return false, err
		}
	}
	if len(f.edits) == 0 {
		return false, nil
	}
	return true, os.WriteFile(suite.File, []byte(f.apply()), 0o644)
}

// rewriter collects changes of a file.
type rewriter struct {
	doc   *manifest.Document
	lines []string
	edits []lineEdit
}

// lineEdit replaces the lines from up to to, which count from 0.
type lineEdit struct {
	from, to int
	text     string
}

// addCase runs a case to its end, and adds an edit for each step that is not as
// stated.
func (f *rewriter) addCase(ctx context.Context, j *job) error {
	p := play{server: j.server, suite: j.suite, stored: storedAtFirst(j.c)}
	for i := range j.c.Steps {
		step := &j.c.Steps[i]
		done, err := p.request(ctx, step)
		if err != nil {
			return &stepError{j.c.position(j.suite, step), step.Verb, err}
		}
		if done.compare(&step.Want) == nil {
			continue
		}
		text, err := yaml.Marshal(map[string]any{"want": done.wanted(&step.Want)})
		if err != nil {
			return err
		}
		if err := f.replaceWant(step.path, string(text)); err != nil {
			return err
		}
	}
	return nil
}

// wanted returns what a file states about an outcome.
func (o *outcome) wanted(before *Want) map[string]any {
	if o.err != nil {
		errs := []string{o.err.Error()}
		if status, ok := errors.AsType[*crdsem.StatusError](o.err); ok && len(status.Errors) > 0 {
			errs = textsOf(status.Errors)
		}
		return map[string]any{"error": errs}
	}
	want := map[string]any{}
	if before.Object != nil || before.refused() {
		want["object"] = forComparison(o.object, before.Object)
	}
	if before.Warnings != nil || len(o.result.Warnings) > 0 {
		want["warnings"] = append([]string{}, o.result.Warnings...)
	}
	if before.Ratcheted != nil {
		want["ratcheted"] = append([]string{}, textsOf(o.result.Ratcheted)...)
	}
	if before.Cost != nil {
		want["cost"] = o.result.Cost
	}
	return want
}

// replaceWant replaces what a step states, or adds it at the end of the step.
func (f *rewriter) replaceWant(path, text string) error {
	step := f.doc.Find(path).Key
	want := f.doc.Find(path + ".want")
	at := want.Key
	first := f.lines[step.Line-1]
	if first[min(step.Column-1, len(first)):][0] == '{' {
		return fmt.Errorf("%s: write the case in lines of its own, not in braces", step)
	}
	edit := lineEdit{}
	if want.Missing == "" {
		edit.from, edit.to = at.Line-1, f.end(at)
		text = f.lines[at.Line-1][:at.Column-1] + indented(text, at.Column-1)
	} else {
		edit.from = f.end(manifest.Position{Line: step.Line, Column: step.Column - 1})
		edit.to = edit.from
		text = strings.Repeat(" ", step.Column-1) + indented(text, step.Column-1)
	}
	edit.text = text
	f.edits = append(f.edits, edit)
	return nil
}

// end returns the number of the first line after a block. Its lines are
// indented more than its key. Blank lines at the end are not part of it.
func (f *rewriter) end(key manifest.Position) int {
	end := key.Line
	for i := key.Line; i < len(f.lines); i++ {
		line := strings.TrimLeft(f.lines[i], " ")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(f.lines[i])-len(line) < key.Column {
			break
		}
		end = i + 1
	}
	return end
}

// indented returns a text whose lines after the first are indented.
func indented(text string, by int) string {
	text = strings.TrimSuffix(text, "\n")
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", by)) + "\n"
}

// apply returns the text of the file with the changes.
func (f *rewriter) apply() string {
	slices.SortFunc(f.edits, func(a, b lineEdit) int { return a.from - b.from })
	var out strings.Builder
	next := 0
	for _, e := range f.edits {
		out.WriteString(strings.Join(f.lines[next:e.from], ""))
		if !strings.HasSuffix(out.String(), "\n") && out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(e.text)
		next = e.to
	}
	out.WriteString(strings.Join(f.lines[next:], ""))
	return out.String()
}
