package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/engine"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/applying"
	"github.com/crdsem/crdsem/internal/kit/nearest"
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
func verdictFlags(cmd *cobra.Command, e *engine.Engine, levels ...string) {
	choiceFlag(cmd, &e.FieldValidation, "field-validation",
		"what is done about unknown and duplicate fields", levels...)
	kubernetesFlag(cmd, &e.Minors)
	outputFlag(cmd, &e.Output, output.Formats()...)
}

// forceFlag declares --force.
func forceFlag(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false,
		"validate objects even if their definition is refused, where that is possible")
}

// goFlag declares --go, which may be given more than once.
func goFlag(cmd *cobra.Command, packages *[]string) {
	cmd.Flags().StringArrayVar(packages, "go", nil, "say which Go field a finding is about: "+
		"`FOLDER` has the types, FOLDER/... also those below; may be given more than once")
}

// kubernetesFlag declares --kubernetes, which selects minors. The newest one is
// the default.
func kubernetesFlag(cmd *cobra.Command, to *[]minors.Minor) {
	*to = []minors.Minor{minors.Newest()}
	cmd.Flags().Var(&minorsValue{minors: to, text: minors.Newest().String()}, "kubernetes",
		"answer as the server of `MINORS`: e.g. 1.31, v1.31.4, 1.30-1.37, 1.31,1.33-1.35 or all")
	var known []string
	for _, minor := range minors.All() {
		known = append(known, minor.String())
	}
	complete(cmd, "kubernetes", append(known, "all"))
}

// upgradeFlag declares --kubernetes for minors or, as FROM..TO, for the upgrade
// of a cluster, which is set then.
func upgradeFlag(cmd *cobra.Command, to *[]minors.Minor, isUpgrade *bool) {
	kubernetesFlag(cmd, to)
	flag := cmd.Flags().Lookup("kubernetes")
	flag.Value.(*minorsValue).isUpgrade = isUpgrade
	flag.Usage = "answer as the server of `MINORS`, or upgrade the cluster: " +
		"e.g. 1.31, or 1.36..1.38"
}

// minorsValue is the value of --kubernetes, and its text.
type minorsValue struct {
	minors *[]minors.Minor
	text   string
	// isUpgrade is set for FROM..TO. It is nil if that is no value.
	isUpgrade *bool
}

func (v *minorsValue) String() string { return v.text }

// Type names the value in the usage.
func (v *minorsValue) Type() string { return "minors" }

// Set rejects minors that are not known.
func (v *minorsValue) Set(text string) error {
	list := text
	if from, to, isUpgrade := strings.Cut(text, ".."); v.isUpgrade != nil {
		if *v.isUpgrade = isUpgrade; isUpgrade {
			list = from + "-" + to
		}
	}
	found, err := minors.ParseRange(list)
	switch {
	case err != nil:
		return err
	case list != text && len(found) < 2:
		return fmt.Errorf("%q is an upgrade from a minor to itself", text)
	}
	*v.minors, v.text = found, text
	return nil
}

// flagError returns the error of a command line, with the flag that was
// probably meant.
func flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return errUsage(err.Error())
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	meant := unknown.GetSpecifiedShortnames() // e.g. crd of -crd
	if !slices.Contains(names, meant) {
		meant = nearest.Name(unknown.GetSpecifiedName(), names)
	}
	if meant == "" {
		return errUsage(err.Error())
	}
	return errUsage(fmt.Sprintf("%v (did you mean --%s?)", err, meant))
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

// Set rejects other values. Like kubectl, it takes them in any case.
func (c *choice) Set(value string) error {
	i := slices.IndexFunc(c.of, func(known string) bool { return strings.EqualFold(known, value) })
	if i < 0 {
		return fmt.Errorf("it is %s", c.list())
	}
	*c.value = c.of[i]
	return nil
}

func (c *choice) list() string {
	last := len(c.of) - 1
	if last == 0 {
		return c.of[0]
	}
	return strings.Join(c.of[:last], ", ") + " or " + c.of[last]
}

// asking is what a command asks of a server beyond the documents.
type asking struct {
	webhook webhookChoice
	writing writingChoice
}

// judges runs an engine that asks so.
func (a *asking) judges(
	ctx context.Context, e *engine.Engine, args []string, std streams,
) (int, error) {
	hook, stop, err := a.webhook.open()
	if err != nil {
		return 0, err
	}
	defer stop()
	e.Judge.Options = append(e.Judge.Options, crdsem.ConversionWebhook(hook))
	applying.To(&e.Judge)
	if e.Judge.Writing, err = a.writing.writing(); err != nil {
		return 0, err
	}
	return judges(ctx, e, args, std)
}

// judges runs an engine, and returns the exit code.
func judges(
	ctx context.Context, e *engine.Engine, args []string, std streams,
) (int, error) {
	outcome, err := e.Run(ctx, args, engine.Streams{In: std.in, Out: std.out, Err: std.err})
	return map[engine.Outcome]int{
		engine.Accepted: exitOK, engine.Refused: exitRefused, engine.Unread: exitFailed,
		engine.NotJudged: exitNotJudged,
	}[outcome], err
}
