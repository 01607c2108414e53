package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/app/advice/costs"
)

// writeCostMatrix prints a table for each version of a definition: the share of
// the limit that each rule takes in each minor, and advice for the newest minor
// in which a rule is over its limit. The tables of one version follow each
// other, the oldest minor first.
func writeCostMatrix(out io.Writer, tables []costs.Table, minors int) error {
	var b strings.Builder
	for of := range slices.Chunk(tables, minors) {
		newest := of[len(of)-1]
		fmt.Fprintf(&b, "%s %s: %s\n", newest.Definition, newest.Version,
			count(len(newest.Rules), "rule"))
		if len(newest.Rules) == 0 {
			continue
		}
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprint(w, "  share of the limit")
		for i := range of {
			fmt.Fprintf(w, "\t%s", of[i].Kubernetes)
		}
		fmt.Fprint(w, "\n  all rules")
		for i := range of {
			fmt.Fprintf(w, "\t%s", percent(float64(of[i].Total)/float64(of[i].Limit)))
		}
		for i := range newest.Rules {
			rule := &newest.Rules[i]
			fmt.Fprintf(w, "\n  %s[%d]: %s", rule.Path, rule.Index, short(rule.Rule))
			for j := range of {
				fmt.Fprintf(w, "\t%s", ruleShare(ruleIn(&of[j], rule)))
			}
		}
		fmt.Fprintln(w)
		if err := w.Flush(); err != nil {
			return err
		}
		for i := range newest.Rules {
			costAdviceByMinor(&b, of, &newest.Rules[i])
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// ruleIn returns the row of a rule in the table of another minor.
func ruleIn(t *costs.Table, like *costs.Rule) *costs.Rule {
	for i := range t.Rules {
		if r := &t.Rules[i]; r.Path == like.Path && r.Index == like.Index {
			return r
		}
	}
	return nil
}

// ruleShare returns how much of its limit a rule takes.
func ruleShare(c *costs.Rule) string {
	switch {
	case c == nil:
		return "-"
	case len(c.Errors) > 0:
		return "does not compile"
	}
	message := float64(c.MessageCost) / float64(check.RuleCostLimit)
	return percent(max(c.ShareOfRuleLimit, message))
}

func percent(of float64) string { return strings.TrimSuffix(share(of), " of") }

// costAdviceByMinor prints the advice about a rule for the newest minor in
// which it is over its limit.
func costAdviceByMinor(b *strings.Builder, tables []costs.Table, like *costs.Rule) {
	for i := len(tables) - 1; i >= 0; i-- {
		if rule := ruleIn(&tables[i], like); rule != nil && rule.Over() {
			fmt.Fprintf(b, "  on Kubernetes %s:\n", tables[i].Kubernetes)
			costAdvice(b, rule)
			return
		}
	}
}
