package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/engine"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

func newValidateCommand() *cobra.Command { return validateCommand(&engine.Engine{}) }

func validateCommand(e *engine.Engine) *cobra.Command {
	var watches bool
	var configPath string
	asks := &asking{}
	cmd := &cobra.Command{
		Use:   "validate [PATH...]",
		Short: "validate definitions and custom resources in files and folders",
		Long:  validateText,
		Example: `  crdsem validate config/
  crdsem validate --kustomize overlays/prod config/crd
  helm template ./chart --include-crds | crdsem validate -
  crdsem validate --kubernetes 1.31-1.37 config/`,
	}
	run := configured(configuring{&configPath, &e.Config, &e.Kustomize},
		func(f *config.File) config.Flags { return f.Validate },
		func(ctx context.Context, args []string, std streams) (int, error) {
			if len(args)+len(e.Kustomize)+len(e.Helm) == 0 {
				return 0, errUsage("no file or folder given")
			}
			return asks.judges(ctx, e, args, std)
		})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if watches {
			return watchValidate(cmd, e, args)
		}
		return run(cmd, args)
	}
	validateFlags(cmd, e, &configPath)
	webhookFlags(cmd, &asks.webhook)
	writingFlags(cmd, &asks.writing)
	cmd.Flags().BoolVar(&watches, "watch", false, "validate again whenever a file changes")
	return cmd
}

// validateText describes the command.
const validateText = `Validate reads manifests from files, folders with all folders below whose names do not start with a
dot, globs, pipes, and for - the standard input. Definitions may be anywhere among them, or in paths
that --crd names. They are checked, and the custom resources of their kinds are validated as new
objects, or as updates of those in --old. Lists are opened. --apply and --patch validate as crdsem
admit does: a server-side apply, or a patch of each document.

Unknown and duplicate fields are errors, as for kubectl apply; --field-validation changes that.
Objects of kinds that are built into Kubernetes, e.g. Deployment, are validated by the structure
that Kubernetes publishes for the minor: unknown fields, types, required fields, enums, names,
labels, quantities. A server validates more of them. Versions that the minor does not serve are
errors. --builtin off leaves these kinds out.

Objects of other kinds are counted as not judged, and so are files that are not meant for a server:
values and templates of charts, kustomizations and their patches, and what the file .crdsem.yaml
skips. Values that SOPS encrypted or that stand for a variable are not judged, but their keys are.
--not-judged names them all. A kind or group that differs from one of the definitions by its case or
one letter is an error. A document that cannot be read is an error; the others are validated.

A resourceVersion is only warned of, because files often come from kubectl get -o yaml: a server
refuses to create an object with one.

Where a conversion webhook decides what is stored, --webhook asks it. Without it, such objects are
counted.

--kustomize renders a folder by the kustomize or kubectl of the user, which loads nothing from the
network. Findings are placed in the files that objects came from. --helm renders the charts in a
folder by the user's helm, with their default values; findings are placed in the templates where the
line can be followed. --openapi takes documents of kubectl get --raw /openapi/v3/apis/GROUP/VERSION,
e.g. of an aggregated API server, for kinds that have no definition.

With several minors of Kubernetes, everything is validated by each of them. The output says where a
verdict changes and why, and the worst verdict decides the exit code.`

// validateFlags declares the flags of validate.
func validateFlags(cmd *cobra.Command, e *engine.Engine, configPath *string) {
	flags := cmd.Flags()
	crdFlag(cmd, &e.CRDs)
	flags.StringArrayVar(&e.OpenAPI, "openapi", nil,
		"validate kinds without a definition by the OpenAPI v3 documents in `PATH`")
	flags.StringArrayVar(&e.Old, "old", nil,
		"read what is stored from `PATH`: definitions and objects found there are updated")
	flags.BoolVar(&e.RequireDefinitions, "require-definitions", false,
		"refuse objects of kinds that have no definition and are not built into Kubernetes")
	flags.BoolVar(&e.AllowUnknown, "allow-unknown", false,
		"only warn of a kind or group that is nearly that of a definition, e.g. widget for Widget")
	flags.BoolVar(&e.Repo.ListUnjudged, "not-judged", false,
		"name each document and each value that is not judged, and why")
	flags.BoolVar(&e.NoCache, "no-cache", false,
		"check all definitions, also those that a run before found to be fine")
	forceFlag(cmd, &e.Force)
	choiceFlag(cmd, &e.BuiltIn, "builtin",
		"how objects of kinds that are built into Kubernetes are validated",
		engine.ByStructure, "off")
	flags.BoolVar(&e.Repo.StrictFiles, "strict-files", false,
		"refuse files that are no manifests, and templates")
	flags.BoolVar(&e.Repo.FromCluster, "from-cluster", false,
		"leave out what a server fills in: status, resourceVersion, managedFields, ...")
	flags.StringArrayVar(&e.Kustomize, "kustomize", nil,
		"validate what kustomize makes of `FOLDER`, too; may be given more than once")
	flags.StringVar(&e.KustomizeProgram, "kustomize-program", "",
		"render by `PROGRAM`, which is kustomize or kubectl (default the first of them on PATH)")
	flags.StringArrayVar(&e.Helm, "helm", nil,
		"validate what helm makes of the charts in `FOLDER`, too; may be given more than once")
	flags.StringVar(&e.HelmProgram, "helm-program", "",
		"render charts by `PROGRAM` (default helm on PATH)")
	configFlag(cmd, configPath)
	flags.BoolVarP(&e.Verbose, "verbose", "v", false,
		"print accepted documents too, what decoding changes, and what would be stored")
	verdictFlags(cmd, e, "Strict", "Warn", "Ignore")
}

// watchValidate validates with the flags of a command, and again whenever a
// file changes, until the context ends. Errors are printed.
func watchValidate(cmd *cobra.Command, e *engine.Engine, args []string) error {
	if slices.Contains(slices.Concat(args, e.CRDs), stdinPath) {
		return errUsage("--watch needs files, not the standard input")
	}
	paths := slices.Concat(args, e.CRDs, e.OpenAPI, e.Kustomize, e.Helm)
	for _, path := range slices.Concat(args, e.Kustomize) {
		places, err := config.Places(path)
		if err != nil {
			return err
		}
		paths = append(paths, places...)
	}
	w := watching{
		paths: paths,
		words: cmd.OutOrStdout(), isInput: isManifest,
		once: func() []string {
			fresh := &engine.Engine{}
			again := validateCommand(fresh)
			err := copyFlags(again.Flags(), cmd.Flags())
			again.SetIn(cmd.InOrStdin())
			again.SetOut(cmd.OutOrStdout())
			again.SetErr(cmd.ErrOrStderr())
			again.SetContext(cmd.Context())
			if err == nil {
				err = again.RunE(again, args)
			}
			if _, isCode := errors.AsType[exitCode](err); err != nil && !isCode {
				visible.Printf(cmd.ErrOrStderr(), "crdsem validate: %v\n", err)
			}
			read := slices.Concat(fresh.CRDs, fresh.OpenAPI, fresh.Kustomize, fresh.Helm,
				fresh.Originals())
			if fresh.Config != nil && fresh.Config.Path != "" {
				read = append(read, fresh.Config.Path)
			}
			return read
		},
	}
	return w.run(cmd.Context())
}

// copyFlags gives flags the values that other ones were set to, except for
// --watch.
func copyFlags(to, from *pflag.FlagSet) error {
	var all []error
	from.Visit(func(flag *pflag.Flag) {
		copied := to.Lookup(flag.Name)
		if flag.Name == "watch" {
			return
		}
		copied.Changed = true
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			all = append(all, copied.Value.(pflag.SliceValue).Replace(list.GetSlice()))
		} else {
			all = append(all, copied.Value.Set(flag.Value.String()))
		}
	})
	return errors.Join(all...)
}
