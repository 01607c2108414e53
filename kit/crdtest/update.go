package crdtest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kit/crdtest/internal/source"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Rewritten is a file that [Rewrite] changed.
type Rewritten struct {
	// File is the path of the file.
	File string
	// Warnings are about requests that were to be admitted and that the file
	// now states to be refused, or the other way round. They name the case.
	Warnings []string
}

// Rewrite writes the outcomes of cases into the files of suites in the format
// of this package, where they are not as stated. It returns the files that it
// changed. Suites in other formats are left as they are.
//
// Of a request that is admitted, it writes the fields that the case states,
// warnings, and the object if the case stated an error. The rest of the file
// stays as it is, comments too. A case in flow style, e.g. {name: a, ...}, is
// an error, because its lines cannot be replaced. So are a definition that a
// server refuses, a request that cannot be sent, and an outcome that differs
// between the minors of the suite.
func Rewrite(ctx context.Context, crds []*CRD, suites []*Suite) ([]Rewritten, error) {
	var changed []Rewritten
	for _, suite := range suites {
		if !isNative(suite.File) {
			continue
		}
		f, err := rewrite(ctx, crds, suite)
		if err != nil {
			return changed, err
		}
		if len(f.edits) > 0 {
			changed = append(changed, Rewritten{File: suite.File, Warnings: f.warnings})
		}
	}
	return changed, nil
}

// rewrite rewrites the file of one suite, and returns its changes.
func rewrite(ctx context.Context, crds []*CRD, suite *Suite) (*rewriter, error) {
	text, err := source.ReadFile(suite.File)
	if err != nil {
		return nil, err
	}
	found, err := source.All(manifest.Parse(suite.File, bytes.NewReader(text)))
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s: want one document, found %d", suite.File, len(found))
	}
	f := &rewriter{
		doc: found[0].Document, lines: strings.SplitAfter(string(text), "\n"),
		stated: map[manifest.Position]statement{},
	}
	for _, j := range withDefinitions(ctx, Jobs(crds, []*Suite{suite})) {
		if _, believed := errors.AsType[warning](j.err); believed || whySkipped(j.err) != "" {
			continue
		}
		if j.err != nil {
			return nil, j.err
		}
		if err := f.addCase(ctx, j); err != nil {
			return nil, err
		}
	}
	if len(f.edits) == 0 {
		return f, nil
	}
	changed := []byte(f.apply())
	if _, err := source.All(manifest.Parse(suite.File, bytes.NewReader(changed))); err != nil {
		return nil, fmt.Errorf("the outcomes cannot be written: %w", err)
	}
	return f, os.WriteFile(suite.File, changed, 0o644)
}

// rewriter collects changes of a file.
type rewriter struct {
	doc      *manifest.Document
	lines    []string
	edits    []lineEdit
	warnings []string
	// stated has what each step states after the change, by its place.
	stated map[manifest.Position]statement
}

// statement is what a step states after the change, and the path of the step.
// The text is empty for a step that stays as it is.
type statement struct{ path, text string }

// lineEdit replaces the lines from up to to, which count from 0.
type lineEdit struct {
	from, to int
	text     string
}

// addCase runs a case to its end, and adds an edit for each step that is not as
// stated.
func (f *rewriter) addCase(ctx context.Context, j *Job) error {
	p := play{server: j.server, suite: j.suite}
	if err := p.start(j.c); err != nil {
		return err
	}
	for i := range j.c.Steps {
		step := &j.c.Steps[i]
		done, err := p.request(ctx, step)
		if err == nil {
			err = f.addStep(j.c, step, done)
		}
		if err != nil {
			return j.c.placed(j.suite, step, err)
		}
	}
	return nil
}

// addStep adds an edit for a step, unless its outcome is as stated. A step that
// was added before, with another minor or by an alias of YAML, must have the
// same outcome.
func (f *rewriter) addStep(c *Case, step *Step, done *outcome) error {
	stated := ""
	if done.compare(&step.Want) != nil {
		text, err := yaml.Marshal(map[string]any{"want": done.wanted(&step.Want)})
		if err != nil {
			return err
		}
		stated = string(text)
	}
	at := f.placeOf(step)
	before, known := f.stated[at]
	f.stated[at] = statement{step.path, stated}
	switch {
	case known && before.text != stated && before.path == step.path:
		return errors.New("the outcome depends on the minor of Kubernetes: write a case for each")
	case known && before.text != stated:
		return errors.New("the outcome depends on the case: write the step without an alias")
	case known || stated == "":
		return nil
	}
	f.warn(c, step, done)
	return f.replaceWant(step, stated)
}

// warn adds a warning if a step will state the opposite.
func (f *rewriter) warn(c *Case, step *Step, done *outcome) {
	const was = "%s (%s): the request was to be %s; the file now states that it is %s"
	switch refused := step.Want.refused(); {
	case refused && done.err == nil:
		f.warnings = append(f.warnings, fmt.Sprintf(was, step.path, c.Name, "refused", "admitted"))
	case !refused && done.err != nil:
		f.warnings = append(f.warnings,
			fmt.Sprintf(was+": %v", step.path, c.Name, "admitted", "refused", done.err))
	}
}

// wanted returns what a file states about an outcome.
func (o *outcome) wanted(before *Want) map[string]any {
	if o.err != nil {
		return map[string]any{"error": refusalTexts(o.err)}
	}
	want := map[string]any{}
	if before.Object != nil || before.refused() {
		want["object"] = forComparison(o.object, before.Object)
	}
	if before.Versions != nil {
		versions := map[string]any{}
		for name, stated := range before.Versions {
			versions[name] = forComparison(o.versions[name], stated)
		}
		want["versions"] = versions
	}
	if lost := o.lost(before); len(lost) > 0 {
		want["mayLose"] = lost
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

// lost returns the fields that a case says may be lost, and those that are.
func (o *outcome) lost(before *Want) []string {
	fields := slices.Clone(before.MayLose)
	for _, loss := range o.losses {
		if !mayLose(fields, loss.Path) {
			fields = append(fields, loss.Path)
		}
	}
	return fields
}

// placeOf returns the place of a step's verb, which an alias of the step has
// too.
func (f *rewriter) placeOf(step *Step) manifest.Position {
	return f.doc.Find(step.path + "." + string(step.Verb)).Key
}

// replaceWant replaces what a step states, or adds it at the end of the step.
func (f *rewriter) replaceWant(of *Step, text string) error {
	first, step := f.doc.Find(of.path).Key, f.placeOf(of)
	want := f.doc.Find(of.path + ".want")
	at := want.Key
	if f.lines[first.Line-1][first.Column-1] == '{' {
		return errors.New("write the case in lines of its own, not in braces")
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

// apply returns the text of the file with the changes. What is added at the end
// of a step comes before the next one.
func (f *rewriter) apply() string {
	slices.SortFunc(f.edits, func(a, b lineEdit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
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
