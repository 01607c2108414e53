package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/internal/app/judge"
)

func newLintCommand() *cobra.Command {
	e := &engine{definitionsOnly: true, judge: judge.Judge{Lint: judge.WithLint}}
	cmd := &cobra.Command{
		Use:   "lint PATH...",
		Short: "check definitions, and warn of likely mistakes that servers accept",
		Long: `Lint checks definitions as check does, and warns of likely mistakes that servers accept: misspelt
keywords, unknown formats, patterns that match nothing, values that no object can have, lists whose
items have a key but no list type, rules over lists without a bound, keys that YAML reads as
booleans. docs/lint.md describes each check. The exit code is 1 if there is an error or a warning.`,
		Example: `  crdsem lint config/crd
  crdsem lint -o sarif config/crd > findings.sarif`,
		RunE: runs(func(ctx context.Context, args []string, std streams) (int, error) {
			return lintDefinitions(ctx, e, args, std)
		}),
	}
	verdictFlags(cmd, e, "Warn", "Strict", "Ignore")
	return cmd
}

// lintDefinitions judges definitions. A warning counts as an error.
func lintDefinitions(ctx context.Context, e *engine, args []string, std streams) (int, error) {
	code, err := checkDefinitions(ctx, e, args, std)
	if err == nil && code == exitOK && e.summary.Warnings > 0 {
		code = exitRefused
	}
	return code, err
}
