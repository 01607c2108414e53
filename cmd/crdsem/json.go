package main

import (
	"encoding/json"
	"io"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/protocol"
)

// finding is a field error in the form of the evaluation protocol.
type finding = protocol.FieldError

func findings(list field.ErrorList) []finding { return protocol.FieldErrors(list) }

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

func writeJSON[T any](out io.Writer, value T) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
