package main

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/costs"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// costSummary is the summary of cost.
type costSummary struct {
	Tables    int `json:"tables"`
	OverLimit int `json:"overLimit"` // tables
}

// print prints an item for each table, and returns the exit code.
func (c *coster) print(printer output.Printer, all []versionCosts) (int, error) {
	var summary costSummary
	for i := range all {
		for j := range all[i].tables {
			summary.Tables++
			if all[i].tables[j].Over() {
				summary.OverLimit++
			}
			item, err := all[i].item(j)
			if err != nil {
				return 0, err
			}
			if err := printer.Print(item); err != nil {
				return 0, err
			}
		}
	}
	// A text has one line for each version already.
	if err := printer.Add(&output.Member{Name: output.Summary, Value: summary}); err != nil {
		return 0, err
	}
	if summary.OverLimit > 0 {
		return exitRefused, printer.Close()
	}
	return exitOK, printer.Close()
}

// item returns the item of one minor's table. The text of several minors is
// that of the last one.
func (v *versionCosts) item(minor int) (*output.Item, error) {
	object, _, err := v.document.Object()
	if err != nil {
		return nil, err
	}
	t := &v.tables[minor]
	r := judge.NewResult(v.document, object)
	r.Definition, r.Version, r.Verdict = true, t.Version, verdict.Accepted
	if t.Over() {
		r.Verdict = verdict.Refused
	}
	for i := range t.Rules {
		if text := overText(&t.Rules[i]); text != "" {
			r.Findings = append(r.Findings, v.finding(object, t, &t.Rules[i], text))
		}
	}
	if t.Total > t.Limit {
		r.Findings = append(r.Findings, verdict.Finding{
			Severity: verdict.Error, Rule: "COST-022", Line: r.Line, Column: r.Column,
			Text: fmt.Sprintf("version %s: its rules can cost %s the schema's limit%s", t.Version,
				share(float64(t.Total)/float64(t.Limit)), v.minorText(t)),
		})
	}
	return &output.Item{
		List: "results", Value: t, Result: r, Case: v.caseName(t),
		Text: func() string { return v.text(minor) },
	}, nil
}

func (v *versionCosts) caseName(t *costs.Table) string {
	return t.Definition + " " + t.Version + v.minorText(t)
}

// minorText names the minor of a table, if there are several.
func (v *versionCosts) minorText(t *costs.Table) string {
	if len(v.tables) > 1 {
		return " (on Kubernetes " + t.Kubernetes + ")"
	}
	return ""
}

func (v *versionCosts) text(minor int) string {
	switch {
	case len(v.tables) == 1:
		return costText(&v.tables[0])
	case minor == len(v.tables)-1:
		return costMatrix(v.tables)
	}
	return ""
}

// finding returns a finding about a rule.
func (v *versionCosts) finding(
	object map[string]any, t *costs.Table, rule *costs.Rule, text string,
) verdict.Finding {
	path := fmt.Sprintf("%s%s.x-kubernetes-validations[%d].rule", schemaOf(object, t.Version),
		strings.TrimPrefix(rule.Path, "openAPIV3Schema"), rule.Index)
	at := v.document.Find(path).Key
	f := verdict.Finding{
		Severity: verdict.Error, Line: at.Line, Column: at.Column, Field: path, Text: text,
		Rule: "COST-020",
	}
	f.Text += v.minorText(t)
	if len(rule.Errors) > 0 {
		f.Rule = rule.Errors[0].Rule
	}
	if len(rule.Suggestion) > 0 {
		f.Hint = "set " + editsText(rule.Suggestion)
	} else if rule.MessageSuggestion != "" {
		f.Hint = "write the messageExpression as `" + rule.MessageSuggestion + "`"
	}
	return f
}

// overText says why a rule is refused. It is empty if it is not.
func overText(r *costs.Rule) string {
	place := fmt.Sprintf("%s[%d]: ", r.Path, r.Index)
	switch {
	case len(r.Errors) > 0:
		return place + "does not compile: " + r.Errors[0].Detail
	case !r.Over():
		return ""
	case r.Total > check.RuleCostLimit:
		return place + "the rule can cost " + share(r.ShareOfRuleLimit) + " its limit"
	}
	return place + "the messageExpression can cost " +
		share(float64(r.MessageCost)/float64(check.RuleCostLimit)) + " its limit"
}
