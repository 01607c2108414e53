package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/costs"
	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

func newCostCommand() *cobra.Command {
	c := &coster{}
	cmd := &cobra.Command{
		Use:   "cost PATH...",
		Short: "estimate what validation rules can cost, and how to reduce it",
		Long: `Cost estimates what each validation rule can cost, the most expensive one first, and suggests the
bound that brings a rule below its limit. The exit code is 1 if a rule is over a limit.

The columns are the share of the limit of a rule that the total takes; the total, which is once by
times; what the rule costs once, for one value; how many times it runs in an object at most, by the
bounds of the lists and maps above it; and what its messageExpression costs.

Rules are compiled as if the definition were stored: it may call the functions of the next minor,
too. crdsem check says whether a new definition may call them.

With several minors of Kubernetes, it prints the share of the limit that a rule takes in each.

--fix sets the smallest set of maxItems, maxLength and maxProperties that brings the rules and their
total to four fifths of their limits, in all of these minors, and says what the definition refuses
from now on, as crdsem upgrade does. Comments and the order of keys stay. --patch prints the edits
instead.`,
		Example: `  crdsem cost config/crd
  crdsem cost --fix config/crd
  crdsem cost --patch config/crd > bounds.patch`,
		RunE: runs(c.run),
	}
	crdFlag(cmd, &c.crds)
	kubernetesFlag(cmd, &c.minors)
	outputFlag(cmd, &c.output, output.Formats()...)
	c.repairing.flags(cmd, "the bounds that bring rules below their limits")
	return cmd
}

// coster is one run of the command.
type coster struct {
	crds   []string
	minors []minors.Minor
	output string

	repairing repairing
}

func (c *coster) run(ctx context.Context, args []string, std streams) (int, error) {
	paths := append(c.crds, args...)
	if len(paths) == 0 {
		return 0, errUsage("no definition given")
	}
	if c.repairing.on() {
		return c.fix(ctx, paths, std)
	}
	all, err := c.read(ctx, paths, std.in)
	if err != nil {
		return 0, err
	}
	printer, err := output.New(c.output, output.Config{
		Out: std.out, Err: std.err, Rule: rules.Describe,
	})
	if err != nil {
		return 0, err
	}
	return c.print(printer, all)
}

// versionCosts are the tables of one version, the oldest minor first.
type versionCosts struct {
	document *manifest.Document
	tables   []costs.Table
}

// read returns the costs of each version of the definitions in some paths.
func (c *coster) read(
	ctx context.Context, paths []string, stdin io.Reader,
) ([]versionCosts, error) {
	var all []versionCosts
	for o, err := range manifest.Definitions(paths, stdin) {
		if err != nil {
			return nil, err
		}
		first := len(all)
		for _, minor := range c.minors {
			tables, err := costsOf(ctx, o.Content, minor)
			if err != nil {
				return nil, fmt.Errorf("%v: %w", o.Start(), err)
			}
			for i := range tables {
				if first+i == len(all) {
					all = append(all, versionCosts{document: o.Document})
				}
				all[first+i].tables = append(all[first+i].tables, tables[i])
			}
		}
	}
	return all, nil
}

// costsOf returns a table for each version of a definition.
func costsOf(
	ctx context.Context, object map[string]any, minor minors.Minor,
) ([]costs.Table, error) {
	crd, _, err := definition.FromMap(object, structural.Kubernetes(minor))
	if err != nil {
		return nil, err
	}
	model, err := definition.Compile(crd)
	if err != nil {
		return nil, err
	}
	return costs.Of(ctx, model, minor)
}

// costText returns the table of a version, and advice on the rules that are
// over a limit.
func costText(t *costs.Table) string {
	var b strings.Builder
	visible.Printf(&b, "%s %s: %s, %s the schema's limit\n", t.Definition, t.Version,
		count(len(t.Rules), "rule"), share(float64(t.Total)/float64(t.Limit)))
	if len(t.Rules) == 0 {
		return b.String()
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  share\ttotal\tonce\ttimes\tmessage\trule")
	for i := range t.Rules {
		costRow(w, &t.Rules[i])
	}
	_ = w.Flush() // a string takes everything
	for i := range t.Rules {
		costAdvice(&b, &t.Rules[i])
	}
	return b.String()
}

// costRow prints a rule: its costs, its path, and the start of its expression.
func costRow(w io.Writer, c *costs.Rule) {
	times := "unbounded"
	if c.Cardinality != nil {
		times = strconv.FormatUint(*c.Cardinality, 10)
	}
	visible.Printf(w, "  %s\t%s\t%s\t%s\t%d\t%s[%d]: %s\n",
		strings.TrimSuffix(share(c.ShareOfRuleLimit), " of"), saturate.Text(c.Total),
		saturate.Text(c.MaxCost), times, c.MessageCost, c.Path, c.Index, short(c.Rule))
}

// costAdvice explains a rule that does not compile or costs too much.
func costAdvice(b *strings.Builder, c *costs.Rule) {
	if !c.Over() {
		return
	}
	visible.Printf(b, "  %s[%d]\n", c.Path, c.Index)
	for _, err := range c.Errors {
		visible.Printf(b, "    does not compile: %s\n", err.Detail)
	}
	if c.MessageCost > check.RuleCostLimit {
		visible.Printf(b, "    the messageExpression alone takes %s its limit\n",
			share(float64(c.MessageCost)/float64(check.RuleCostLimit)))
	}
	if c.MessageSuggestion != "" {
		visible.Printf(b, "    suggestion: messageExpression: '%s'\n", c.MessageSuggestion)
	}
	for _, f := range c.Factors {
		bound := "without " + f.Keyword
		if f.Max != nil {
			bound = f.Keyword + " " + strconv.FormatInt(*f.Max, 10)
		}
		visible.Printf(b, "    runs for each element of %s (%s)\n", f.Path, bound)
	}
	for _, m := range c.Missing {
		advice := "would not be enough by itself"
		if m.Fits > 0 {
			advice = fmt.Sprintf("of at most %d would make it fit", m.Fits)
		}
		visible.Printf(b, "    %s at %s %s\n", m.Keyword, m.Path, advice)
	}
	for _, set := range c.Set {
		advice := "would not be enough if it were lower"
		if set.Fits > 0 {
			advice = fmt.Sprintf("would fit at %d", set.Fits)
		}
		visible.Printf(b, "    %s %d at %s %s\n", set.Keyword, set.Value, set.Path, advice)
	}
	if c.FitsTogether > 0 && len(c.Missing) > 1 {
		visible.Printf(b, "    all of these bounds together fit at %d\n", c.FitsTogether)
	}
	if len(c.Suggestion) > 0 {
		visible.Printf(b, "    suggestion: set %s\n", editsText(c.Suggestion))
	}
}

// editsText returns bounds to set, in words.
func editsText(edits []costs.Edit) string {
	texts := make([]string, len(edits))
	for i, e := range edits {
		texts[i] = fmt.Sprintf("`%s: %d` at %s", e.Keyword, e.Value, e.Path)
	}
	return strings.Join(texts, " and ")
}

// short returns an expression on one line, cut to a readable length.
func short(rule string) string {
	const limit = 80
	text := []rune(strings.Join(strings.Fields(rule), " "))
	if len(text) > limit {
		return string(text[:limit-1]) + "…"
	}
	return string(text)
}

// share returns a part of a limit in words, e.g. "2.50 % of" or "4000 times".
func share(of float64) string {
	switch {
	case of > 1e9:
		return "more than a billion times"
	case of > 100:
		return fmt.Sprintf("%.0f times", of)
	case of > 0 && of < 0.0001:
		return "less than 0.01 % of"
	}
	return strconv.FormatFloat(of*100, 'f', 2, 64) + " % of"
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
