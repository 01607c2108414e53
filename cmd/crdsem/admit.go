package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/engine"
	"github.com/crdsem/crdsem/internal/app/judge"
)

func newAdmitCommand() *cobra.Command {
	a := &admitter{engine: engine.Engine{
		Printing: engine.Printing{Verbose: true, ObjectsOnly: true},
	}}
	cmd := &cobra.Command{
		Use:   "admit [--crd PATH...] PATH...",
		Short: "show what the server does to objects, and what it stores",
		Long: `Admit sends objects to the server that their definitions make: it prints what is refused, pruned,
filled in and stored. Paths are files, folders, globs, pipes, and for - the standard input.
Definitions may be among them, or in paths that --crd names. They are checked first; objects of a
refused definition are not judged, unless --force is given.

What is answered, what is stored and what clients of the other versions read are told apart where
they differ. Where a conversion webhook converts, --webhook asks it; without it, what depends on it
is not judged.

An object that is found in --old is updated, any other one is created. So are definitions, but
--apply and --patch are for objects: crdsem check has both. Both sides are matched as the server
does: a namespaced object that names no namespace is in the namespace default. A resourceVersion is
only warned of, because files often come from kubectl get -o yaml: a server refuses to create an
object with one, and answers an update with a conflict if it is not the stored one.

An update replaces the stored object. People apply: --apply merges by the managers of the fields, as
kubectl apply --server-side does. The stored objects need their managedFields for that, as kubectl
get -o yaml --show-managed-fields prints them. A conflict names the other manager, and what
--force-conflicts would take. --patch sends a patch in JSON or YAML to each object.`,
		Example: `  crdsem admit --crd config/crd widget.yaml
  kubectl get widgets -A -o yaml | crdsem admit --crd config/crd --old - changed.yaml
  kubectl get widgets -A -o yaml --show-managed-fields |
    crdsem admit --crd config/crd --old - --apply kubectl changed.yaml
  crdsem admit --crd config/crd --patch patch.json --type json widget.yaml`,
		RunE: runs(a.run),
	}
	flags := cmd.Flags()
	crdFlag(cmd, &a.engine.CRDs)
	flags.StringArrayVar(&a.engine.OldObjects, "old", nil,
		"read the stored objects from `PATH`, a file or folder: one found there is updated")
	flags.BoolVar(&a.updateOnly, "update-only", false,
		"refuse objects that are not among the stored ones (needs --old)")
	flags.BoolVar(&a.status, "status", false, "update the status subresource (needs --old)")
	flags.StringVar(&a.engine.Judge.SendTo, "version", "",
		"send the objects to this `VERSION`, such as v2 or example.com/v2, instead of their own")
	flags.BoolVar(&a.explain, "explain", false,
		"show the values of the sub-expressions of rules that failed")
	forceFlag(cmd, &a.engine.Force)
	webhookFlags(cmd, &a.asking.webhook)
	writingFlags(cmd, &a.asking.writing)
	verdictFlags(cmd, &a.engine, "Warn", "Strict", "Ignore")
	return cmd
}

// admitter is one run of the command.
type admitter struct {
	engine                      engine.Engine
	asking                      asking
	updateOnly, status, explain bool
}

func (a *admitter) run(ctx context.Context, args []string, std streams) (int, error) {
	isPatch := a.asking.writing.patchFile != ""
	if isPatch { // the stored objects are what is patched
		args, a.engine.OldObjects = slices.Concat(args, a.engine.OldObjects), nil
	}
	switch {
	case len(args) == 0:
		return 0, errUsage("no object given")
	case a.status && len(a.engine.OldObjects) == 0 && !isPatch:
		return 0, errUsage("--status needs --old")
	case a.updateOnly && len(a.engine.OldObjects) == 0:
		return 0, errUsage("--update-only needs --old")
	}
	// Definitions among the stored ones are updated as well.
	a.engine.Old, a.engine.OldObjects = a.engine.OldObjects, nil
	a.engine.Judge.Details = judge.StoredObjects
	if a.explain {
		a.engine.Judge.Details = judge.AllDetails
	}
	switch {
	case a.status:
		a.engine.Judge.Requests = judge.UpdateStatus
	case a.updateOnly:
		a.engine.Judge.Requests = judge.UpdateOnly
	}
	return a.asking.judges(ctx, &a.engine, args, std)
}
