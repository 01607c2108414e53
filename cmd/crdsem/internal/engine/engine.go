// Package engine judges the documents of the commands validate, check, lint and
// admit: it finds files, checks the definitions among them, sends the objects
// to the server that these make, and prints the results.
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/gotypes"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/screen"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// Engine judges documents. Each command sets the fields that make it different.
// An Engine is for one run.
type Engine struct {
	Inputs
	Judging
	Printing

	// Repo is what is known of the repository that has the files. Its
	// configuration is Config.
	Repo   Repo
	Config *config.File
	// Summary counts what was judged.
	Summary verdict.Summary

	run
}

// Inputs are the paths that an engine reads, next to its arguments.
type Inputs struct {
	CRDs []string // of definitions
	// OldDefinitions and OldObjects are paths of what is stored.
	OldDefinitions, OldObjects []string
	// Old are paths of what is stored, definitions and objects.
	Old        []string
	OpenAPI    []string // of OpenAPI documents
	GoPackages []string // of types that definitions are generated from
	// Kustomize are the folders that are rendered, by a program that only the
	// command line names: a repository must not choose what is run.
	Kustomize        []string
	KustomizeProgram string
	// Helm are the folders whose charts are rendered, by HelmProgram.
	Helm        []string
	HelmProgram string
}

// Judging is how documents are judged.
type Judging struct {
	Judge              judge.Judge // what the judges of the panel are like
	Minors             []minors.Minor
	FieldValidation    string
	RequireDefinitions bool // refuse objects of kinds without a definition
	AllowUnknown       bool // accept kinds that are nearly those of a definition
	NoCache            bool // check all definitions, also those that are known to be fine
	Force              bool // judge objects of refused definitions
	// BuiltIn is ByStructure for judging objects of kinds that are built into
	// Kubernetes.
	BuiltIn string
}

// ByStructure validates built-in kinds by the structure that Kubernetes
// publishes.
const ByStructure = "structure"

// Printing is what is printed of the results.
type Printing struct {
	Output  string // the format
	Verbose bool
	// DefinitionsOnly leaves out all other documents, and ObjectsOnly the
	// definitions of CRDs that are fine.
	DefinitionsOnly, ObjectsOnly bool
}

// Streams are the standard streams.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Outcome is how a run ended.
type Outcome int

// The outcomes.
const (
	Accepted  Outcome = iota // everything
	Refused                  // a document
	Unread                   // a document, and the others were judged
	NotJudged                // nothing was refused, and nothing judged
)

// run is the state of a run.
type run struct {
	types    *gotypes.Types
	missing  missing
	twice    judge.Twice
	said     said
	rendered map[*manifest.Source]*rendering // the sources that kustomize made
	panel    *judge.Panel
	// oldObjects are the stored objects among what is stored.
	oldObjects []manifest.Object
	unstored   []*verdict.Result         // of what is stored and cannot be read
	checked    map[place]*verdict.Result // the results of definitions
	apart      map[string]bool           // inputs that were given for their definitions only
	judged     int                       // documents of other inputs that have a verdict
	unrendered []string                  // the folders of kustomizations that were read
	given      []job                     // the documents of inputs that are apart
}

// place identifies a document among the inputs.
type place struct {
	input *manifest.Source
	index int    // among the documents of the input
	item  string // of a list, e.g. items[3]
}

// Run judges the documents at some paths.
func (e *Engine) Run(ctx context.Context, args []string, std Streams) (Outcome, error) {
	if err := e.begin(std); err != nil {
		return 0, err
	}
	if err := e.AddVendored(); err != nil {
		return 0, err
	}
	list, all, err := e.inputs(ctx, args, std)
	defer closeSources(all)
	if err != nil {
		return 0, err
	}
	e.said = said{}
	show := screen.New(std.Out, std.Err)
	style := show.Style(e.Verbose)
	style.Unjudged = e.Repo.ListUnjudged
	judged := &output.Documents{Style: style}
	printer, err := output.New(e.Output, output.Config{
		Out: show, Err: std.Err, Rule: rules.Describe,
	})
	if err != nil {
		return 0, err
	}
	if err := e.readOpenAPI(std); err != nil {
		return 0, err
	}
	if err := e.define(ctx, list, show); err != nil {
		return 0, err
	}
	e.Repo.TypeOf = e.panel.TypeOf
	if err := e.storeObjects(std); err != nil {
		return 0, err
	}
	if err := e.printUnstored(printer, judged); err != nil {
		return 0, err
	}
	for results := range parallel.InOrder(e.jobs(list), func(j job) []*verdict.Result {
		return e.results(ctx, j)
	}) {
		for _, r := range results {
			e.missing.add(r, e.Config)
			e.twice.Add(r)
			if len(e.Kustomize) > 0 {
				e.said.once(r, e.Repo.isPatchFile)
			}
			e.count(r)
			if err := printer.Print(judged.Item(r)); err != nil {
				return 0, err
			}
		}
		show.Advance(e.Summary.Documents, "documents")
	}
	if err := judged.End(printer, &e.Summary); err != nil {
		return 0, err
	}
	if err := show.Close(); err != nil {
		return 0, err
	}
	e.remark(std.Err)
	return e.outcome(), nil
}

// inputs returns the inputs that are read, rendered ones included, and all that
// are to be closed.
func (e *Engine) inputs(
	ctx context.Context, args []string, std Streams,
) (list, all []*manifest.Source, err error) {
	all = e.find(args, std)
	e.Repo.Config = e.Config
	if list, err = e.Repo.Open(all); err != nil {
		return nil, all, err
	}
	e.Summary.SkippedFiles = e.Repo.skippedFiles
	rendered, err := e.render(ctx)
	all, list = append(all, rendered...), append(list, rendered...)
	if err != nil {
		return nil, all, err
	}
	charts, err := e.renderCharts(ctx)
	return append(list, charts...), append(all, charts...), err
}

// begin makes the panel, and tells it of the stored definitions.
func (e *Engine) begin(std Streams) error {
	e.Judge.Published = vendor.Publisher
	e.Judge.FieldValidation = crdsem.Strictness(e.FieldValidation)
	e.Summary.FieldValidation = e.FieldValidation
	if e.Force {
		e.Judge.Refused = judge.JudgeObjects
	}
	if e.BuiltIn == ByStructure {
		e.Judge.BuiltIn = judge.ByStructure
	}
	switch {
	case e.RequireDefinitions:
		e.Judge.Unknown = judge.RefuseUnknown
	case e.AllowUnknown:
		e.Judge.Unknown = judge.CountUnknown
	}
	if e.Verbose && e.Judge.Details == judge.FindingsOnly {
		e.Judge.Details = judge.AllDetails
	}
	for _, minor := range e.Minors {
		e.Summary.Kubernetes = append(e.Summary.Kubernetes, minor.String())
	}
	if len(e.GoPackages) > 0 {
		var err error
		if e.types, err = gotypes.Read(e.GoPackages...); err != nil {
			return fmt.Errorf("--go: %w", err)
		}
	}
	e.panel = judge.NewPanel(e.Judge, e.Minors)
	if err := e.store(manifest.Definitions(e.OldDefinitions, std.In),
		e.panel.StoreDefinition); err != nil {
		return err
	}
	return e.readOld(std)
}

// find returns the inputs: first those of --crd that are not among the others.
func (e *Engine) find(args []string, std Streams) []*manifest.Source {
	list := manifest.Find(args, std.In)
	given := map[string]bool{}
	for _, in := range list {
		given[in.Path()] = true
	}
	var crds []*manifest.Source
	e.apart = map[string]bool{}
	for _, in := range manifest.Find(e.CRDs, std.In) {
		if !given[in.Path()] {
			crds = append(crds, in)
			e.apart[in.Name] = true
		}
	}
	return append(crds, list...)
}

// isApart reports whether an input was given for its definitions only.
func (e *Engine) isApart(in *manifest.Source) bool {
	return e.rendered[in] == nil && e.apart[in.Name]
}

// define checks all definitions and makes them known.
func (e *Engine) define(
	ctx context.Context, list []*manifest.Source, show *screen.Screen,
) error {
	e.checked = map[place]*verdict.Result{}
	documentsRead := 0
	c := e.openCache()
	add := func(read readDocument) error {
		for _, d := range read.found {
			if d.openAPI {
				if err := e.addOpenAPI(d.input.Name, d.content); err != nil {
					return err
				}
				continue
			}
			e.addDefinition(d)
		}
		documentsRead++
		show.Advance(documentsRead, "documents read")
		return nil
	}
	isOther := func(in *manifest.Source) bool { return !e.isApart(in) }
	given := slices.DeleteFunc(slices.Clone(list), isOther)
	read := func(in *manifest.Source) []readDocument { return e.readGiven(ctx, in, c) }
	for all := range parallel.InOrder(slices.Values(given), read) {
		for _, read := range all {
			e.keep(read)
			if err := add(read); err != nil {
				return err
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(list), e.isApart)
	for read := range parallel.InOrder(documents(rest), func(j job) readDocument {
		return readDocument{j, e.definitionsIn(ctx, j)}
	}) {
		if err := add(read); err != nil {
			return err
		}
	}
	c.write()
	return nil
}

// addDefinition makes a definition known, and remembers its result.
func (e *Engine) addDefinition(d placedDefinition) {
	r := e.panel.Add(d.checked)
	judge.FoldCosts(r)
	for i := 0; e.DefinitionsOnly && i < len(d.checked); i++ {
		d.checked[i].Release()
	}
	e.Repo.dropStorage(r)
	e.rendered[d.input].place(r, d.original)
	if e.types != nil {
		addGoFields(r, e.types, d.content)
	}
	e.checked[d.place] = r
}

// placedDefinition is a definition with its place among the inputs.
type placedDefinition struct {
	checked []*judge.Definition
	place
	original *manifest.Object // of one that kustomize made
	content  map[string]any
	openAPI  bool // content is an OpenAPI document
}

// definitionsIn checks the definitions in a document.
func (e *Engine) definitionsIn(ctx context.Context, j job) []placedDefinition {
	if j.err != nil {
		return nil
	}
	e.Repo.readOwner(j)
	mayDescribe := e.isApart(j.input) && bytes.Contains(j.doc.Data, []byte("openapi"))
	if !mayDescribe && !bytes.Contains(j.doc.Data, []byte("CustomResourceDefinition")) {
		return nil
	}
	object, strict, err := j.doc.Object()
	if err != nil {
		return nil
	}
	if e.isApart(j.input) && builtin.IsOpenAPI(object) {
		return []placedDefinition{{place: j.place, content: object, openAPI: true}}
	}
	if e.Repo.IsPatch(j.input.Path(), object) {
		return nil
	}
	if manifest.IsDefinition(object) {
		o := manifest.Object{Document: j.doc, Content: object, Strict: strict}
		original := e.rendered[j.input].takeOrigin(&o)
		checked := e.check(ctx, j, j.doc, o.Content, strict)
		return []placedDefinition{{checked, j.place, original, o.Content, false}}
	}
	items, _, _ := j.doc.Items(object, strict) // the error is reported with the items
	var found []placedDefinition
	for _, item := range items {
		if object, strict, err := item.Object(); err == nil && manifest.IsDefinition(object) {
			at := place{j.input, j.index, item.Item}
			checked := e.check(ctx, j, item, object, strict)
			found = append(found, placedDefinition{checked, at, nil, object, false})
		}
	}
	return found
}

// check checks a definition. One that is there for its objects is not written.
func (e *Engine) check(
	ctx context.Context, j job, doc *manifest.Document, object map[string]any,
	strict []*manifest.Error,
) []*judge.Definition {
	if e.ObjectsOnly || e.isApart(j.input) {
		return e.panel.CheckGiven(ctx, doc, object, strict)
	}
	return e.panel.Check(ctx, doc, object, strict)
}

// results returns the results of a document: several for a list.
func (e *Engine) results(ctx context.Context, j job) []*verdict.Result {
	if j.err != nil {
		return []*verdict.Result{failure(j)}
	}
	if r := e.checked[j.place]; r != nil {
		return e.shown(j, r)
	}
	object, strict, err := j.doc.Object()
	switch {
	case err != nil:
		r := e.Repo.Unreadable(ctx, e.panel, j.input.Path(), j.doc, err)
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
	if errors.Is(j.err, manifest.ErrEmpty) && !j.input.IsStream() {
		r.Verdict, r.Reason = verdict.NotJudged, verdict.NoObject
		r.Findings[0].Severity = verdict.Warning
	}
	return r
}

// shown returns the result of a definition, if it is to be printed.
func (e *Engine) shown(j job, r *verdict.Result) []*verdict.Result {
	fine := r.Verdict == verdict.Accepted && len(r.Findings) == 0
	if e.ObjectsOnly && e.isApart(j.input) && fine {
		return nil
	}
	return []*verdict.Result{r}
}

// one returns the result of a document that is not a list. Of an input that was
// given for its definitions, other documents are left out.
func (e *Engine) one(
	ctx context.Context, j job, object map[string]any, strict []*manifest.Error,
) []*verdict.Result {
	if r := e.checked[j.place]; r != nil {
		return e.shown(j, r)
	}
	if e.isApart(j.input) || e.DefinitionsOnly {
		return nil
	}
	o := manifest.Object{Document: j.doc, Content: object, Strict: strict}
	rendered := e.rendered[j.input]
	original := rendered.takeOrigin(&o)
	r := e.Repo.Send(ctx, e.panel, rendered.path(j.input), o)
	e.Repo.Ignored.Add(int64(rendered.place(r, original)))
	return []*verdict.Result{r}
}

// count counts a result.
func (e *Engine) count(r *verdict.Result) {
	e.Summary.Ignored = int(e.Repo.Ignored.Load())
	e.Summary.Add(r)
	isApart := r.Definition && e.apart[r.File]
	if r.Reason == verdict.ToolFile &&
		slices.Contains(repository.Kustomizations, filepath.Base(r.File)) {
		e.unrendered = append(e.unrendered, filepath.Dir(r.File))
	}
	if !isApart && (r.Verdict == verdict.Accepted || r.Verdict == verdict.Refused) {
		e.judged++
	}
}

// outcome returns how the whole run ended.
func (e *Engine) outcome() Outcome {
	s := &e.Summary
	failed := s.Objects.Refused + s.Objects.Unreadable + s.Definitions.Refused
	switch {
	case s.Unread > 0:
		return Unread
	case failed > 0:
		return Refused
	case e.judged == 0:
		return NotJudged
	default:
		return Accepted
	}
}

// closeSources removes what was kept of sources. At worst a file stays in the
// temporary folder.
func closeSources(sources []*manifest.Source) { _ = manifest.Close(sources) }
