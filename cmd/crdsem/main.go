// Command crdsem says what a Kubernetes API server does to custom resources,
// given their CustomResourceDefinition: without a cluster, with the server's
// own verdict.
//
//	crdsem validate PATH...                  definitions and objects in files and folders
//	crdsem check PATH...                     is a definition accepted
//	crdsem lint PATH...                      likely mistakes that servers accept
//	crdsem admit --crd PATH PATH...          what is stored, what is wrong
//	crdsem cost CRD...                       what validation rules can cost, and how to reduce it
//	crdsem diff --crd CRD OLD NEW            how two objects differ
//	crdsem upgrade OLD NEW [OBJECT...]       what a changed definition does
//	crdsem convert --crd CRD --to V OBJECT   objects in another version
//	crdsem generate --crd CRD -n N           objects, admitted or refused
//	crdsem get --crd CRD OBJECT...           the tables that kubectl get shows
//	crdsem api --crd CRD...                  what is served, by which names
//	crdsem describe CRD [PATH]               fields of a definition
//	crdsem explain RULE|WORD...              rules of the specification, and what to do
//	crdsem test PATH...                      tests of definitions
//	crdsem report --crd CRD OBJECT           the smallest reproduction, for a report
//	crdsem eval                              the evaluation protocol
//	crdsem schema PATH... --dir FOLDER       definitions as JSON Schemas
//	crdsem vendor                            definitions from their publishers
//	crdsem version                           versions, of Kubernetes too
//	crdsem completion SHELL                  a script for bash, zsh, fish, ...
//
// The evaluation protocol reads and writes JSON lines.
//
// crdsem help lists every command. A file named - is the standard input.
// Definitions and objects may also be items of a list, as kubectl prints them.
// The exit code is 0 if everything is accepted, 1 if something is refused or
// differs, 2 if the command could not run, and 3 if nothing is refused, but
// nothing could be judged either, e.g. because no definition was given.
//
// # Minors of Kubernetes
//
// With --kubernetes, check, validate, admit, cost and test answer as the server
// of another minor, e.g. 1.31, of a range, e.g. 1.30-1.37, of a list of both,
// or of all. With several minors the output says which of them have a finding,
// and where a verdict changes because of which change of Kubernetes. The exit
// code is that of the worst verdict.
//
// # Output for machines
//
// With -o json a command prints one JSON value; convert prints one object after
// the other. Members are named as in the evaluation protocol (package
// internal/app/protocol), and empty members are left out. An error has type,
// field, detail, text and rule (the id of the rule that is broken, e.g.
// STR-047) in every command. The values are, by command:
//
//   - validate, admit, check, lint: an object with results and summary. Its
//     JSON Schema is cmd/crdsem/internal/output/schema.json.
//   - cost: an object with results, one element per version and minor:
//     kubernetes, definition, version, total (of rules, and of messages once
//     each), limit, and rules with path, index, rule, maxCost, cardinality
//     (null: unbounded), total, messageCost, usesOldSelf, errors, counted (the
//     cardinality in total), shareOfRuleLimit, shareOfSchemaLimit, factors
//     (path, keyword, max), missing (path, keyword, fits), fitsTogether, set
//     (path, keyword, value, fits), fitsAll, suggestion (path, keyword, value);
//     and summary (tables, overLimit). The most expensive rule comes first.
//   - diff: an object with results, one element per object that differs: object
//     (kind.group/namespace/name), old and new (its places), added, removed,
//     modified (paths), before and after (values by path), places (by path);
//     and summary (objects, differing).
//   - upgrade: an object with definitions, objects and summary.
//   - explain, one element per rule: id, title, link, and unless the argument
//     is a prefix, statement and example (Markdown), vector (the conformance
//     vector that the example shows), source, since. Without arguments, one
//     element per prefix: prefix, title, rules (their number), link.
//   - get: the tables, as the API's Table of meta.k8s.io/v1.
//   - api: groups (name, versions with version and resources), refused (name,
//     conditions). It prints one object.
//   - test: an object with results, one element per case: suite, case,
//     kubernetes (the minor, if the suite names minors), file, line, outcome
//     (passed, failed or skipped), failure (the difference from what is stated:
//     line, column, text), skipped (why it was not run); summary (cases,
//     passed, failed, skipped); and, if they are asked for, coverage and
//     mutation, as --cover-json and --mutate-json write them.
//   - generate: the objects; with --break, elements with the object and broken
//     (path, keyword, rule, type).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/screen"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// The exit codes of every command.
const (
	exitOK        = 0
	exitRefused   = 1
	exitFailed    = 2
	exitNotJudged = 3
)

// main leaves signals to the runtime: an interrupt ends the process at once.
func main() {
	if err := checkOutput(); err != nil {
		fmt.Fprintln(os.Stderr, "crdsem:", err)
		os.Exit(exitFailed)
	}
	os.Exit(run(context.Background(), os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are the standard streams, so that tests can give their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// action is what a subcommand does after its flags are parsed. It returns the
// exit code, or an error if it could not run.
type action func(ctx context.Context, args []string, std streams) (int, error)

// runs makes an action the function of a subcommand.
func runs(act action) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if format := cmd.Flag("output"); format != nil && format.Value.String() == "github" {
			if out, ok := cmd.OutOrStdout().(*visible.Writer); ok {
				out.Keep(visible.Commands)
			}
		}
		std := streams{cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()}
		code, err := act(cmd.Context(), args, std)
		if err == nil && code != exitOK {
			return exitCode(code)
		}
		return err
	}
}

// exitCode is an error for the exit code of a command that ran.
type exitCode int

func (code exitCode) Error() string { return fmt.Sprintf("exit code %d", int(code)) }

// errUsage is an error of the command line. The message that is printed names
// the help of the command.
type errUsage string

func (e errUsage) Error() string { return string(e) }

// newCommand returns the command with its subcommands.
func newCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "crdsem",
		Short: "say what a Kubernetes API server does to custom resources",
		Long: `crdsem says what a Kubernetes API server does to custom resources, given their
CustomResourceDefinition: without a cluster, with the server's own verdict.

A file named - is the standard input. The exit code is 0 if everything is
accepted, 1 if something is refused or differs, 2 if the command could not run,
3 if nothing is refused, but nothing could be judged either.`,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	if strings.HasPrefix(filepath.Base(os.Args[0]), "kubectl-") { // a plugin of kubectl
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl crdsem"}
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	addGroups(root)
	return root
}

// addGroups adds the commands in groups, as the help lists them.
func addGroups(root *cobra.Command) {
	for _, group := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"files", "Files and repositories:", []*cobra.Command{
			newValidateCommand(), newVendorCommand(), newConfigCommand(),
		}},
		{"definitions", "Definitions:", []*cobra.Command{
			newCheckCommand(), newLintCommand(), newCostCommand(), newDescribeCommand(),
			newGenerateCommand(), newTestCommand(), newUpgradeCommand(), newAPICommand(),
			newSchemaCommand(),
		}},
		{"objects", "Objects:", []*cobra.Command{
			newAdmitCommand(), newDiffCommand(), newConvertCommand(), newGetCommand(),
		}},
		{"findings", "Findings:", []*cobra.Command{newExplainCommand(), newReportCommand()}},
		{"programs", "For programs:", []*cobra.Command{
			newEvalCommand(), newLSPCommand(),
		}},
	} {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, cmd := range group.commands {
			cmd.GroupID = group.id
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(newVersionCommand())
	root.SetCompletionCommandGroupID("programs")
}

// rejectUnknownTopics makes unknown arguments of the commands help and
// completion errors. The streams of the root are set before.
func rejectUnknownTopics(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		case "help":
			cmd.Args = func(_ *cobra.Command, topic []string) error {
				_, rest, err := root.Find(topic)
				if err == nil && len(rest) > 0 {
					err = fmt.Errorf("unknown command %q", strings.Join(topic, " "))
				}
				return err
			}
		}
	}
}

// run executes a command line without the program's name, and returns the exit
// code. Whatever it prints is harmless for a terminal and a log.
func run(ctx context.Context, args []string, std streams) int {
	out, errs := harmless(std.out), harmless(std.err)
	code := dispatch(ctx, args, streams{std.in, out, errs})
	if err := out.Flush(); err != nil && code != exitFailed {
		fmt.Fprintln(errs, "crdsem:", err)
		code = exitFailed
	}
	_ = errs.Flush() // there is no other place to say it
	return code
}

// harmless returns a writer on another one. Colors are for terminals.
func harmless(out io.Writer) *visible.Writer {
	if screen.IsTerminal(out) {
		return visible.NewWriter(out, visible.Colors)
	}
	return visible.NewWriter(out, visible.Nothing)
}

// dispatch is run with streams that are harmless.
func dispatch(ctx context.Context, args []string, std streams) int {
	root := newCommand()
	root.SetArgs(args)
	root.SetIn(interruptible(ctx, std.in))
	root.SetOut(std.out)
	root.SetErr(std.err)
	rejectUnknownTopics(root)
	cmd, err := root.ExecuteContextC(ctx)
	var code exitCode
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	}
	visible.Printf(std.err, "%s: %s\n", cmd.CommandPath(), err)
	if usage := errUsage(""); errors.As(err, &usage) || cmd == root {
		fmt.Fprintf(std.err, "%s --help shows the usage\n", cmd.CommandPath())
	}
	return exitFailed
}
