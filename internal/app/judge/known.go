package judge

import (
	"reflect"
	"slices"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/structural"
)

// Known is what is to be known of an accepted definition in order not to check
// it again.
type Known struct {
	Group    string            `json:"group"`
	Kind     string            `json:"kind"`
	Plural   string            `json:"plural"`
	Name     string            `json:"name"`
	Request  string            `json:"request"`
	Findings []verdict.Finding `json:"findings,omitempty"` // warnings
	// Sources are the lines of the file that the findings are on.
	Sources []string `json:"sources,omitempty"`
}

// Remember returns what is to be known of a definition that was checked. ok is
// false if it was not accepted, or if minors differ in what they found.
func Remember(checked []*Definition) (k Known, ok bool) {
	for i, d := range checked {
		r := d.Result
		hasEdits := func(f verdict.Finding) bool { return len(f.Edits) > 0 }
		if r.Verdict != verdict.Accepted || len(r.Notes) > 0 || r.APIVersion != servedVersion ||
			r.Item != "" || slices.ContainsFunc(r.Findings, hasEdits) {
			return Known{}, false
		}
		of := Known{
			Group: d.names.Group, Kind: d.names.Kind, Plural: d.names.Plural, Name: r.Name,
			Request: r.Request, Findings: slices.Clone(r.Findings),
		}
		for i := range r.Findings {
			of.Sources = append(of.Sources, r.Findings[i].Source)
		}
		if i > 0 && !reflect.DeepEqual(of, k) {
			return Known{}, false
		}
		k = of
	}
	return k, len(checked) > 0
}

// CheckKnown is like CheckGiven for a definition whose text was checked before
// by the same judges, on the same lines. It is read and compiled when an object
// of its kind is judged.
func (p *Panel) CheckKnown(doc *manifest.Document, of Known) []*Definition {
	shared := sync.OnceValue(func() *definition.CRD {
		if len(p.judges) == 1 {
			return nil
		}
		object, _, err := doc.Object()
		if err != nil {
			return nil
		}
		crd, _ := decodeOnce(doc.Data, object)
		return crd
	})
	found := make([]*Definition, len(p.judges))
	for i, j := range p.judges {
		start := doc.Start()
		findings := slices.Clone(of.Findings)
		for i := range min(len(findings), len(of.Sources)) {
			findings[i].Source = of.Sources[i]
		}
		r := &verdict.Result{
			File: start.File, Line: start.Line, Column: start.Column,
			APIVersion: servedVersion, Kind: "CustomResourceDefinition", Name: of.Name,
			Definition: true, Verdict: verdict.Accepted, Request: of.Request,
			Findings: findings,
		}
		d := &Definition{Result: r, place: start.String(), isGiven: true}
		d.names.Group, d.names.Kind, d.names.Plural = of.Group, of.Kind, of.Plural
		d.compile = sync.OnceValue(func() *crdsem.Definition {
			crd := shared()
			if crd != nil {
				crd = crd.In(j.Kubernetes)
			} else {
				crd, _, _ = definition.Parse(doc.Data, structural.Kubernetes(j.Kubernetes))
			}
			if crd == nil { // it was decoded before
				return nil
			}
			options := append(slices.Clone(j.Options), crdsem.InCache(j.Cache))
			compiled, _ := crdsem.Compile(crd, options...) // nil with an error
			return compiled
		})
		found[i] = d
	}
	return found
}
