package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/hints"
)

func newAdmitCommand() *cobra.Command {
	a := &admitter{}
	cmd := &cobra.Command{
		Use:   "admit --crd CRD... OBJECT...",
		Short: "say what the server does to objects: what it prunes, fills in, refuses and stores",
		RunE:  runs(a.run),
	}
	crdFlag(cmd, &a.crds)
	flags := cmd.Flags()
	flags.StringArrayVar(&a.olds, "old", nil,
		"read the stored objects from `FILE`: an object found there is updated, not created")
	flags.BoolVar(&a.status, "status", false, "update the status subresource (needs --old)")
	flags.StringVar(&a.version, "version", "",
		"send the objects to this `VERSION` instead of their own")
	choiceFlag(cmd, &a.fieldValidation, "field-validation",
		"what is done about unknown and duplicate fields", "Warn", "Strict", "Ignore")
	flags.BoolVar(&a.explain, "explain", false,
		"show the values of the sub-expressions of rules that failed")
	outputFlag(cmd, &a.output, "text", "json", "yaml")
	return cmd
}

// admitter is one run of the command.
type admitter struct {
	crds, olds               []string
	status, explain          bool
	version, fieldValidation string
	output                   string

	defs   definitions
	stored map[string]map[string]any
}

func (a *admitter) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("no object given")
	}
	var err error
	if a.defs, err = readDefinitions(a.crds, std.in); err != nil {
		return 0, err
	}
	if err := a.readStored(std); err != nil {
		return 0, err
	}
	objects, err := a.defs.readObjects(args, std.in)
	if err != nil {
		return 0, err
	}
	var reports []report
	code := exitOK
	for _, object := range objects {
		r, err := a.admit(ctx, object)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", object.at, err)
		}
		if !r.Accepted {
			code = exitRefused
		}
		reports = append(reports, r)
	}
	return code, writeReports(std.out, a.output, reports)
}

func (a *admitter) readStored(std streams) error {
	a.stored = map[string]map[string]any{}
	if len(a.olds) == 0 {
		if a.status {
			return errUsage("--status needs --old")
		}
		return nil
	}
	olds, err := a.defs.readObjects(a.olds, std.in)
	if err != nil {
		return err
	}
	for _, old := range olds {
		id := identity(old.object)
		if a.stored[id] != nil {
			return fmt.Errorf("%s: the stored object is given twice", old.at)
		}
		a.stored[id] = old.object
	}
	return nil
}

// admit makes the one request that the flags ask for.
func (a *admitter) admit(ctx context.Context, in inputObject) (report, error) {
	def, name, err := a.defs.of(in.object)
	if err != nil {
		return report{}, err
	}
	if a.version != "" {
		name = a.version
	}
	version, err := def.Version(name)
	if err != nil {
		return report{}, err
	}
	options := []crdsem.Option{crdsem.FieldValidation(a.fieldValidation), crdsem.Explain}
	old := a.stored[identity(in.object)]
	if a.status && old == nil {
		return report{}, fmt.Errorf("the object is not among the stored ones")
	}
	result := a.request(ctx, version, in, old, options)
	r := newReport(in, name, result, &hints.Object{
		Schema: version.Schema(), Object: in.object, Old: old, Explanations: result.Explanations,
	})
	if a.explain {
		r.Explanations = explanations(result.Explanations)
	}
	return r, nil
}

func (a *admitter) request(
	ctx context.Context,
	v *crdsem.Version,
	in inputObject,
	old map[string]any,
	options []crdsem.Option,
) *crdsem.Result {
	switch {
	case old == nil && in.data == nil:
		return v.Create(ctx, in.object, options...)
	case old == nil:
		return v.CreateBytes(ctx, in.data, options...)
	case a.status && in.data == nil:
		return v.UpdateStatus(ctx, in.object, old, options...)
	case a.status:
		return v.UpdateStatusBytes(ctx, in.data, old, options...)
	case in.data == nil:
		return v.Update(ctx, in.object, old, options...)
	default:
		return v.UpdateBytes(ctx, in.data, old, options...)
	}
}
