package upgrade

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// ClusterReport is what an upgrade of a cluster does to one definition and its
// objects. The definition stays as it is: the server changes.
type ClusterReport struct {
	// Kubernetes are the minors of the upgrade, the oldest first.
	Kubernetes []minors.Minor `json:"kubernetes"`
	// Effects are what differs between a minor and the one before it: of the
	// definition, then of rules, then of objects.
	Effects []ClusterEffect `json:"effects"`

	document map[string]any
	sides    []*side // of each minor
}

// ClusterKind says what an effect of a cluster's upgrade is about.
type ClusterKind string

// The kinds of effects.
const (
	// RefusedAsNew: the server refuses the definition as a new one.
	RefusedAsNew ClusterKind = "refused as new"
	// UpdateRefused: the server refuses every update of the stored definition,
	// even of a label.
	UpdateRefused ClusterKind = "update refused"
	// AcceptedNow: the server refused the definition before.
	AcceptedNow ClusterKind = "accepted"
	// EstimatedOtherwise: a rule has another estimated cost.
	EstimatedOtherwise ClusterKind = "estimated otherwise"
	// JudgedOtherwise: an object has another verdict. The witness is one.
	JudgedOtherwise ClusterKind = "judged otherwise"
	// WordedOtherwise: an object is refused as before, and errors have another
	// type or text, which tests may compare.
	WordedOtherwise ClusterKind = "worded otherwise"
	// ChargedOtherwise: the rules of an object cost another amount at run time.
	ChargedOtherwise ClusterKind = "charged otherwise"
)

// ClusterKinds lists the kinds of effects.
func ClusterKinds() []ClusterKind {
	return []ClusterKind{
		RefusedAsNew, UpdateRefused, AcceptedNow, EstimatedOtherwise, JudgedOtherwise,
		WordedOtherwise, ChargedOtherwise,
	}
}

// Meaning returns what effects of the kind are. It is empty for a kind that is
// not among [ClusterKinds].
func (k ClusterKind) Meaning() string {
	return map[ClusterKind]string{
		RefusedAsNew:       "the server refuses the definition as a new one",
		UpdateRefused:      "the server refuses every update of the stored definition, even of a label",
		AcceptedNow:        "the server accepts what it refused before",
		EstimatedOtherwise: "a rule has another estimated cost",
		JudgedOtherwise:    "an object has another verdict",
		WordedOtherwise:    "an object is refused as before, with errors of another type or text",
		ChargedOtherwise:   "the rules of an object cost another amount at run time",
	}[k]
}

// ClusterEffect is one thing that the server of a minor does otherwise than the
// one before it.
type ClusterEffect struct {
	Kind ClusterKind `json:"kind"`
	// Before and After are the two minors.
	Before minors.Minor `json:"before"`
	After  minors.Minor `json:"after"`
	// Severity is breaking for what is refused from now on.
	Severity Severity `json:"severity"`
	// Version is the version of the definition, empty for all of them. Path is
	// the place: of a rule in the definition, e.g.
	// spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule,
	// or of an error, as the server names it.
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
	// Places are all paths that share the cause, if there are several.
	Places []string `json:"places,omitempty"`
	// Old and New are what the servers say: an error, an estimate, or an empty
	// text for what is accepted.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Rule is the rule of the specification behind an error, or the rule of the
	// schema that is estimated.
	Rule string `json:"rule,omitempty"`
	// Causes are the changes of Kubernetes behind it, if they are known.
	Causes []ClusterCause `json:"causes,omitempty"`
	// Cure says what to do, empty if nothing has to be done. Edits are the cure
	// as edits of the definition, which all minors accept.
	Cure  string      `json:"cure,omitempty"`
	Edits []skew.Edit `json:"edits,omitempty"`
	// Witness is an object that shows it.
	Witness map[string]any `json:"witness,omitempty"`
	// Err is the error that the effect is about, nil without one.
	Err *field.Error `json:"-"`

	was *field.Error // the error of the minor before, if there is one
}

// ClusterCause is a change of Kubernetes.
type ClusterCause struct {
	// ID identifies the change, e.g. 38-computed-sizes, and Summary says it.
	ID      string `json:"id"`
	Summary string `json:"summary"`
}

// causesOf returns the changes between two minors behind an error.
func causesOf(before, after minors.Minor, err *field.Error) []ClusterCause {
	var list []ClusterCause
	for _, c := range skew.Causes(before, after, err) {
		list = append(list, ClusterCause{c.ID, c.Summary})
	}
	return list
}

// Most returns the highest severity of the effects, fine without any.
func (r *ClusterReport) Most() Severity {
	most := Fine
	for i := range r.Effects {
		if !isAsSevere(most, r.Effects[i].Severity) {
			most = r.Effects[i].Severity
		}
	}
	return most
}

// CompareMinors says what an upgrade of a cluster through some minors, the
// oldest first, does to a definition, given as a decoded document, which is not
// changed. Objects are generated that show it, as many as [Tries] says for each
// version, with the numbers of [Seed].
//
// An error is a document that does not decode or compile as a definition, or
// the context's error.
func CompareMinors(
	ctx context.Context, document map[string]any, in []minors.Minor, with ...Option,
) (*ClusterReport, error) {
	if len(in) < 2 {
		return nil, errors.New("an upgrade needs two minors")
	}
	o := choose(with)
	crd, _, err := definition.FromMap(document)
	if err != nil {
		return nil, err
	}
	r := &ClusterReport{Kubernetes: in, Effects: []ClusterEffect{}, document: document}
	cache := &crdsem.Cache{}
	for _, minor := range in {
		s, err := newSide(crd.In(minor), cache, nil)
		if err != nil {
			return nil, err
		}
		r.sides = append(r.sides, s)
	}
	r.compareVerdicts(ctx)
	for i := range r.sides[0].model.Versions() {
		if err := r.compareEstimates(ctx, r.sides[0].model.Versions()[i].Name); err != nil {
			return nil, err
		}
	}
	if err := r.compareGenerated(ctx, o); err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// compareVerdicts adds the effects on the definition as a whole: whether it is
// accepted as a new one, and whether the stored one can be updated.
func (r *ClusterReport) compareVerdicts(ctx context.Context) {
	var cache crdsem.Cache
	var asNew, asUpdate []field.ErrorList
	for _, s := range r.sides {
		shared := structural.InCache(&cache)
		asNew = append(asNew, validate.Create(ctx, s.crd.ForCreate(), shared).Errors)
		stored, update := definition.Revise(s.crd, s.crd)
		asUpdate = append(asUpdate, validate.Update(ctx, update, stored, shared).Errors)
	}
	for i := 1; i < len(r.sides); i++ {
		r.addVerdict(i, UpdateRefused, asUpdate[i-1], asUpdate[i])
		r.addVerdict(i, RefusedAsNew, asNew[i-1], asNew[i])
	}
}

// addVerdict adds an effect if a minor refuses the definition for an error that
// the minor before it does not have, or if it accepts it.
func (r *ClusterReport) addVerdict(i int, kind ClusterKind, before, after field.ErrorList) {
	known := map[string]bool{}
	for _, err := range before {
		known[err.Field+" "+err.Origin] = true
	}
	e := ClusterEffect{
		Kind: kind, Before: r.Kubernetes[i-1], After: r.Kubernetes[i], Severity: Breaking,
	}
	for _, err := range after {
		if known[err.Field+" "+err.Origin] {
			continue
		}
		if e.New == "" {
			e.Path, e.New, e.Rule, e.Err = err.Field, err.Error(), err.Origin, err
			e.Causes = r.causesOfRefusal(e.Before, e.After, err)
		}
		e.Places = append(e.Places, err.Field)
	}
	switch {
	case len(e.Places) > 0:
		if len(e.Places) == 1 {
			e.Places = nil
		}
		if kind == UpdateRefused {
			e.Cure = fmt.Sprintf("correct the definition before the cluster leaves %s: "+
				"later, an update is accepted only if it corrects it", e.Before)
		}
	case len(before) > 0 && len(after) == 0:
		first := before[0]
		e.Kind, e.Severity = AcceptedNow, Fine
		e.Path, e.Old, e.Rule, e.Err = first.Field, first.Error(), first.Origin, first
		e.Causes = r.causesOfRefusal(e.Before, e.After, first)
	default:
		return
	}
	r.Effects = append(r.Effects, e)
}

// noted is the share of its limit from which on a greater estimate is notable.
const noted = 0.1

// compareEstimates adds the rules of a version that are estimated otherwise.
func (r *ClusterReport) compareEstimates(ctx context.Context, version string) error {
	var all [][]check.RuleCost
	for _, s := range r.sides {
		costs, err := check.Costs(ctx, s.model.Version(version).Schema(),
			structural.Kubernetes(s.crd.Kubernetes()))
		if err != nil {
			return err
		}
		all = append(all, costs)
	}
	for i := 1; i < len(all); i++ {
		for n := range min(len(all[i-1]), len(all[i])) {
			was, is := &all[i-1][n], &all[i][n]
			if was.Total == is.Total || len(was.Errors)+len(is.Errors) > 0 {
				continue
			}
			if err := r.addEstimate(ctx, i, version, was, is); err != nil {
				return err
			}
		}
	}
	return nil
}

// addEstimate adds a rule that is estimated otherwise, with its cure if it is
// over its limit now.
func (r *ClusterReport) addEstimate(
	ctx context.Context, i int, version string, was, is *check.RuleCost,
) error {
	schema := r.schemaPath(version)
	e := ClusterEffect{
		Kind: EstimatedOtherwise, Before: r.Kubernetes[i-1], After: r.Kubernetes[i],
		Severity: severityOfEstimate(was, is), Version: version,
		Path: fmt.Sprintf("%s%s.x-kubernetes-validations[%d].rule", schema,
			strings.TrimPrefix(is.Path, "openAPIV3Schema"), is.Index),
		Old: fmt.Sprint(was.Total), New: fmt.Sprint(is.Total), Rule: is.Rule,
	}
	e.Causes = causesOfEstimate(e.Before, e.After, e.Rule)
	if e.Severity == Breaking {
		cure, err := skew.CureOf(ctx, r.document, schema, is)
		if err != nil {
			return err
		}
		if cure != nil {
			e.Cure, e.Edits = cure.String(), cure.Edits
		}
	}
	r.Effects = append(r.Effects, e)
	return nil
}

// schemaPath returns the path of a version's schema in the document.
func (r *ClusterReport) schemaPath(version string) string {
	spec, _ := r.document["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for i, v := range versions {
		v, _ := v.(map[string]any)
		if _, has := v["schema"]; has && v["name"] == version {
			return fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)
		}
	}
	return "spec.validation.openAPIV3Schema" // of v1beta1, for all versions
}

func severityOfEstimate(was, is *check.RuleCost) Severity {
	switch {
	case is.ShareOfRuleLimit > 1 && was.ShareOfRuleLimit <= 1:
		return Breaking
	case is.Total > was.Total && is.ShareOfRuleLimit > noted:
		return Notable
	}
	return Fine
}

// causesOfEstimate returns the changes behind an estimate of a rule, or of the
// rules in a document. Those of the parts of URLs are left out without one.
func causesOfEstimate(before, after minors.Minor, rules string) []ClusterCause {
	var list []ClusterCause
	reason := &field.Error{Origin: "COST-020"}
	for _, c := range skew.Causes(before, after, reason) {
		isOfURLs := len(c.Rules) == 1 && c.Rules[0] == "COST-102"
		if !isOfURLs || strings.Contains(rules, "url(") {
			list = append(list, ClusterCause{c.ID, c.Summary})
		}
	}
	return list
}

// causesOfRefusal returns the changes behind an error about the definition.
func (r *ClusterReport) causesOfRefusal(
	before, after minors.Minor, err *field.Error,
) []ClusterCause {
	if !strings.HasPrefix(err.Origin, "COST-02") {
		return causesOf(before, after, err)
	}
	text, _ := jsonvalue.EncodeJSON(r.document) // it was decoded
	return causesOfEstimate(before, after, string(text))
}
