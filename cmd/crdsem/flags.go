package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/minors"
)

// crdFlag declares --crd, which may be given more than once.
func crdFlag(cmd *cobra.Command, crds *[]string) {
	cmd.Flags().StringArrayVar(crds, "crd", nil,
		"read definitions from `PATH`, a file or folder; may be given more than once")
}

// outputFlag declares -o. The first format is the default.
func outputFlag(cmd *cobra.Command, output *string, formats ...string) {
	*output = formats[0]
	value := &choice{value: output, of: formats}
	cmd.Flags().VarP(value, "output", "o", "print as `FORMAT`: "+value.list())
	complete(cmd, "output", formats)
}

// choiceFlag declares a flag that has one of several values. The first is the
// default. The usage is followed by the values.
func choiceFlag(cmd *cobra.Command, to *string, name, usage string, values ...string) {
	*to = values[0]
	value := &choice{value: to, of: values}
	cmd.Flags().Var(value, name, usage+": "+value.list())
	complete(cmd, name, values)
}

// verdictFlags declares the flags of commands that print verdicts. The first
// level of field validation is the default.
func verdictFlags(cmd *cobra.Command, v *validation, levels ...string) {
	choiceFlag(cmd, &v.fieldValidation, "field-validation",
		"what is done about unknown and duplicate fields", levels...)
	kubernetesFlag(cmd, &v.minors)
	outputFlag(cmd, &v.output, output.Formats()...)
}

// forceFlag declares --force.
func forceFlag(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false,
		"judge objects by definitions that are refused, if that is possible")
}

// kubernetesFlag declares --kubernetes, which selects minors. The newest one is
// the default.
func kubernetesFlag(cmd *cobra.Command, to *[]minors.Minor) {
	*to = []minors.Minor{minors.Newest()}
	cmd.Flags().Var(&minorsValue{to, minors.Newest().String()}, "kubernetes",
		"answer as the server of `MINORS`: one such as 1.31, a range such as 1.29-1.37, or all")
	var known []string
	for _, minor := range minors.All() {
		known = append(known, minor.String())
	}
	complete(cmd, "kubernetes", append(known, "all"))
}

// minorsValue is the value of --kubernetes, and its text.
type minorsValue struct {
	minors *[]minors.Minor
	text   string
}

func (v *minorsValue) String() string { return v.text }

// Type names the value in the usage.
func (v *minorsValue) Type() string { return "minors" }

// Set rejects minors that are not known.
func (v *minorsValue) Set(text string) error {
	found, err := minors.ParseRange(text)
	if err != nil {
		return err
	}
	*v.minors, v.text = found, text
	return nil
}

// complete lets shells complete the values of a flag, which must be declared.
func complete(cmd *cobra.Command, name string, values []string) {
	values = slices.Clone(values)
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(
		values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// choice is the value of a flag that has one of several values.
type choice struct {
	value *string
	of    []string
}

func (c *choice) String() string { return *c.value }

// Type names the value in the usage.
func (c *choice) Type() string { return "string" }

// Set rejects other values.
func (c *choice) Set(value string) error {
	if !slices.Contains(c.of, value) {
		return fmt.Errorf("it is %s", c.list())
	}
	*c.value = value
	return nil
}

func (c *choice) list() string {
	last := len(c.of) - 1
	if last == 0 {
		return c.of[0]
	}
	return strings.Join(c.of[:last], ", ") + " or " + c.of[last]
}
