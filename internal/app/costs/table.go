package costs

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Table has the rules of one version, the most expensive one first. Its total
// is the cost of the rules, for all their values, and of the messages, once
// each.
type Table struct {
	Kubernetes string `json:"kubernetes"` // the minor, e.g. 1.33
	Definition string `json:"definition"`
	Version    string `json:"version"`
	Rules      []Rule `json:"rules"`
	Total      uint64 `json:"total"`
	Limit      uint64 `json:"limit"`
}

// Rule is the estimate of one rule. Its first members are those of the
// operation cost of the evaluation protocol.
type Rule struct {
	Path               string                `json:"path"`
	Index              int                   `json:"index"`
	Rule               string                `json:"rule"`
	MaxCost            uint64                `json:"maxCost"`
	Cardinality        *uint64               `json:"cardinality"`
	Total              uint64                `json:"total"`
	MessageCost        uint64                `json:"messageCost"`
	UsesOldSelf        bool                  `json:"usesOldSelf"`
	Errors             []protocol.FieldError `json:"errors,omitempty"`
	Counted            uint64                `json:"counted"`
	ShareOfRuleLimit   float64               `json:"shareOfRuleLimit"`
	ShareOfSchemaLimit float64               `json:"shareOfSchemaLimit"`
	Factors            []Factor              `json:"factors,omitempty"`
	Missing            []MissingBound        `json:"missing,omitempty"`
	FitsTogether       int64                 `json:"fitsTogether,omitempty"`
	Set                []SetBound            `json:"set,omitempty"`
	FitsAll            int64                 `json:"fitsAll,omitempty"`
	// Suggestion is the edit that brings a rule below its limit.
	Suggestion []Edit `json:"suggestion,omitempty"`
	// MessageSuggestion is a messageExpression with the same result as one over
	// its limit. It costs less.
	MessageSuggestion string `json:"messageSuggestion,omitempty"`
}

// Factor is a list or map above a rule, and the maximum of its size, if any.
type Factor struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Max     *int64 `json:"max"`
}

// MissingBound is a maximum that the schema does not set. Fits is the largest
// value that would make the rule fit; 0 if no value would.
type MissingBound struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Fits    int64  `json:"fits"`
}

// SetBound is a maximum that the schema sets. Fits is the largest value that
// would make the rule fit; 0 if no value would.
type SetBound struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Value   int64  `json:"value"`
	Fits    int64  `json:"fits"`
}

// Of returns the tables of a definition, one for each version in its order,
// with the estimates of a minor. The error is that of [check.Costs].
func Of(ctx context.Context, model *definition.Model, minor minors.Minor) ([]Table, error) {
	var tables []Table
	for _, v := range model.Versions() {
		costs, err := check.Costs(ctx, v.Schema(), structural.Kubernetes(minor))
		if err != nil {
			return nil, err
		}
		t := Table{
			Kubernetes: minor.String(),
			Definition: model.Name(),
			Version:    v.Name,
			Rules:      rulesOf(costs),
			Limit:      check.SchemaCostLimit,
		}
		for i := range t.Rules {
			t.Total = add(add(t.Total, t.Rules[i].Total), t.Rules[i].MessageCost)
			t.Rules[i].Suggestion = suggest(&t.Rules[i])
		}
		if t.Over() {
			if err := t.likeFix(ctx, v.Schema(), minor); err != nil {
				return nil, err
			}
		}
		slices.SortStableFunc(t.Rules, func(a, b Rule) int {
			return cmp.Compare(max(b.Total, b.MessageCost), max(a.Total, a.MessageCost))
		})
		tables = append(tables, t)
	}
	return tables, nil
}

// likeFix suggests the bounds that [Fix] sets, for the rules that lack them.
// Rules that these do not concern keep their own suggestions.
func (t *Table) likeFix(
	ctx context.Context, schema *structural.Schema, minor minors.Minor,
) error {
	edits, ok, err := fix(ctx, schema, []minors.Minor{minor})
	if err != nil || !ok {
		return err
	}
	for i := range t.Rules {
		r := &t.Rules[i]
		var own []Edit
		for _, e := range edits {
			if r.Over() && r.reads(e.Path) {
				own = append(own, e)
			}
		}
		if len(own) > 0 {
			r.Suggestion = own
		}
	}
	return nil
}

// reads reports whether the cost of the rule may grow with what is at a path:
// at the node of the rule, below it, or on the way to it.
func (r *Rule) reads(path string) bool {
	return strings.HasPrefix(path, r.Path) || strings.HasPrefix(r.Path, path)
}

// Over reports whether a rule, a message or the whole schema costs more than
// the server allows, or a rule does not compile.
func (t *Table) Over() bool {
	return t.Total > t.Limit || slices.ContainsFunc(t.Rules, func(r Rule) bool { return r.Over() })
}

// Over reports whether the rule or its message costs more than the server
// allows, or does not compile.
func (r *Rule) Over() bool {
	return r.Total > check.RuleCostLimit || r.MessageCost > check.RuleCostLimit || len(r.Errors) > 0
}

func rulesOf(list []check.RuleCost) []Rule {
	out := make([]Rule, len(list))
	for i := range list {
		c, r := &list[i], &out[i]
		*r = Rule{
			Path: c.Path, Index: c.Index, Rule: c.Rule,
			MaxCost: c.MaxCost, Cardinality: c.Cardinality, Total: c.Total,
			MessageCost: c.MessageCost, UsesOldSelf: c.UsesOldSelf,
			Errors: protocol.FieldErrors(c.Errors), Counted: c.Counted,
			ShareOfRuleLimit:   c.ShareOfRuleLimit,
			ShareOfSchemaLimit: c.ShareOfSchemaLimit, FitsTogether: c.FitsTogether,
			FitsAll: c.FitsAll,
		}
		if c.MessageCost > check.RuleCostLimit {
			r.MessageSuggestion = celsyntax.Formatted(c.MessageExpression)
		}
		for _, f := range c.Factors {
			r.Factors = append(r.Factors, Factor(f))
		}
		for _, m := range c.Missing {
			r.Missing = append(r.Missing, MissingBound(m))
		}
		for _, b := range c.Set {
			r.Set = append(r.Set, SetBound(b))
		}
	}
	return out
}

func add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
