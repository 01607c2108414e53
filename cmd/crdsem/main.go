// Command crdsem says what a Kubernetes API server does to custom resources,
// given their CustomResourceDefinition: without a cluster, with the server's
// own verdict.
//
//	crdsem check CRD...                     is a definition accepted
//	crdsem admit -crd CRD OBJECT...         what is stored, what is wrong
//	crdsem cost CRD...                      what validation rules can cost
//	crdsem diff -crd CRD OLD NEW            how two objects differ
//	crdsem convert -crd CRD -to V OBJECT... objects in another version
//	crdsem generate -crd CRD -n N           objects, admitted or refused
//	crdsem get -crd CRD OBJECT...           the tables that kubectl get shows
//	crdsem api -crd CRD...                  what is served, by which names
//	crdsem explain RULE...                  rules of the specification
//	crdsem eval                             the evaluation protocol
//	crdsem version                          versions, of Kubernetes too
//
// The evaluation protocol reads and writes JSON lines.
//
// crdsem help lists every command. A file named - is the standard input.
// Definitions and objects may also be items of a list, as kubectl prints them.
// The exit code is 0 if everything is accepted, 1 if something is refused or
// differs, 2 if the command could not run.
//
// # Output for machines
//
// With -o json a command prints one JSON list; convert prints one object after
// the other. Members are named as in the evaluation protocol (package
// conformance/protocol), and empty members are left out. An error has type,
// field, detail, text and rule (the id of the rule that is broken, e.g.
// STR-047) in every command. The members are, by command:
//
//   - check, one element per definition: at (file, and line), name, accepted,
//     refusal (why it cannot be read), errors, warnings, hints (on the refusal
//     and on warnings: text, hint), silent (hints on keywords that the server
//     drops without a warning). An error also has line and column in the file,
//     from 1, and hint (how to mend it).
//   - admit, one element per object: at, kind, name, version, accepted, stage,
//     refusal (why it was refused before validation) and its rule, errors
//     (with hint), ratcheted, warnings, changes (action, path, schema), rules
//     (evaluated, blocked), rulesCost, explanations (field, rule, and terms
//     with text, offset from 0, line and column from 1, value, failed), object,
//     hints (as those of check).
//   - cost, one element per version: definition, version, total (of rules, and
//     of messages once each), limit, and rules with path, index, rule, maxCost,
//     cardinality (null: unbounded), total, messageCost, usesOldSelf, errors,
//     counted (the cardinality in total), shareOfRuleLimit, shareOfSchemaLimit,
//     factors (path, keyword, max), missing (path, keyword, fits),
//     fitsTogether.
//   - diff, one element per object that differs: object
//     (kind.group/namespace/name), added, removed, modified.
//   - explain, one element per rule: id, title, link, and unless the argument
//     is a prefix, statement and example (Markdown), vector (the conformance
//     vector that the example shows), source, since. Without arguments, one
//     element per prefix: prefix, title, rules (their number), link.
//   - get: the tables, as the API's Table of meta.k8s.io/v1.
//   - api: groups (name, versions with version and resources), refused (name,
//     conditions). It prints one object.
//   - generate: the objects; with -break, elements with the object and broken
//     (path, keyword, rule, type).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// The exit codes of every command.
const (
	exitOK      = 0
	exitRefused = 1
	exitFailed  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are the standard streams, so that tests can give their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// command is one subcommand. Its setup declares flags, and returns the action
// that runs after they are parsed. The action returns the exit code, or an
// error if it could not run.
type command struct {
	name, args, summary string
	setup               func(*flag.FlagSet) action
}

type action func(ctx context.Context, args []string, std streams) (int, error)

var commands = []command{
	checkCommand,
	admitCommand,
	costCommand,
	convertCommand,
	diffCommand,
	generateCommand,
	getCommand,
	apiCommand,
	explainCommand,
	evalCommand,
	versionCommand,
}

// errUsage is an error after which run prints the usage of the command.
type errUsage string

func (e errUsage) Error() string { return string(e) }

func run(ctx context.Context, args []string, std streams) int {
	if len(args) == 0 {
		usage(std.out)
		return exitFailed
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) == 1 {
			usage(std.out)
			return exitOK
		}
		args = []string{args[1], "-h"}
	case "-version", "--version":
		args[0] = versionCommand.name
	}
	for i := range commands {
		if commands[i].name == args[0] {
			return commands[i].run(ctx, args[1:], std)
		}
	}
	fmt.Fprintf(std.err, "crdsem: unknown command %q\n\n", args[0])
	usage(std.err)
	return exitFailed
}

func (c *command) run(ctx context.Context, args []string, std streams) int {
	flags := flag.NewFlagSet("crdsem "+c.name, flag.ContinueOnError)
	flags.SetOutput(std.err)
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "usage: crdsem %s %s\n\n%s\n\n", c.name, c.args, c.summary)
		flags.PrintDefaults()
	}
	act := c.setup(flags)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return exitOK
		}
		return exitFailed
	}
	code, err := act(ctx, flags.Args(), std)
	if err != nil {
		fmt.Fprintf(std.err, "crdsem %s: %v\n", c.name, err)
		if usage := errUsage(""); errors.As(err, &usage) {
			flags.Usage()
		}
		return exitFailed
	}
	return code
}

func usage(out io.Writer) {
	fmt.Fprint(out, "crdsem says what a Kubernetes API server does to custom resources.\n\n")
	for _, c := range commands {
		fmt.Fprintf(out, "  crdsem %-8s %s\n", c.name, c.summary)
	}
	fmt.Fprint(out, "\nEach command explains its flags: crdsem COMMAND -h\n")
}
