package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/merge"
)

func newDiffCommand() *cobra.Command {
	d := &differ{}
	cmd := &cobra.Command{
		Use:   "diff --crd PATH OLD NEW",
		Short: "compare objects: list items by their keys, sets without order",
		Long: `Diff compares the objects of two files, folders or globs by kind, namespace and name. List items are
matched by their keys, and sets have no order. It prints paths, values and places: - removed, + added,
~ modified. Objects without a namespace are in the namespace default, as on a server. The exit code is
1 if objects differ, and 2 if some cannot be compared.`,
		RunE: runs(d.run),
	}
	crdFlag(cmd, &d.crds)
	cmd.Flags().BoolVar(&d.fill, "default", false,
		"fill in the schema's defaults on both sides first")
	outputFlag(cmd, &d.output, output.Formats()...)
	return cmd
}

// differ is one run of the command.
type differ struct {
	crds   []string
	fill   bool
	output string
}

// difference is the output of diff for one object. Its paths are those of
// structured-merge-diff, e.g. .spec.ports[name="http"].port.
type difference struct {
	Object string `json:"object"`
	// Old and New are the places of the object, e.g. new.yaml:1:1.
	Old      string   `json:"old,omitempty"`
	New      string   `json:"new,omitempty"`
	Added    []string `json:"added,omitempty"`
	Removed  []string `json:"removed,omitempty"`
	Modified []string `json:"modified,omitempty"`
	// Before and After have the values by these paths.
	Before map[string]any `json:"before,omitempty"`
	After  map[string]any `json:"after,omitempty"`
	// Places has the places of the values: those of removed ones in the old
	// object, others in the new one.
	Places map[string]string `json:"places,omitempty"`

	in inputObject // the new object, or the old one if it was removed
	at map[string]manifest.Position
}

func (d *differ) run(_ context.Context, args []string, std streams) (int, error) {
	if len(args) != 2 {
		return 0, errUsage("takes two paths")
	}
	defs, err := readDefinitions(d.crds, std)
	if err != nil {
		return 0, err
	}
	olds, oldsAreWhole, err := defs.readObjects(args[:1], std)
	if err != nil {
		return 0, err
	}
	news, newsAreWhole, err := defs.readObjects(args[1:], std)
	if err != nil {
		return 0, err
	}
	found, failures := d.compareAll(defs, olds, news)
	for _, err := range failures {
		visible.Printf(std.err, "%s\n", err)
	}
	code := exitOK
	switch {
	case len(failures) > 0, !oldsAreWhole, !newsAreWhole:
		code = exitFailed
	case len(found) > 0:
		code = exitRefused
	}
	printer, err := output.New(d.output, output.Config{
		Out: std.out, Err: std.err, Rule: rules.Describe,
	})
	if err != nil {
		return 0, err
	}
	return code, printDifferences(printer, found, len(news))
}

// compareAll compares the objects of both sides that have the same kind,
// namespace and name. failures say which could not be compared.
func (d *differ) compareAll(
	defs definitions, olds, news []inputObject,
) (found []difference, failures []error) {
	left := map[string]inputObject{}
	for _, old := range olds {
		left[defs.identity(old.Content)] = old
	}
	found = []difference{}
	for _, in := range news {
		id := defs.identity(in.Content)
		old, ok := left[id]
		if !ok {
			found = append(found, difference{
				Object: id, New: in.Start().String(), Added: []string{"."}, in: in,
			})
			continue
		}
		delete(left, id)
		changes, errs := d.compare(defs, old, in)
		failures = append(failures, errs...)
		if !changes.Empty() {
			one := difference{
				Object: id, Old: old.Document.Start().String(), New: in.Document.Start().String(),
				Added: changes.Added, Removed: changes.Removed,
				Modified: changes.Modified, Before: changes.Before, After: changes.After, in: in,
			}
			one.locate(old, in)
			found = append(found, one)
		}
	}
	for _, id := range jsonvalue.SortedKeys(left) {
		found = append(found, difference{
			Object: id, Old: left[id].Start().String(), Removed: []string{"."}, in: left[id],
		})
	}
	return found, failures
}

// locate fills in the places of the paths.
func (d *difference) locate(old, updated inputObject) {
	d.Places, d.at = map[string]string{}, map[string]manifest.Position{}
	place := func(path string, in inputObject) {
		d.at[path] = in.locate(path)
		d.Places[path] = d.at[path].String()
	}
	for _, path := range d.Removed {
		place(path, old)
	}
	for _, path := range slices.Concat(d.Added, d.Modified) {
		place(path, updated)
	}
}

// compare compares two objects. The errors have their places.
func (d *differ) compare(defs definitions, old, in inputObject) (merge.Changes, []error) {
	fail := func(err error) (merge.Changes, []error) {
		return merge.Changes{}, []error{in.fail("apiVersion", err)}
	}
	def, err := defs.Definition(in.Content)
	if err != nil {
		return fail(err)
	}
	if old.Content["apiVersion"] != in.Content["apiVersion"] {
		return fail(errors.New(
			"the two objects are of different versions: convert one of them first"))
	}
	version, err := defs.Version(in.Content)
	if err != nil {
		return fail(err)
	}
	was := judge.InNamespace(def.Definition, old.Content)
	is := judge.InNamespace(def.Definition, in.Content)
	if d.fill {
		was, is = filled(was, version), filled(is, version)
	}
	t := merge.Compile(version.Schema())
	changes, err := t.Compare(was, is)
	if err == nil {
		return changes, nil
	}
	if errs := slices.Concat(old.misfits(t), in.misfits(t)); len(errs) > 0 {
		return merge.Changes{}, errs
	}
	return fail(err)
}

// misfits returns an error for each field that does not fit a type.
func (in inputObject) misfits(t *merge.Type) []error {
	_, err := t.Compare(in.Content, in.Content)
	misfit, ok := errors.AsType[*merge.TypeError](err)
	if !ok {
		return nil
	}
	var errs []error
	for _, p := range misfit.Problems {
		indexed, value, left := follow(in.Content, p.Path)
		at := in.Document.Find(indexed).Key
		text := p.Message
		if wanted, _, isType := strings.Cut(p.Message, ", got "); isType {
			at = in.Document.Find(indexed).Value
			text = typeWords.Replace(wanted)
			if left == "" {
				text += ", got " + jsonvalue.KindOf(value)
			}
		}
		errs = append(errs, fmt.Errorf("%v: %s: %s", at, cmp.Or(p.Path, "."), text))
	}
	return errs
}

// typeWords replaces the types of structured-merge-diff by those of JSON.
var typeWords = strings.NewReplacer("expected map", "expected object", "expected list",
	"expected array", "numeric (int or float)", "number", "any scalar", "string, number or boolean")

func filled(object map[string]any, version *crdsem.Version) map[string]any {
	object = jsonvalue.DeepCopyMap(object)
	defaulting.DropNulls(object, version.Schema())
	defaulting.Default(object, version.Schema())
	return object
}
