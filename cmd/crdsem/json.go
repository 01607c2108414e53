package main

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/protocol"
)

// finding is a field error in the form of the evaluation protocol.
type finding = protocol.FieldError

func findings(list field.ErrorList) []finding { return protocol.FieldErrors(list) }

// hinted is a finding with a hint on how to mend it.
type hinted struct {
	finding
	Hint string `json:"hint,omitempty"`
}

// withHints adds the hints that a function gives.
func withHints(list field.ErrorList, hint func(*field.Error) string) []hinted {
	out := make([]hinted, len(list))
	for i, text := range findings(list) {
		out[i] = hinted{text, hint(list[i])}
	}
	return out
}

// textHints are the hints on warnings and refusals, which are texts.
type textHints []textHint

// textHint is a warning or a refusal with a hint.
type textHint struct {
	Text string `json:"text"`
	Hint string `json:"hint"`
}

// hintTexts returns the hints on texts that have one.
func hintTexts(hint func(string) string, texts ...string) textHints {
	var found textHints
	for _, text := range texts {
		if h := hint(text); h != "" {
			found = append(found, textHint{text, h})
		}
	}
	return found
}

// of returns the hint on a text, or "".
func (list textHints) of(text string) string {
	for _, h := range list {
		if h.Text == text {
			return h.Hint
		}
	}
	return ""
}

// hintText writes the hint on a finding and its rule, on a line of its own.
func (h *hinted) hintText(b *strings.Builder, indent string) {
	switch {
	case h.Hint != "":
		hintText(b, indent, h.Hint+" ("+h.Rule+")")
	case h.Rule != "":
		fmt.Fprintf(b, "%srule: %s\n", indent, h.Rule)
	}
}

func hintText(b *strings.Builder, indent, hint string) {
	if hint != "" {
		fmt.Fprintf(b, "%shint: %s\n", indent, hint)
	}
}

// explanation says why a rule failed: the values of its sub-expressions.
type explanation struct {
	Field string `json:"field"`
	Rule  string `json:"rule"`
	Terms []term `json:"terms"`
}

// term is a sub-expression with its value or, if it failed, its error.
type term struct {
	Text   string `json:"text"`
	Offset int    `json:"offset"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Value  string `json:"value"`
	Failed bool   `json:"failed,omitempty"`
}

func explanations(list []crdsem.Explanation) []explanation {
	var out []explanation
	for _, e := range list {
		terms := make([]term, len(e.Terms))
		for i, t := range e.Terms {
			terms[i] = term{t.Text, t.Offset, t.Line, t.Column, t.Value, t.Failed}
		}
		out = append(out, explanation{e.Field, e.Rule, terms})
	}
	return out
}

// ruleCost is the estimate of one rule. Its first members are those of the
// operation cost of the evaluation protocol.
type ruleCost struct {
	Path               string         `json:"path"`
	Index              int            `json:"index"`
	Rule               string         `json:"rule"`
	MaxCost            uint64         `json:"maxCost"`
	Cardinality        *uint64        `json:"cardinality"`
	Total              uint64         `json:"total"`
	MessageCost        uint64         `json:"messageCost"`
	UsesOldSelf        bool           `json:"usesOldSelf"`
	Errors             []finding      `json:"errors,omitempty"`
	Counted            uint64         `json:"counted"`
	ShareOfRuleLimit   float64        `json:"shareOfRuleLimit"`
	ShareOfSchemaLimit float64        `json:"shareOfSchemaLimit"`
	Factors            []factor       `json:"factors,omitempty"`
	Missing            []missingBound `json:"missing,omitempty"`
	FitsTogether       int64          `json:"fitsTogether,omitempty"`
	// Suggestion is the edit that brings a rule below its limit.
	Suggestion []boundEdit `json:"suggestion,omitempty"`
}

// factor is a list or map above a rule, and the maximum of its size, if any.
type factor struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Max     *int64 `json:"max"`
}

// missingBound is a maximum that the schema does not set. Fits is the largest
// value that would make the rule fit; 0 if no value would.
type missingBound struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Fits    int64  `json:"fits"`
}

func ruleCosts(list []check.RuleCost) []ruleCost {
	out := make([]ruleCost, len(list))
	for i := range list {
		c := &list[i]
		out[i] = ruleCost{
			Path: c.Path, Index: c.Index, Rule: c.Rule,
			MaxCost: c.MaxCost, Cardinality: c.Cardinality, Total: c.Total,
			MessageCost: c.MessageCost, UsesOldSelf: c.UsesOldSelf, Errors: findings(c.Errors),
			Counted: c.Counted, ShareOfRuleLimit: c.ShareOfRuleLimit,
			ShareOfSchemaLimit: c.ShareOfSchemaLimit, FitsTogether: c.FitsTogether,
		}
		for _, f := range c.Factors {
			out[i].Factors = append(out[i].Factors, factor(f))
		}
		for _, m := range c.Missing {
			out[i].Missing = append(out[i].Missing, missingBound(m))
		}
	}
	return out
}
