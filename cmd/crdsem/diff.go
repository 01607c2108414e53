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
	"github.com/crdsem/crdsem/internal/app/drift"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/mergepath"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
)

func newDiffCommand() *cobra.Command {
	d := &differ{}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW | diff --server LIVE PATH... | diff --gitops PATH...",
		Short: "compare objects with each other, or files with what a server would store",
		Long: `Diff compares the objects of two files, folders or globs by kind, namespace and name. List items are
matched by their keys, and sets have no order. It prints paths, values and places: - removed, + added,
~ modified. Objects without a namespace are in the namespace default, as on a server. The exit code is
1 if objects differ, and 2 if some cannot be compared.

With --server, each file is applied to the live objects in LIVE, as kubectl get -o yaml prints them,
and nothing is stored: what would change is printed, without defaults and what a server fills in.
The exit codes are those of kubectl diff. The apply is that of kubectl apply: what the last one had
and the file lacks is removed. With --apply it is a server-side apply by a manager. Fields that the
schema does not declare are named on the standard error, and left out.

With --gitops, each file is compared with what a server stores of it: values that it writes
otherwise, of which tools such as Argo CD see a difference for ever, each with its rule. Definitions
are compared as well.`,
		Example: `  crdsem diff --crd crds/ old.yaml new.yaml
  kubectl get widgets -A -o yaml | crdsem diff --crd crds/ --server - widgets/
  crdsem diff --gitops --crd crds/ apps/`,
		RunE: runs(d.run),
	}
	crdFlag(cmd, &d.crds)
	cmd.Flags().BoolVar(&d.fill, "default", false,
		"fill in the schema's defaults on both sides first, and leave out what a server removes "+
			"or adds")
	cmd.Flags().StringVar(&d.live, "server", "",
		"apply each file to the objects in `LIVE`, a file or folder, and print what would change")
	cmd.Flags().BoolVar(&d.gitops, "gitops", false,
		"print the values of each file that a server writes otherwise")
	cmd.Flags().StringVar(&d.by.Manager, "apply", "",
		"apply on the server as field manager `MANAGER` (needs --server)")
	cmd.Flags().BoolVar(&d.by.Force, "force-conflicts", false,
		"take fields of other managers over (needs --apply)")
	webhookFlags(cmd, &d.webhook)
	outputFlag(cmd, &d.output, output.Formats()...)
	return cmd
}

// differ is one run of the command.
type differ struct {
	crds         []string
	fill, gitops bool
	live, output string
	by           drift.Applier
	webhook      webhookChoice
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

func (d *differ) run(ctx context.Context, args []string, std streams) (int, error) {
	switch {
	case d.live == "" && d.by.Manager != "", d.by.Manager == "" && d.by.Force:
		return 0, errUsage("--apply needs --server, and --force-conflicts needs --apply")
	case d.live != "" && d.gitops:
		return 0, errUsage("either --server or --gitops")
	case (d.live != "" || d.gitops) && len(args) == 0:
		return 0, errUsage("no file given")
	case d.live != "":
		return d.compareServer(ctx, args, std)
	case d.gitops:
		return d.findDrift(ctx, args, std)
	case len(args) != 2:
		return 0, errUsage("takes two paths")
	}
	defs, err := readGiven(d.crds, args, std)
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
	found, failures := d.compareAll(defs, olds, news, std)
	for _, err := range failures {
		visible.Printf(std.err, "%s\n", err)
	}
	isWhole := len(failures) == 0 && oldsAreWhole && newsAreWhole
	return d.report(found, len(news), isWhole, std)
}

// report prints differences, and returns the exit code.
func (d *differ) report(
	found []difference, objects int, isWhole bool, std streams,
) (int, error) {
	code := exitOK
	switch {
	case !isWhole:
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
	return code, printDifferences(printer, found, objects)
}

// compareAll compares the objects of both sides that have the same kind,
// namespace and name. failures say which could not be compared.
func (d *differ) compareAll(
	defs definitions, olds, news []inputObject, std streams,
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
		changes, errs := d.compare(defs, old, in, std)
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
func (d *differ) compare(
	defs definitions, old, in inputObject, std streams,
) (merge.Changes, []error) {
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
		for _, of := range []inputObject{old, in} {
			for _, path := range structural.Paths(
				prune.Resource(jsonvalue.DeepCopyMap(of.Content), version.Schema())) {
				of.tellUnstored(path, "the schema does not declare it", std)
			}
		}
		was, is = filled(was, version), filled(is, version)
	}
	return in.compared(old, version, was, is)
}

// compared compares two values of an object, of which the other one is the old.
func (in inputObject) compared(
	old inputObject, version *crdsem.Version, was, is map[string]any,
) (merge.Changes, []error) {
	t := merge.Compile(version.Schema())
	changes, err := t.Compare(was, is)
	if err == nil {
		return changes, nil
	}
	if errs := slices.Concat(old.misfits(t), in.misfits(t)); len(errs) > 0 {
		return merge.Changes{}, errs
	}
	return merge.Changes{}, []error{in.fail("apiVersion", err)}
}

// locate returns the place of a path of structured-merge-diff, e.g.
// .spec.ports[name="http"].port. If the object lacks it, it is the place of the
// nearest value above.
func (in inputObject) locate(path string) manifest.Position {
	return in.Find(mergepath.Indexed(in.Content, path)).Value
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
		indexed, value, left := mergepath.Follow(in.Content, p.Path)
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

// filled returns an object as a client reads it, without what a server adds to
// each.
func filled(object map[string]any, version *crdsem.Version) map[string]any {
	object = drift.Own(jsonvalue.DeepCopyMap(object))
	prune.Resource(object, version.Schema())
	defaulting.DropNulls(object, version.Schema())
	defaulting.Default(object, version.Schema())
	return object
}
