package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/applying"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// compareServer applies files to the live objects, dry.
func (d *differ) compareServer(ctx context.Context, args []string, std streams) (int, error) {
	hook, stop, err := d.webhook.open()
	if err != nil {
		return 0, err
	}
	defer stop()
	defs, err := readGiven(d.crds, args, std, applying.Option(), crdsem.ConversionWebhook(hook))
	if err != nil {
		return 0, err
	}
	lives, stored, livesAreWhole, err := defs.readBoth([]string{d.live}, std)
	if err != nil {
		return 0, err
	}
	news, definitions, newsAreWhole, err := defs.readBoth(args, std)
	if err != nil {
		return 0, err
	}
	isWhole := livesAreWhole && newsAreWhole && !tellDefinitions(stored, definitions, std)
	live := map[string]inputObject{}
	for _, o := range lives {
		if _, err := defs.Definition(o.Content); err != nil && livesAreWhole {
			visible.Printf(std.err, "%s\n", o.fail("apiVersion", err))
			isWhole = false
		}
		live[defs.identity(o.Content)] = o
	}
	found := []difference{}
	for _, in := range news {
		id := defs.identity(in.Content)
		one, errs := d.dryRun(ctx, defs, live[id], in, std)
		for _, err := range errs {
			visible.Printf(std.err, "%s\n", err)
			isWhole = false
		}
		if one != nil {
			one.Object = id
			found = append(found, *one)
		}
	}
	return d.report(found, len(news), isWhole, std)
}

// tellDefinitions names the definitions that are not compared with live ones,
// and reports whether there are any.
func tellDefinitions(live, given []inputObject, std streams) (found bool) {
	for _, in := range given {
		_, name := typemeta.Name(in.Content)
		if slices.ContainsFunc(live, func(o inputObject) bool {
			_, other := typemeta.Name(o.Content)
			return name == other
		}) {
			found = true
			visible.Printf(std.err, "%s\n", in.fail("", errors.New("definitions are not "+
				"compared: crdsem check --apply MANAGER --old LIVE judges the apply, and "+
				"crdsem upgrade says what changes")))
		}
	}
	return found
}

// dryRun applies an object to the live one, which may be absent. It returns nil
// if nothing would change.
func (d *differ) dryRun(
	ctx context.Context, defs definitions, live, in inputObject, std streams,
) (*difference, []error) {
	def, err := defs.Definition(in.Content)
	if err != nil {
		return nil, []error{in.fail("apiVersion", err)}
	}
	version, err := defs.Version(in.Content)
	if err != nil {
		return nil, []error{in.fail("apiVersion", err)}
	}
	var before map[string]any
	if live.Document != nil {
		before = judge.InNamespace(def.Definition, live.Content)
	}
	done, err := d.by.Dry(ctx, version, before, judge.InNamespace(def.Definition, in.Content))
	switch {
	case errors.Is(err, crdsem.ErrNoWebhook):
		return nil, []error{in.fail("apiVersion",
			errors.New("not judged: a conversion webhook decides; --webhook URL asks it"))}
	case err != nil:
		return nil, in.refusals(err, before, in.Content)
	}
	for _, path := range done.Unknown {
		in.tellUnstored(path, "the schema does not declare it", std)
	}
	for _, path := range done.Lost {
		in.tellUnstored(path, "the storage version does not have it", std)
	}
	if before == nil {
		return &difference{New: in.Start().String(), Added: []string{"."}, in: in}, nil
	}
	changes, errs := in.compared(live, version, done.Before, done.After)
	if len(errs) > 0 || changes.Empty() {
		return nil, errs
	}
	one := &difference{
		Old: live.Start().String(), New: in.Start().String(),
		Added: changes.Added, Removed: changes.Removed, Modified: changes.Modified,
		Before: changes.Before, After: changes.After, in: in,
	}
	one.locate(live, in)
	return one, nil
}

// refusals returns an error with its place for each finding of a refusal. live
// is the object that another one was applied to, nil without one.
func (in inputObject) refusals(err error, live, applied map[string]any) []error {
	var all []error
	for _, f := range judge.Refusal(in.Document, err, live, applied) {
		text := output.ShortText(&f)
		if f.Hint != "" {
			text += " (hint: " + f.Hint + ")"
		}
		all = append(all, fmt.Errorf("%s:%d:%d: refused: %s", in.File, f.Line, f.Column, text))
	}
	return all
}

// tellUnstored names a field that a server does not store, and says why.
func (in inputObject) tellUnstored(path, why string, std streams) {
	visible.Printf(std.err, "%v: %s is not stored: %s\n", in.Find(path).Key, path, why)
}
