package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/inputs"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/manifest"
	"github.com/crdsem/crdsem/minors"
)

func newValidateCommand() *cobra.Command {
	v := &validation{}
	cmd := &cobra.Command{
		Use:   "validate PATH...",
		Short: "judge definitions and custom resources in files and folders",
		Long: `Validate reads manifests from files, folders with all folders below, globs, pipes, and for - the
standard input. Definitions may be anywhere among them, or in paths that --crd names. They are
checked, and the custom resources of their kinds are judged as new objects. Lists are opened.

Unknown and duplicate fields are errors, as for kubectl apply; --field-validation changes that.
Objects of other kinds are counted as not judged. A document that cannot be read is an error of that
document: the others are judged.

A resourceVersion is only warned of, because files often come from kubectl get -o yaml: a server
refuses to create an object with one.

With several minors of Kubernetes, everything is judged as by each of them. The output says where a
verdict changes and why, and the exit code is that of the worst verdict.`,
		Example: `  crdsem validate config/
  kustomize build overlays/prod | crdsem validate --crd config/crd -
  helm template ./chart --include-crds | crdsem validate -
  crdsem validate --kubernetes 1.31-1.37 config/`,
		RunE: runs(v.run),
	}
	flags := cmd.Flags()
	crdFlag(cmd, &v.crds)
	flags.BoolVar(&v.requireDefinitions, "require-definitions", false,
		"refuse objects of kinds that have no definition and are not built into Kubernetes")
	forceFlag(cmd, &v.force)
	flags.BoolVarP(&v.verbose, "verbose", "v", false,
		"print accepted documents too, what decoding changes, and what would be stored")
	verdictFlags(cmd, v, "Strict", "Warn", "Ignore")
	return cmd
}

// validation is one run of the command.
type validation struct {
	crds                               []string
	fieldValidation, output            string
	requireDefinitions, force, verbose bool

	minors []minors.Minor

	// oldDefinitions and oldObjects are paths of what is stored.
	oldDefinitions, oldObjects []string
	// definitionsOnly leaves out all other documents, and objectsOnly the
	// definitions of --crd that are fine.
	definitionsOnly, objectsOnly bool

	judge   judge.Judge // what the judges of the panel are like
	panel   *judge.Panel
	checked map[place]*verdict.Result // the results of definitions
	apart   map[string]bool           // names of inputs that were given for their definitions only
	judged  int                       // documents of other inputs that have a verdict
	summary verdict.Summary
}

// place identifies a document among the inputs.
type place struct {
	input *inputs.Input
	index int    // among the documents of the input
	item  string // of a list, e.g. items[3]
}

func (v *validation) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("no file or folder given")
	}
	if err := v.begin(std); err != nil {
		return 0, err
	}
	list := v.find(args, std)
	defer closeInputs(list)
	screen := newScreen(std)
	printer, err := output.New(v.output, screen, screen.style(v.verbose))
	if err != nil {
		return 0, err
	}
	v.define(ctx, list, screen)
	if err := store(documentsIn(v.oldObjects, std.in), v.panel.Store); err != nil {
		return 0, err
	}
	for results := range judge.Ordered(documents(list), func(j job) []*verdict.Result {
		return v.results(ctx, j)
	}) {
		for _, r := range results {
			v.count(r)
			if err := printer.Print(r); err != nil {
				return 0, err
			}
		}
		screen.advance(v.summary.Documents, "documents")
	}
	if err := printer.Close(&v.summary); err != nil {
		return 0, err
	}
	return v.exitCode(), screen.close()
}

// begin makes the panel, and tells it of the stored definitions.
func (v *validation) begin(std streams) error {
	v.judge.FieldValidation = crdsem.FieldValidation(v.fieldValidation)
	v.summary.FieldValidation = v.fieldValidation
	if v.force {
		v.judge.Refused = judge.JudgeObjects
	}
	if v.requireDefinitions {
		v.judge.Unknown = judge.RefuseUnknown
	}
	if v.verbose && v.judge.Details == judge.FindingsOnly {
		v.judge.Details = judge.AllDetails
	}
	for _, minor := range v.minors {
		v.summary.Kubernetes = append(v.summary.Kubernetes, minor.String())
	}
	v.panel = judge.NewPanel(v.judge, v.minors)
	return store(definitionsIn(v.oldDefinitions, std.in), v.panel.StoreDefinition)
}

// store passes the objects of some documents on. It stops at the first error,
// which may be that of a document.
func store(docs iter.Seq2[*manifest.Document, error], do func(map[string]any) error) error {
	for doc, err := range docs {
		if err != nil {
			return err
		}
		object, _, err := doc.Object()
		if err != nil {
			return err
		}
		if err := do(object); err != nil {
			return fmt.Errorf("%v: %w", doc.Start(), err)
		}
	}
	return nil
}

// find returns the inputs: first those of --crd that are not among the others.
func (v *validation) find(args []string, std streams) []*inputs.Input {
	list := inputs.Find(args, std.in)
	given := map[string]bool{}
	for _, in := range list {
		given[in.Path()] = true
	}
	var crds []*inputs.Input
	v.apart = map[string]bool{}
	for _, in := range inputs.Find(v.crds, std.in) {
		if !given[in.Path()] {
			crds = append(crds, in)
			v.apart[in.Name] = true
		}
	}
	return append(crds, list...)
}

func closeInputs(list []*inputs.Input) {
	for _, in := range list {
		// At worst a file stays in the temporary folder.
		_ = in.Close()
	}
}

// define checks all definitions and makes them known.
func (v *validation) define(ctx context.Context, list []*inputs.Input, screen *screen) {
	v.checked = map[place]*verdict.Result{}
	documentsRead := 0
	for found := range judge.Ordered(documents(list), func(j job) []placedDefinition {
		return v.definitionsIn(ctx, j)
	}) {
		for _, d := range found {
			v.checked[d.place] = v.panel.Add(d.checked)
		}
		documentsRead++
		screen.advance(documentsRead, "documents read")
	}
}

// placedDefinition is a definition with its place among the inputs.
type placedDefinition struct {
	checked []*judge.Definition
	place
}

// definitionsIn checks the definitions in a document.
func (v *validation) definitionsIn(ctx context.Context, j job) []placedDefinition {
	if j.err != nil || !bytes.Contains(j.doc.Data, []byte("CustomResourceDefinition")) {
		return nil
	}
	object, strict, err := j.doc.Object()
	if err != nil {
		return nil
	}
	if judge.IsDefinition(object) {
		return []placedDefinition{{v.panel.Check(ctx, j.doc, object, strict), j.place}}
	}
	items, _, _ := j.doc.Items(object, strict) // the error is reported with the items
	var found []placedDefinition
	for _, item := range items {
		if object, strict, err := item.Object(); err == nil && judge.IsDefinition(object) {
			at := place{j.input, j.index, item.Item}
			found = append(found, placedDefinition{v.panel.Check(ctx, item, object, strict), at})
		}
	}
	return found
}

// results returns the results of a document: several for a list.
func (v *validation) results(ctx context.Context, j job) []*verdict.Result {
	if j.err != nil {
		return []*verdict.Result{failure(j)}
	}
	if r := v.checked[j.place]; r != nil {
		return v.shown(j, r)
	}
	object, strict, err := j.doc.Object()
	switch {
	case err != nil:
		return []*verdict.Result{judge.Unreadable(j.doc, err)}
	case v.panel.Defines(object):
		return v.one(ctx, j, object, strict)
	}
	items, isList, err := j.doc.Items(object, strict)
	if !isList {
		return v.one(ctx, j, object, strict)
	}
	var results []*verdict.Result
	for found := range judge.Ordered(jobsOf(j, items), func(j job) []*verdict.Result {
		object, strict, _ := j.doc.Object() // an item has no error
		return v.one(ctx, j, object, strict)
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
	if errors.Is(j.err, errEmpty) && !j.input.IsStream() {
		r.Verdict, r.Reason = verdict.NotJudged, verdict.NoObject
		r.Findings[0].Severity = verdict.Warning
	}
	return r
}

// shown returns the result of a definition, if it is to be printed.
func (v *validation) shown(j job, r *verdict.Result) []*verdict.Result {
	fine := r.Verdict == verdict.Accepted && len(r.Findings) == 0
	if v.objectsOnly && v.apart[j.input.Name] && fine {
		return nil
	}
	return []*verdict.Result{r}
}

// one returns the result of a document that is not a list. Of an input that was
// given for its definitions, other documents are left out.
func (v *validation) one(
	ctx context.Context, j job, object map[string]any, strict []*manifest.Error,
) []*verdict.Result {
	if r := v.checked[j.place]; r != nil {
		return v.shown(j, r)
	}
	if v.apart[j.input.Name] || v.definitionsOnly {
		return nil
	}
	return []*verdict.Result{v.panel.Send(ctx, j.doc, object, strict)}
}

// count counts a result.
func (v *validation) count(r *verdict.Result) {
	v.summary.Add(r)
	if !v.apart[r.File] && (r.Verdict == verdict.Accepted || r.Verdict == verdict.Refused) {
		v.judged++
	}
}

// exitCode returns the exit code of the whole run.
func (v *validation) exitCode() int {
	s := &v.summary
	failed := s.Objects.Refused + s.Objects.Unreadable + s.Definitions.Refused
	switch {
	case s.Unread > 0:
		return exitFailed
	case failed > 0:
		return exitRefused
	case v.judged == 0:
		return exitNotJudged
	default:
		return exitOK
	}
}
