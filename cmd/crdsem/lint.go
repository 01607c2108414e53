package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/internal/app/judge"
)

func newLintCommand() *cobra.Command {
	l := &linter{}
	cmd := &cobra.Command{
		Use:   "lint PATH...",
		Short: "check definitions, and warn of what their authors hardly mean",
		Long: `Lint checks definitions as check does, and warns of what a server accepts but their authors hardly
mean: misspelt keywords, unknown formats, patterns that match nothing, values that no object can
have, lists whose items have a key but no list type, rules over lists without a bound, keys that
YAML reads as booleans. docs/lint.md describes each check. The exit code is 1 if there is an error
or a warning.`,
		Example: `  crdsem lint config/crd
  crdsem lint -o sarif config/crd > findings.sarif`,
		RunE: runs(l.run),
	}
	verdictFlags(cmd, &l.validation, "Warn", "Strict", "Ignore")
	return cmd
}

// linter is one run of the command.
type linter struct{ checks }

func (l *linter) run(ctx context.Context, args []string, std streams) (int, error) {
	l.judge.Lint = judge.WithLint
	code, err := l.checks.run(ctx, args, std)
	if err == nil && code == exitOK && l.summary.Warnings > 0 {
		code = exitRefused
	}
	return code, err
}
