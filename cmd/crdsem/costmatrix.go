package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/app/costs"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// costMatrix returns a table for a version: the share of the limit that each
// rule takes in each minor, and advice for the newest minor in which a rule is
// over its limit. The oldest minor comes first.
func costMatrix(of []costs.Table) string {
	var b strings.Builder
	newest := of[len(of)-1]
	visible.Printf(&b, "%s %s: %s\n", newest.Definition, newest.Version,
		count(len(newest.Rules), "rule"))
	if len(newest.Rules) == 0 {
		return b.String()
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
		visible.Printf(w, "\n  %s[%d]: %s", rule.Path, rule.Index, short(rule.Rule))
		for j := range of {
			fmt.Fprintf(w, "\t%s", ruleShare(ruleIn(&of[j], rule)))
		}
	}
	fmt.Fprintln(w)
	_ = w.Flush() // a string takes everything
	for i := range newest.Rules {
		costAdviceByMinor(&b, of, &newest.Rules[i])
	}
	return b.String()
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
