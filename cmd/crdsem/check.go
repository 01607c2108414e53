package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/engine"
)

func newCheckCommand() *cobra.Command {
	e := &engine.Engine{Printing: engine.Printing{DefinitionsOnly: true}}
	configPath := ""
	asks := &asking{}
	cmd := &cobra.Command{
		Use:   "check PATH...",
		Short: "check definitions as the server does",
		Long: `Check reads definitions from files, folders, globs, pipes, and for - the standard input. It prints
what the server objects to, with the place in the file. Other objects are left out.

A definition that is found in --old is updated, any other one is created. The old definition is the
stored one with its status, as kubectl get crd -o yaml prints it. Without conditions in its status
it is taken to be established, with its storage version stored.

An update replaces the stored definition. --apply merges by the managers of its fields instead, e.g.
over a definition whose CA bundle cert-manager wrote. If the stored definition has managers, a
warning says what an apply would do otherwise. --patch sends a patch to each definition.

A definition whose own status says that it is established was accepted by a server: it is believed.
What a server refuses in a new one is a warning then.

--go names the Go packages that the definitions are generated from. Hints then say which field of
which struct a finding is about. Files are parsed, and nothing is run.

With several minors of Kubernetes, the output says which definition needs which of them.`,
		Example: `  crdsem check config/crd
  kubectl get crd -o yaml | crdsem check --old - config/crd
  crdsem check --kubernetes all config/crd
  crdsem check --go ./api/... config/crd/bases`,
		RunE: configured(configuring{&configPath, &e.Config, &e.Kustomize},
			func(f *config.File) config.Flags { return f.Check },
			func(ctx context.Context, args []string, std streams) (int, error) {
				return checkDefinitions(ctx, e, asks, args, std)
			}),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&e.OldDefinitions, "old", nil,
		"read the stored definitions from `PATH`, a file or folder: one found there is updated")
	writingFlags(cmd, &asks.writing)
	goFlag(cmd, &e.GoPackages)
	flags.BoolVarP(&e.Verbose, "verbose", "v", false, "print accepted definitions too")
	configFlag(cmd, &configPath)
	verdictFlags(cmd, e, "Warn", "Strict", "Ignore")
	return cmd
}

// checkDefinitions judges definitions. It says so if there are none.
func checkDefinitions(
	ctx context.Context, e *engine.Engine, asks *asking, args []string, std streams,
) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("no definition given")
	}
	code, err := asks.judges(ctx, e, args, std)
	if code == exitNotJudged {
		fmt.Fprintln(std.err, "no definition found")
	}
	return code, err
}
