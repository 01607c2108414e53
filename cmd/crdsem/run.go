package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/gotypes"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/manifest/files"
	"github.com/crdsem/crdsem/minors"
)

// engine judges the documents of validate, check, lint and admit. Each of them
// sets the fields that make it different.
type engine struct {
	crds                               []string
	fieldValidation, output            string
	requireDefinitions, force, verbose bool

	settings
	goPackages []string // of types that definitions are generated from
	types      *gotypes.Types
	repo       repo
	missing    missing

	minors []minors.Minor

	// oldDefinitions and oldObjects are paths of what is stored.
	oldDefinitions, oldObjects []string
	// definitionsOnly leaves out all other documents, and objectsOnly the
	// definitions of --crd that are fine.
	definitionsOnly, objectsOnly bool

	// rendered are the sources that kustomize made.
	rendered map[*files.Source]*rendering

	judge   judge.Judge // what the judges of the panel are like
	panel   *judge.Panel
	checked map[place]*verdict.Result // the results of definitions
	apart   map[string]bool           // names of inputs that were given for their definitions only
	judged  int                       // documents of other inputs that have a verdict
	summary verdict.Summary
}

// place identifies a document among the inputs.
type place struct {
	input *files.Source
	index int    // among the documents of the input
	item  string // of a list, e.g. items[3]
}

func (e *engine) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args)+len(e.kustomize) == 0 {
		return 0, errUsage("no file or folder given")
	}
	if err := e.begin(std); err != nil {
		return 0, err
	}
	if err := e.addVendored(); err != nil {
		return 0, err
	}
	list := e.find(args, std)
	defer closeSources(list)
	e.repo.config = e.config
	list, err := e.repo.open(list)
	if err != nil {
		return 0, err
	}
	rendered, err := e.render(ctx)
	if err != nil {
		return 0, err
	}
	defer closeSources(rendered)
	list = append(list, rendered...)
	e.summary.SkippedFiles = e.repo.skippedFiles
	screen := newScreen(std)
	judged := &output.Documents{Style: screen.style(e.verbose)}
	printer, err := output.New(e.output, output.Config{
		Out: screen, Err: std.err, Rule: rules.Describe,
	})
	if err != nil {
		return 0, err
	}
	e.define(ctx, list, screen)
	if err := e.storeObjects(std); err != nil {
		return 0, err
	}
	for results := range parallel.InOrder(documents(list), func(j job) []*verdict.Result {
		return e.results(ctx, j)
	}) {
		for _, r := range results {
			e.missing.add(r, e.config)
			e.count(r)
			if err := printer.Print(judged.Item(r)); err != nil {
				return 0, err
			}
		}
		screen.advance(e.summary.Documents, "documents")
	}
	if err := judged.End(printer, &e.summary); err != nil {
		return 0, err
	}
	for _, entry := range e.repo.unused() {
		fmt.Fprintf(std.err, "%s: ignore %s: there is no such finding\n",
			e.repo.config.Path, entry)
	}
	e.missing.print(std)
	return e.exitCode(), screen.close()
}

// begin makes the panel, and tells it of the stored definitions.
func (e *engine) begin(std streams) error {
	e.judge.Published = vendor.Publisher
	e.judge.FieldValidation = crdsem.Strictness(e.fieldValidation)
	e.summary.FieldValidation = e.fieldValidation
	if e.force {
		e.judge.Refused = judge.JudgeObjects
	}
	if e.requireDefinitions {
		e.judge.Unknown = judge.RefuseUnknown
	}
	if e.verbose && e.judge.Details == judge.FindingsOnly {
		e.judge.Details = judge.AllDetails
	}
	for _, minor := range e.minors {
		e.summary.Kubernetes = append(e.summary.Kubernetes, minor.String())
	}
	if len(e.goPackages) > 0 {
		var err error
		if e.types, err = gotypes.Read(e.goPackages...); err != nil {
			return fmt.Errorf("--go: %w", err)
		}
	}
	e.panel = judge.NewPanel(e.judge, e.minors)
	return store(files.Definitions(e.oldDefinitions, std.in), e.panel.StoreDefinition)
}

// storeObjects makes the stored objects known.
func (e *engine) storeObjects(std streams) error {
	sources := files.Find(e.oldObjects, std.in)
	defer closeSources(sources)
	return store(files.Objects(sources), e.panel.Store)
}

// store passes objects on. It stops at the first error, which may be that of an
// object.
func store(objects iter.Seq2[files.Object, error], do func(map[string]any) error) error {
	for o, err := range objects {
		if err != nil {
			return err
		}
		if err := do(o.Content); err != nil {
			return fmt.Errorf("%v: %w", o.Start(), err)
		}
	}
	return nil
}

// find returns the inputs: first those of --crd that are not among the others.
func (e *engine) find(args []string, std streams) []*files.Source {
	list := files.Find(args, std.in)
	given := map[string]bool{}
	for _, in := range list {
		given[in.Path()] = true
	}
	var crds []*files.Source
	e.apart = map[string]bool{}
	for _, in := range files.Find(e.crds, std.in) {
		if !given[in.Path()] {
			crds = append(crds, in)
			e.apart[in.Name] = true
		}
	}
	return append(crds, list...)
}

// isApart reports whether an input was given for its definitions only.
func (e *engine) isApart(in *files.Source) bool {
	return e.rendered[in] == nil && e.apart[in.Name]
}

// define checks all definitions and makes them known.
func (e *engine) define(ctx context.Context, list []*files.Source, screen *screen) {
	e.checked = map[place]*verdict.Result{}
	documentsRead := 0
	for found := range parallel.InOrder(documents(list), func(j job) []placedDefinition {
		return e.definitionsIn(ctx, j)
	}) {
		for _, d := range found {
			r := e.panel.Add(d.checked)
			for i := 0; e.definitionsOnly && i < len(d.checked); i++ {
				d.checked[i].Release()
			}
			e.rendered[d.input].place(r, d.original)
			if e.types != nil {
				addGoFields(r, e.types, d.content)
			}
			e.checked[d.place] = r
		}
		documentsRead++
		screen.advance(documentsRead, "documents read")
	}
}

// placedDefinition is a definition with its place among the inputs.
type placedDefinition struct {
	checked []*judge.Definition
	place
	original *files.Object // of one that kustomize made
	content  map[string]any
}

// definitionsIn checks the definitions in a document.
func (e *engine) definitionsIn(ctx context.Context, j job) []placedDefinition {
	if j.err != nil {
		return nil
	}
	e.repo.readOwner(j)
	if !bytes.Contains(j.doc.Data, []byte("CustomResourceDefinition")) {
		return nil
	}
	object, strict, err := j.doc.Object()
	if err != nil {
		return nil
	}
	if e.repo.IsPatch(j.input.Path(), object) {
		return nil
	}
	if files.IsDefinition(object) {
		o := files.Object{Document: j.doc, Content: object, Strict: strict}
		original := e.rendered[j.input].takeOrigin(&o)
		checked := e.panel.Check(ctx, j.doc, o.Content, strict)
		return []placedDefinition{{checked, j.place, original, o.Content}}
	}
	items, _, _ := j.doc.Items(object, strict) // the error is reported with the items
	var found []placedDefinition
	for _, item := range items {
		if object, strict, err := item.Object(); err == nil && files.IsDefinition(object) {
			at := place{j.input, j.index, item.Item}
			checked := e.panel.Check(ctx, item, object, strict)
			found = append(found, placedDefinition{checked, at, nil, object})
		}
	}
	return found
}

// results returns the results of a document: several for a list.
func (e *engine) results(ctx context.Context, j job) []*verdict.Result {
	if j.err != nil {
		return []*verdict.Result{failure(j)}
	}
	if r := e.checked[j.place]; r != nil {
		return e.shown(j, r)
	}
	object, strict, err := j.doc.Object()
	switch {
	case err != nil:
		r := e.repo.Unreadable(j.input.Path(), j.doc, err)
		e.rendered[j.input].place(r, nil)
		return []*verdict.Result{r}
	case e.panel.Defines(object):
		return e.one(ctx, j, object, strict)
	}
	items, isList, err := j.doc.Items(object, strict)
	if !isList {
		return e.one(ctx, j, object, strict)
	}
	var results []*verdict.Result
	for found := range parallel.InOrder(jobsOf(j, items), func(j job) []*verdict.Result {
		object, strict, _ := j.doc.Object() // an item has no error
		return e.one(ctx, j, object, strict)
	}) {
		results = append(results, found...)
	}
	if err != nil {
		results = append(results, judge.Unreadable(j.doc, err))
	}
	return results
}

// failure returns the result of a job with an error. A file may be empty. A
// pipe that is empty comes from a command that failed.
func failure(j job) *verdict.Result {
	r := judge.NewUnreadable(j.input.Name, j.err)
	if errors.Is(j.err, files.ErrEmpty) && !j.input.IsStream() {
		r.Verdict, r.Reason = verdict.NotJudged, verdict.NoObject
		r.Findings[0].Severity = verdict.Warning
	}
	return r
}

// shown returns the result of a definition, if it is to be printed.
func (e *engine) shown(j job, r *verdict.Result) []*verdict.Result {
	fine := r.Verdict == verdict.Accepted && len(r.Findings) == 0
	if e.objectsOnly && e.isApart(j.input) && fine {
		return nil
	}
	return []*verdict.Result{r}
}

// one returns the result of a document that is not a list. Of an input that was
// given for its definitions, other documents are left out.
func (e *engine) one(
	ctx context.Context, j job, object map[string]any, strict []*manifest.Error,
) []*verdict.Result {
	if r := e.checked[j.place]; r != nil {
		return e.shown(j, r)
	}
	if e.isApart(j.input) || e.definitionsOnly {
		return nil
	}
	o := files.Object{Document: j.doc, Content: object, Strict: strict}
	rendered := e.rendered[j.input]
	original := rendered.takeOrigin(&o)
	r := e.repo.Send(ctx, e.panel, rendered.path(j.input), o)
	e.repo.Ignored.Add(int64(rendered.place(r, original)))
	return []*verdict.Result{r}
}

// count counts a result.
func (e *engine) count(r *verdict.Result) {
	e.summary.Ignored = int(e.repo.Ignored.Load())
	e.summary.Add(r)
	isApart := r.Definition && e.apart[r.File]
	if !isApart && (r.Verdict == verdict.Accepted || r.Verdict == verdict.Refused) {
		e.judged++
	}
}

// exitCode returns the exit code of the whole run.
func (e *engine) exitCode() int {
	s := &e.summary
	failed := s.Objects.Refused + s.Objects.Unreadable + s.Definitions.Refused
	switch {
	case s.Unread > 0:
		return exitFailed
	case failed > 0:
		return exitRefused
	case e.judged == 0:
		return exitNotJudged
	default:
		return exitOK
	}
}
