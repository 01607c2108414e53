package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/inputs"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/judge"
)

func newCheckCommand() *cobra.Command {
	c := &checks{}
	cmd := &cobra.Command{
		Use:   "check PATH...",
		Short: "check definitions as the server does",
		Long: `Check reads definitions from files, folders, globs, pipes, and for - the standard input. It prints
what the server objects to, with the place in the file. Other objects are left out.

A definition that is found in --old is updated, any other one is created. The old definition is the
stored one with its status, as kubectl get crd -o yaml prints it. Without conditions in its status
it is taken to be established, with its storage version stored.`,
		Example: `  crdsem check config/crd
  kubectl get crd -o yaml | crdsem check --old - config/crd`,
		RunE: runs(c.run),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&c.olds, "old", nil,
		"read the stored definitions from `PATH`, a file or folder: one found there is updated")
	choiceFlag(cmd, &c.fieldValidation, "field-validation",
		"what is done about unknown and duplicate fields", "Warn", "Strict", "Ignore")
	flags.BoolVarP(&c.verbose, "verbose", "v", false, "print accepted definitions too")
	outputFlag(cmd, &c.output, output.Formats()...)
	return cmd
}

// checks is one run of the command.
type checks struct {
	validation
	olds []string
}

func (c *checks) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("no definition given")
	}
	c.definitionsOnly = true
	var err error
	if c.judge.StoredDefinitions, err = storedDefinitions(c.olds, std.in); err != nil {
		return 0, err
	}
	code, err := c.validation.run(ctx, args, std)
	if code == exitNotJudged {
		fmt.Fprintln(std.err, "crdsem check: no definition found")
	}
	return code, err
}

// storedDefinitions reads the definitions in some paths, by name.
func storedDefinitions(paths []string, stdin io.Reader) (map[string]*definition.CRD, error) {
	stored := map[string]*definition.CRD{}
	err := eachObject(paths, stdin, func(o placedObject) error {
		if !judge.IsDefinition(o.object) {
			return nil
		}
		crd, _, err := definition.FromMap(o.object)
		if err != nil {
			return fmt.Errorf("%s: %w", o.at, err)
		}
		stored[crd.Name()] = crd
		return nil
	})
	if err == nil && len(paths) > 0 && len(stored) == 0 {
		err = errors.New("--old has no definition")
	}
	return stored, err
}

// placedObject is an object with its place, e.g. pods.yaml:12.
type placedObject struct {
	at     string
	object map[string]any
}

// eachObject calls a function for every object in some paths; lists are opened.
// It stops at the first error, which may be that of a document.
func eachObject(paths []string, stdin io.Reader, do func(placedObject) error) error {
	list := inputs.Find(paths, stdin)
	defer closeInputs(list)
	for j := range documents(list) {
		if j.err != nil {
			return j.err
		}
		object, strict, err := j.doc.Object()
		if err != nil {
			return err
		}
		items, isList, err := j.doc.Items(object, strict)
		switch {
		case err != nil:
			return err
		case !isList:
			if err := do(placedObject{j.doc.Start().String(), object}); err != nil {
				return err
			}
		}
		for _, item := range items {
			object, _, err := item.Object()
			if err != nil {
				return err
			}
			at := item.Start().String() + " " + item.Item
			if err := do(placedObject{at, object}); err != nil {
				return err
			}
		}
	}
	return nil
}
