package main

import (
	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
)

func newValidateCommand() *cobra.Command {
	e := &engine{}
	cmd := &cobra.Command{
		Use:   "validate PATH...",
		Short: "validate definitions and custom resources in files and folders",
		Long: `Validate reads manifests from files, folders with all folders below, globs, pipes, and for - the
standard input. Definitions may be anywhere among them, or in paths that --crd names. They are
checked, and the custom resources of their kinds are validated as new objects. Lists are opened.

Unknown and duplicate fields are errors, as for kubectl apply; --field-validation changes that.
Objects of other kinds are counted as not judged, and so are files that are not meant for a server:
values and templates of charts, kustomizations and their patches, and what the file .crdsem.yaml
skips. Values that SOPS encrypted or that stand for a variable are not judged. A document that
cannot be read is an error of that document: the others are validated.

A resourceVersion is only warned of, because files often come from kubectl get -o yaml: a server
refuses to create an object with one.

With several minors of Kubernetes, everything is validated by each of them. The output says where a
verdict changes and why, and the exit code is that of the worst verdict.`,
		Example: `  crdsem validate config/
  kustomize build overlays/prod | crdsem validate --crd config/crd -
  helm template ./chart --include-crds | crdsem validate -
  crdsem validate --kubernetes 1.31-1.37 config/`,
		RunE: configured(&e.settings,
			func(f *config.File) config.Flags { return f.Validate }, e.run),
	}
	flags := cmd.Flags()
	crdFlag(cmd, &e.crds)
	flags.BoolVar(&e.requireDefinitions, "require-definitions", false,
		"refuse objects of kinds that have no definition and are not built into Kubernetes")
	forceFlag(cmd, &e.force)
	flags.BoolVar(&e.repo.strictFiles, "strict-files", false,
		"refuse files that are no manifests, and templates")
	configFlag(cmd, &e.configPath)
	flags.BoolVarP(&e.verbose, "verbose", "v", false,
		"print accepted documents too, what decoding changes, and what would be stored")
	verdictFlags(cmd, e, "Strict", "Warn", "Ignore")
	return cmd
}
