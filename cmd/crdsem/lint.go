package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/engine"
	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/advice/lint"
)

// linter checks definitions for likely mistakes.
type linter struct {
	engine.Engine

	configPath string
	checks     config.Lint
	severity   []string // of checks, e.g. LINT-bound=warning
	failOn     string   // the least severity that fails
	repairing  repairing
}

func newLintCommand() *cobra.Command {
	l := &linter{Engine: engine.Engine{Printing: engine.Printing{DefinitionsOnly: true}}}
	cmd := &cobra.Command{
		Use:   "lint PATH...",
		Short: "check definitions, and find likely mistakes that servers accept",
		Long: `Lint checks definitions as check does, and finds what servers accept, but can never be valid, or
is almost certainly a mistake: patterns and bounds that no value keeps, rules that read optional
fields without has(), paths to fields that are not declared, lists whose items have a key but no
list type, and more. docs/lint.md describes each check. The exit code is 1 if there is an error; --fail-on warning asks
for more.

--fix makes the edits that need no person to decide: they keep what the server accepts, or the text
can have meant one thing only. Comments and the order of keys stay, and each edit is judged again
before it is written. --patch prints them instead.

A check is left out by --disable, by the file .crdsem.yaml in the folder of the definitions or above
it, by a comment "# crdsem:ignore LINT-bound" at the place or on the line above, and by the
annotation crdsem/ignore of a definition.`,
		Example: `  crdsem lint config/crd
  crdsem lint --disable LINT-listtype --severity LINT-bound=warning --fail-on warning config/crd
  crdsem lint --fix config/crd
  crdsem lint -o sarif config/crd > findings.sarif`,
		RunE: configured(configuring{&l.configPath, &l.Config, &l.Kustomize},
			func(f *config.File) config.Flags { return f.Lint.Flags() }, l.run),
	}
	verdictFlags(cmd, &l.Engine, "Warn", "Strict", "Ignore")
	flags := cmd.Flags()
	configFlag(cmd, &l.configPath)
	goFlag(cmd, &l.GoPackages)
	flags.StringSliceVar(&l.checks.Disable, "disable", nil, "leave out `CHECKS`, or all")
	flags.StringSliceVar(&l.checks.Enable, "enable", nil,
		"make `CHECKS` that the configuration or --disable leaves out")
	flags.StringSliceVar(&l.severity, "severity", nil,
		"give a check a severity: `CHECK=SEVERITY`, which is error, warning, style or off")
	failOn := &choice{&l.checks.FailOn, lintSeverities}
	flags.Var(failOn, "fail-on",
		"the least severity for which the exit code is 1 (default error): "+failOn.list())
	complete(cmd, "fail-on", lintSeverities)
	var ids []string
	for _, check := range lint.Checks() {
		ids = append(ids, check.ID)
	}
	complete(cmd, "disable", append(ids, "all"))
	complete(cmd, "enable", ids)
	l.repairing.flags(cmd, "the edits that are certain")
	return cmd
}

// run judges definitions. What the command line says goes beyond the
// configuration.
func (l *linter) run(ctx context.Context, args []string, std streams) (int, error) {
	l.Judge.Lint = lint.Settings{}
	if err := l.apply(&l.Config.Lint); err != nil {
		return 0, fmt.Errorf("the configuration: %w", err)
	}
	l.checks.Severity = map[string]string{}
	for _, text := range l.severity {
		check, severity, found := strings.Cut(text, "=")
		if !found {
			return 0, errUsage(fmt.Sprintf("--severity %s: write CHECK=SEVERITY", text))
		}
		l.checks.Severity[check] = severity
	}
	if err := l.apply(&l.checks); err != nil {
		return 0, errUsage(err.Error())
	}
	if l.repairing.on() {
		if err := l.repair(ctx, args, std); err != nil || l.repairing.patch {
			return exitOK, err
		}
	}
	budget := relang.NewBudget()
	code, err := checkDefinitions(
		relang.WithBudget(ctx, budget), &l.Engine, &asking{}, args, std)
	if n := budget.LeftOpen(); n > 0 {
		fmt.Fprintf(std.err, "left open, because the work of one run is bounded: %d comparisons "+
			"of patterns; lint fewer definitions at a time\n", n)
	}
	counts := []int{l.Summary.Errors, l.Summary.Warnings, l.Summary.Style}
	for _, count := range counts[:1+slices.Index(lintSeverities, cmp.Or(l.failOn, "error"))] {
		if err == nil && code == exitOK && count > 0 {
			code = exitRefused
		}
	}
	return code, err
}

// lintSeverities are those of findings, the gravest first.
var lintSeverities = []string{"error", "warning", "style"}

// apply changes the settings.
func (l *linter) apply(by *config.Lint) error {
	var errs []error
	for _, check := range by.Disable {
		errs = append(errs, l.Judge.Lint.Set(check, lint.Off))
	}
	for _, check := range by.Enable {
		errs = append(errs, l.Judge.Lint.Set(check, ""))
	}
	for _, check := range slices.Backward(slices.Sorted(maps.Keys(by.Severity))) { // all is first
		errs = append(errs, l.Judge.Lint.Set(check, lint.Severity(by.Severity[check])))
	}
	if by.FailOn != "" {
		l.failOn = by.FailOn
		if !slices.Contains(lintSeverities, by.FailOn) {
			errs = append(errs, fmt.Errorf("failOn %q: it is error, warning or style", by.FailOn))
		}
	}
	return errors.Join(errs...)
}

// repair makes the edits that are certain, and says which findings are gone.
func (l *linter) repair(ctx context.Context, args []string, std streams) error {
	settings := edit.Settings{
		Kubernetes: l.Minors, Definitions: crdsem.Strictness(l.FieldValidation),
		Lint: map[string]string{},
	}
	for check, severity := range maps.All(l.Judge.Lint) {
		settings.Lint[check] = string(severity)
	}
	texts, err := l.repairing.read(args, l.Config)
	if err != nil {
		return err
	}
	done := "fixed"
	if l.repairing.patch {
		done = "would fix"
	}
	for i := range texts {
		w := edit.NewWorkspace(edit.UTF8)
		w.Configure(settings)
		w.Set(texts[i].path, texts[i].before)
		fixed, err := w.Repair(ctx, texts[i].path)
		if err != nil {
			return err
		}
		for _, f := range fixed {
			visible.Printf(std.err, "%s %s:%d: %s: %s\n", done, texts[i].name,
				f.Range.Start.Line+1, f.Rule, f.Message)
		}
		texts[i].after = w.Text(texts[i].path)
	}
	return l.repairing.finish(texts, std)
}
