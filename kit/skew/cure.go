package skew

import (
	"context"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Edit sets a keyword of a definition.
type Edit struct {
	// Path is the node in the document, e.g.
	// spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0], and
	// Keyword its keyword, e.g. "rule" or "maxLength".
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	// Value is the new value: a string of a rule, an int64 of a bound.
	Value any `json:"value"`
}

// Cure is how a definition is written so that all minors accept it.
type Cure struct {
	Edits []Edit `json:"edits"`
	// Stricter is set if the edits refuse objects that were admitted, as a
	// bound does. Otherwise the definition judges every object as before.
	Stricter bool `json:"stricter,omitempty"`
	// Minors are those whose servers were asked about the edited definition and
	// accept it, as a new one and as an update of the definition as it is.
	Minors []minors.Minor `json:"minors"`
}

// String returns the edits in words, e.g. "write the rule as `true`".
func (c *Cure) String() string {
	var parts []string
	for _, e := range c.Edits {
		if e.Keyword == ruleKeyword {
			parts = append(parts, fmt.Sprintf("write the rule as `%v`", e.Value))
		} else {
			parts = append(parts, fmt.Sprintf("set `%s: %v` at %s", e.Keyword, e.Value, e.Path))
		}
	}
	return strings.Join(parts, ", and ")
}

const ruleKeyword = "rule"

// Apply returns a copy of a document with the edits. It is nil if the document
// lacks a place.
func (c *Cure) Apply(document map[string]any) map[string]any {
	edited := jsonvalue.DeepCopyMap(document)
	for _, e := range c.Edits {
		node, _ := fieldpath.Value(edited, e.Path)
		keywords, ok := node.(map[string]any)
		if !ok {
			return nil
		}
		keywords[e.Keyword] = e.Value
	}
	return edited
}

// CureOf returns how to write a definition whose rule is over the limit of a
// minor, nil if nothing is found. schema is the path of the schema in the
// document, e.g. spec.versions[0].schema.openAPIV3Schema, and cost what that
// minor estimates.
//
// A rule that is written in another way and judges every object as before is
// tried first, then bounds. Every minor is asked about the edited definition: a
// cure is one that each accepts, if it accepts the rest of the definition. The
// error is the cause of the context's end.
func CureOf(
	ctx context.Context, document map[string]any, schema string, cost *check.RuleCost,
) (*Cure, error) {
	t := &trial{ctx: ctx, document: document}
	node := schema + strings.TrimPrefix(cost.Path, "openAPIV3Schema")
	at := fmt.Sprintf("%s.x-kubernetes-validations[%d]", node, cost.Index)
	t.without = at
	if text := Rewritten(cost.Rule); text != "" {
		cure := &Cure{Edits: []Edit{{at, ruleKeyword, text}}}
		if t.works(cure) {
			return cure, nil
		}
	}
	for _, bounds := range boundsOf(cost) {
		cure := &Cure{Stricter: true}
		for _, b := range bounds {
			path := schema + strings.TrimPrefix(b.Path, "openAPIV3Schema")
			cure.Edits = append(cure.Edits, Edit{path, b.Keyword, b.Fits})
		}
		if t.works(cure) {
			return cure, nil
		}
	}
	return nil, context.Cause(ctx)
}

// least is the smallest bound that is offered: few lists and strings stay below
// a smaller one.
const least = 10

// boundsOf returns the bounds that bring a rule below its limit: one that is
// missing, the roomiest, or all of them.
func boundsOf(c *check.RuleCost) (tries [][]check.MissingBound) {
	var one check.MissingBound
	var all []check.MissingBound
	for _, m := range c.Missing {
		if m.Fits > one.Fits {
			one = m
		}
		m.Fits = c.FitsTogether
		all = append(all, m)
	}
	for _, bounds := range [][]check.MissingBound{{one}, all} {
		if len(bounds) > 0 && bounds[0].Fits >= least {
			for i := range bounds {
				bounds[i].Fits = rounded(bounds[i].Fits)
			}
			tries = append(tries, bounds)
		}
	}
	return tries
}

// rounded returns the largest number of at most two digits other than zero that
// is not greater than n, e.g. 1200 for 1234.
func rounded(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return n - n%unit
}

// trial asks the servers of all minors about edited definitions.
type trial struct {
	ctx      context.Context
	document map[string]any
	without  string // the rule that is cured: its removal shows what else is refused

	rest map[minors.Minor]map[string]bool // errors without the rule
}

// works reports whether all minors accept an edited definition, apart from
// errors that are none of the rule's. It notes the minors that were asked.
func (t *trial) works(c *Cure) bool {
	edited := c.Apply(t.document)
	if edited == nil {
		return false
	}
	if t.rest == nil {
		t.rest = t.errors(t.withoutRule())
	}
	found := t.errors(edited)
	for _, minor := range minors.All() {
		for err := range found[minor] {
			if !t.rest[minor][err] {
				return false
			}
		}
	}
	c.Minors = minors.All()
	return t.ctx.Err() == nil
}

// withoutRule returns the document with a rule that costs nothing.
func (t *trial) withoutRule() map[string]any {
	harmless := &Cure{Edits: []Edit{{t.without, ruleKeyword, "true"}}}
	return harmless.Apply(t.document)
}

// errors returns what the servers say to a definition, as a new one and as an
// update of the one as it is. The limit of a whole schema has no place, because
// the server names the rules that contribute the most.
func (t *trial) errors(document map[string]any) map[minors.Minor]map[string]bool {
	all := map[minors.Minor]map[string]bool{}
	edited, _, err := definition.FromMap(document)
	before, _, oldErr := definition.FromMap(t.document)
	if err != nil || oldErr != nil {
		return nil
	}
	var cache crdsem.Cache
	for _, minor := range minors.All() {
		crd, shared := edited.In(minor), structural.InCache(&cache)
		stored, update := definition.Revise(before.In(minor), crd)
		all[minor] = map[string]bool{}
		errs := validate.Create(t.ctx, crd.ForCreate(), shared).Errors
		errs = append(errs, validate.Update(t.ctx, update, stored, shared).Errors...)
		for _, err := range errs {
			place := err.Field
			if err.Origin == "COST-022" {
				place = ""
			}
			all[minor][place+" "+err.Origin] = true
		}
	}
	return all
}
