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
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/advice/costs"
	"github.com/crdsem/crdsem/manifest"
	"github.com/crdsem/crdsem/minors"
)

func newCostCommand() *cobra.Command {
	c := &coster{}
	cmd := &cobra.Command{
		Use:   "cost PATH...",
		Short: "estimate the costs of validation rules",
		Long: `Cost estimates what each validation rule can cost, the most expensive one first, and suggests the
bound that brings a rule below its limit. The exit code is 1 if a rule is over a limit.

The columns are the share of the limit of a rule that the total takes; the total, which is once by
times; what the rule costs once, for one value; how many times it runs in an object at most, by the
bounds of the lists and maps above it; and what its messageExpression costs.

Rules are compiled as those of a stored definition, which may call the functions of the next minor,
too. Whether a new definition may call them is what crdsem check says.

With several minors of Kubernetes, it prints the share of the limit that a rule takes in each.`,
		RunE: runs(c.run),
	}
	crdFlag(cmd, &c.crds)
	kubernetesFlag(cmd, &c.minors)
	outputFlag(cmd, &c.output, "text", "json")
	return cmd
}

// coster is one run of the command.
type coster struct {
	crds   []string
	minors []minors.Minor
	output string
}

func (c *coster) run(ctx context.Context, args []string, std streams) (int, error) {
	paths := append(c.crds, args...)
	if len(paths) == 0 {
		return 0, errUsage("no definition given")
	}
	tables, err := c.read(ctx, paths, std.in)
	if err != nil {
		return 0, err
	}
	switch {
	case c.output == "json":
		err = writeJSON(std.out, tables)
	case len(c.minors) > 1:
		err = writeCostMatrix(std.out, tables, len(c.minors))
	default:
		err = writeCosts(std.out, tables)
	}
	for i := range tables {
		if tables[i].Over() {
			return exitRefused, err
		}
	}
	return exitOK, err
}

// read returns a table for each version of the definitions in some paths, and
// for each minor of it.
func (c *coster) read(
	ctx context.Context, paths []string, stdin io.Reader,
) ([]costs.Table, error) {
	out := []costs.Table{}
	for doc, err := range definitionsIn(paths, stdin) {
		if err != nil {
			return nil, err
		}
		var byMinor [][]costs.Table
		for _, minor := range c.minors {
			tables, err := costsOf(ctx, doc, minor)
			if err != nil {
				return nil, fmt.Errorf("%v: %w", doc.Start(), err)
			}
			byMinor = append(byMinor, tables)
		}
		for i := range byMinor[0] {
			for _, tables := range byMinor {
				out = append(out, tables[i])
			}
		}
	}
	return out, nil
}

// costsOf returns a table for each version of a definition.
func costsOf(
	ctx context.Context, doc *manifest.Document, minor minors.Minor,
) ([]costs.Table, error) {
	crd, err := decodeCRD(doc, definition.Kubernetes(minor))
	if err != nil {
		return nil, err
	}
	model, err := definition.Compile(crd)
	if err != nil {
		return nil, err
	}
	return costs.Of(ctx, model, minor)
}

// writeCosts prints a table for each version, and advice on the rules that are
// over a limit.
func writeCosts(out io.Writer, tables []costs.Table) error {
	var b strings.Builder
	for i := range tables {
		t := &tables[i]
		fmt.Fprintf(&b, "%s %s: %s, %s the schema's limit\n", t.Definition, t.Version,
			count(len(t.Rules), "rule"), share(float64(t.Total)/float64(t.Limit)))
		if len(t.Rules) == 0 {
			continue
		}
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "  share\ttotal\tonce\ttimes\tmessage\trule")
		for j := range t.Rules {
			costRow(w, &t.Rules[j])
		}
		if err := w.Flush(); err != nil {
			return err
		}
		for j := range t.Rules {
			costAdvice(&b, &t.Rules[j])
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// costRow prints a rule: its costs, its path, and the start of its expression.
func costRow(w io.Writer, c *costs.Rule) {
	times := "unbounded"
	if c.Cardinality != nil {
		times = strconv.FormatUint(*c.Cardinality, 10)
	}
	fmt.Fprintf(w, "  %s\t%d\t%d\t%s\t%d\t%s[%d]: %s\n",
		strings.TrimSuffix(share(c.ShareOfRuleLimit), " of"), c.Total, c.MaxCost, times,
		c.MessageCost, c.Path, c.Index, short(c.Rule))
}

// costAdvice explains a rule that does not compile or costs too much.
func costAdvice(b *strings.Builder, c *costs.Rule) {
	if !c.Over() {
		return
	}
	fmt.Fprintf(b, "  %s[%d]\n", c.Path, c.Index)
	for _, err := range c.Errors {
		fmt.Fprintf(b, "    does not compile: %s\n", err.Detail)
	}
	if c.MessageCost > check.RuleCostLimit {
		fmt.Fprintf(b, "    the messageExpression alone takes %s its limit\n",
			share(float64(c.MessageCost)/float64(check.RuleCostLimit)))
	}
	for _, f := range c.Factors {
		bound := "without " + f.Keyword
		if f.Max != nil {
			bound = f.Keyword + " " + strconv.FormatInt(*f.Max, 10)
		}
		fmt.Fprintf(b, "    runs for each element of %s (%s)\n", f.Path, bound)
	}
	for _, m := range c.Missing {
		advice := "would not be enough by itself"
		if m.Fits > 0 {
			advice = fmt.Sprintf("of at most %d would make it fit", m.Fits)
		}
		fmt.Fprintf(b, "    %s at %s %s\n", m.Keyword, m.Path, advice)
	}
	for _, set := range c.Set {
		advice := "would not be enough if it were lower"
		if set.Fits > 0 {
			advice = fmt.Sprintf("would fit at %d", set.Fits)
		}
		fmt.Fprintf(b, "    %s %d at %s %s\n", set.Keyword, set.Value, set.Path, advice)
	}
	if c.FitsTogether > 0 && len(c.Missing) > 1 {
		fmt.Fprintf(b, "    all of these bounds together fit at %d\n", c.FitsTogether)
	}
	if len(c.Suggestion) > 0 {
		edits := make([]string, len(c.Suggestion))
		for i, e := range c.Suggestion {
			edits[i] = fmt.Sprintf("`%s: %d` at %s", e.Keyword, e.Value, e.Path)
		}
		fmt.Fprintf(b, "    suggestion: set %s\n", strings.Join(edits, " and "))
	}
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
