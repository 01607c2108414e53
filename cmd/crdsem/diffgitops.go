package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/internal/app/applying"
	"github.com/crdsem/crdsem/internal/app/drift"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/catalog"
	"github.com/crdsem/crdsem/kit/manifest"
)

// drifting is the output for one object or definition of a file.
type drifting struct {
	Object string        `json:"object"`
	At     string        `json:"at"`
	Drift  []placedDrift `json:"drift"`

	in inputObject
}

// placedDrift is a value with its place in the file.
type placedDrift struct {
	drift.Drift
	At string `json:"at"`
}

// placed returns drift with its places.
func (in inputObject) placed(list []drift.Drift) (placed []placedDrift) {
	for _, d := range list {
		placed = append(placed, placedDrift{d, in.Find(d.Path).Key.String()})
	}
	return placed
}

// findDrift compares files with what a server stores of them.
func (d *differ) findDrift(ctx context.Context, args []string, std streams) (int, error) {
	hook, stop, err := d.webhook.open()
	if err != nil {
		return 0, err
	}
	defer stop()
	options := []crdsem.DefinitionOption{applying.Option(), crdsem.ConversionWebhook(hook)}
	defs := definitions{Catalog: catalog.New(options...)}
	if len(d.crds) > 0 {
		if defs, err = readDefinitions(d.crds, std, options...); err != nil {
			return 0, err
		}
	}
	objects, failures := defs.readAll(args, std)
	found, sum := []drifting{}, driftSummary{}
	for _, in := range objects {
		list, isKnown, errs := d.driftOf(ctx, defs, in)
		failures = append(failures, errs...)
		switch {
		case isKnown:
			sum.Objects++
		case len(errs) == 0:
			sum.NotJudged++
		}
		if len(list) > 0 {
			found = append(found, drifting{
				Object: judge.NewResult(in.Document, in.Content).Subject(),
				At:     in.Start().String(), Drift: in.placed(list), in: in,
			})
		}
	}
	for _, err := range failures {
		visible.Printf(std.err, "%s\n", err)
	}
	sum.Drifting = len(found)
	return d.reportDrift(found, sum, len(failures), std)
}

// readAll reads the objects and the definitions in some paths, and adds the
// definitions.
func (d definitions) readAll(paths []string, std streams) (all []inputObject, failures []error) {
	sources := manifest.Find(paths, std.in)
	defer closeSources(sources)
	for o, err := range manifest.Objects(sources) {
		if err == nil {
			all = append(all, inputObject{o})
			_, err = d.AddAll(func(yield func(manifest.Object, error) bool) { yield(o, nil) })
		}
		if err != nil {
			failures = append(failures, err)
		}
	}
	return all, failures
}

// driftOf returns the drift of an object. isKnown is false if its kind has no
// definition, and if there are errors.
func (d *differ) driftOf(
	ctx context.Context, defs definitions, in inputObject,
) (list []drift.Drift, isKnown bool, errs []error) {
	var err error
	if manifest.IsDefinition(in.Content) {
		list, err = drift.OfDefinition(in.Content)
	} else {
		version, unknown := defs.Version(in.Content)
		if _, err := defs.Definition(in.Content); err != nil {
			return nil, false, nil
		}
		if unknown != nil {
			return nil, false, []error{in.fail("apiVersion", unknown)}
		}
		list, err = drift.Of(ctx, version, in.Content)
	}
	switch {
	case errors.Is(err, crdsem.ErrNoWebhook):
		errs = []error{in.fail("apiVersion",
			errors.New("not judged: a conversion webhook decides; --webhook URL asks it"))}
	case err != nil:
		errs = in.refusals(err, nil, in.Content)
	}
	return list, err == nil, errs
}

// driftSummary is the summary of diff --gitops. NotJudged are the objects of
// kinds without a definition.
type driftSummary struct {
	Objects   int `json:"objects"`
	Drifting  int `json:"drifting"`
	NotJudged int `json:"notJudged"`
}

// reportDrift prints an item for each object that drifts.
func (d *differ) reportDrift(
	found []drifting, summary driftSummary, failures int, std streams,
) (int, error) {
	code := exitOK
	switch {
	case failures > 0:
		code = exitFailed
	case len(found) > 0:
		code = exitRefused
	case summary.Objects == 0:
		code = exitNotJudged
	}
	printer, err := output.New(d.output, output.Config{
		Out: std.out, Err: std.err, Rule: rules.Describe,
	})
	if err != nil {
		return 0, err
	}
	for i := range found {
		one := &found[i]
		item := &output.Item{List: "results", Value: one, Result: one.result(), Text: one.text}
		if err := printer.Print(item); err != nil {
			return 0, err
		}
	}
	text := fmt.Sprintf("%s: %d with drift\n", count(summary.Objects, "object"), summary.Drifting)
	if n := summary.NotJudged; n > 0 {
		text += fmt.Sprintf("not judged, without a definition: %s\n", count(n, "object"))
	}
	if err := printer.Add(&output.Member{
		Name: output.Summary, Value: summary, Text: text,
	}); err != nil {
		return 0, err
	}
	return code, printer.Close()
}

// result returns a finding for each value.
func (o *drifting) result() *verdict.Result {
	r := judge.NewResult(o.in.Document, o.in.Content)
	r.Definition = manifest.IsDefinition(o.in.Content)
	for _, d := range o.Drift {
		at := o.in.Find(d.Path).Key
		r.Findings = append(r.Findings, verdict.Finding{
			Severity: verdict.Warning, Line: at.Line, Column: at.Column, Field: d.Path,
			Text: d.Path + ": " + d.Why + " (" + toolsText(d.Tools) + ")", Rule: d.Rule,
		})
	}
	return r
}

// text returns the object and its values, with their places.
func (o *drifting) text() string {
	var b strings.Builder
	visible.Printf(&b, "%s: %s\n", o.At, o.Object)
	for _, d := range o.Drift {
		visible.Printf(&b, "  %v: %s: %s [%s] (%s)\n",
			d.At, d.Path, d.Why, d.Rule, toolsText(d.Tools))
	}
	return b.String()
}

func toolsText(tools []drift.Tool) string {
	var names []string
	for _, t := range tools {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}
