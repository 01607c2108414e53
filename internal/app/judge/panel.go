package judge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Panel has a judge for each of some minors of Kubernetes. Its results hold the
// verdicts of all of them. It is safe for concurrent use as a [Judge] is.
type Panel struct{ judges []*Judge }

// NewPanel returns a panel for minors, the oldest first. It needs at least one.
// The judges are copies of the argument, which has no definitions yet. They
// share its cache, or a new one.
func NewPanel(like Judge, in []minors.Minor) *Panel {
	p := &Panel{}
	if like.Cache == nil {
		like.Cache = &crdsem.Cache{}
	}
	for _, minor := range in {
		judge := like
		judge.Kubernetes = minor
		p.judges = append(p.judges, &judge)
	}
	return p
}

// Check checks a definition; see [Judge.Check]. The result has an element for
// each minor.
func (p *Panel) Check(
	ctx context.Context, doc *manifest.Document, object map[string]any, strict []*manifest.Error,
) []*Definition {
	return p.check(ctx, doc, object, checkInput{strict: strict})
}

// CheckGiven is like Check for a definition that is there for its objects: it
// is neither applied nor patched.
func (p *Panel) CheckGiven(
	ctx context.Context, doc *manifest.Document, object map[string]any, strict []*manifest.Error,
) []*Definition {
	return p.check(ctx, doc, object, checkInput{strict: strict, isGiven: true})
}

func (p *Panel) check(
	ctx context.Context, doc *manifest.Document, object map[string]any, in checkInput,
) []*Definition {
	found := make([]*Definition, len(p.judges))
	in.silent, in.shared = silentHints(ctx, doc, object), &structural.Cache{}
	in.decoded = sync.OnceValues(func() (*definition.CRD, []error) {
		return decodeOnce(doc.Data, object)
	})
	for i, j := range p.judges {
		found[i] = j.check(ctx, doc, object, in)
	}
	return found
}

// Add makes a definition known, and returns its result; see [Judge.Add]. The
// argument is a result of [Panel.Check].
func (p *Panel) Add(found []*Definition) *verdict.Result {
	results := make([]*verdict.Result, len(found))
	for i, j := range p.judges {
		j.Add(found[i])
		results[i] = found[i].Result
	}
	all := p.merged(results)
	if len(all.Turns) > 0 && !mentionsURLs(found[0].object) {
		for i := range all.Turns {
			t := &all.Turns[i]
			t.Changes = slices.DeleteFunc(t.Changes, isOfURLs)
		}
	}
	for _, d := range found {
		d.object = nil
	}
	return all
}

// isOfURLs reports whether a change concerns only the parts of URLs.
func isOfURLs(c verdict.Change) bool { return slices.Equal(c.Rules, []string{"COST-102"}) }

// mentionsURLs reports whether a definition may have a rule that reads a URL.
func mentionsURLs(definition map[string]any) bool {
	text, err := jsonvalue.EncodeJSON(definition)
	return err != nil || strings.Contains(string(text), "url(")
}

// Defines reports whether a definition of an object's kind was added.
func (p *Panel) Defines(object map[string]any) bool { return p.judges[0].Defines(object) }

// Store makes a stored object known; see [Judge.Store].
func (p *Panel) Store(object map[string]any) error {
	return p.each(func(j *Judge) error { return j.Store(object) })
}

// StoreDefinition makes a stored definition known; see [Judge.StoreDefinition].
func (p *Panel) StoreDefinition(object map[string]any) error {
	return p.each(func(j *Judge) error { return j.StoreDefinition(object) })
}

func (p *Panel) each(do func(*Judge) error) error {
	for _, j := range p.judges {
		if err := do(j); err != nil {
			return err
		}
	}
	return nil
}

// Send judges a document that is sent to the server; see [Judge.Send].
func (p *Panel) Send(
	ctx context.Context, doc *manifest.Document, object map[string]any, strict []*manifest.Error,
) *verdict.Result {
	results := make([]*verdict.Result, len(p.judges))
	for i, j := range p.judges {
		results[i] = j.Send(ctx, doc, object, strict)
	}
	return p.merged(results)
}

// merged returns one result for the results of the judges about one document.
func (p *Panel) merged(results []*verdict.Result) *verdict.Result {
	newest := results[len(results)-1]
	if len(results) == 1 {
		return newest
	}
	all := *newest
	all.Findings = p.findings(results)
	for i, r := range results {
		all.Minors = append(all.Minors, verdict.MinorVerdict{
			Kubernetes: p.judges[i].Kubernetes.String(), Verdict: r.Verdict,
		})
		if worse(r.Verdict, all.Verdict) {
			all.Verdict, all.Reason, all.Refusal = r.Verdict, r.Reason, r.Refusal
		}
	}
	all.Turns = p.turns(results)
	return &all
}

// worse reports whether a verdict counts more than another one.
func worse(a, b verdict.Verdict) bool {
	order := []verdict.Verdict{verdict.Accepted, verdict.NotJudged, verdict.Refused}
	return slices.Index(order, a) > slices.Index(order, b)
}

// findings returns the findings of all results: first those of the newest
// minor, then those that only older ones have. The same finding can have
// another text in another minor; the text is that of the newest.
func (p *Panel) findings(results []*verdict.Result) []verdict.Finding {
	type key struct {
		severity                verdict.Severity
		line, column, count     int
		field, typ, rule, extra string
	}
	var all []verdict.Finding
	index := map[key]int{}
	holds := [][]string{} // the minors of each finding, the newest first
	for i, r := range slices.Backward(results) {
		seen := map[key]int{}
		for _, f := range r.Findings {
			k := key{severity: f.Severity, line: f.Line, column: f.Column,
				field: f.Field, typ: f.Type, rule: f.Rule}
			if f.Rule == "" || f.Field == "" {
				k.extra = f.Text
			}
			seen[k]++
			k.count = seen[k]
			at, known := index[k]
			if !known {
				at = len(all)
				index[k] = at
				all, holds = append(all, f), append(holds, nil)
			}
			holds[at] = append(holds[at], p.judges[i].Kubernetes.String())
		}
	}
	for i, in := range holds {
		if len(in) < len(results) {
			slices.Reverse(in)
			all[i].Kubernetes = in
		}
	}
	return all
}

// turns returns the minors where the verdict changes. Minors that could not
// judge are left out.
func (p *Panel) turns(results []*verdict.Result) []verdict.Turn {
	var verdicts skew.Verdicts
	judged := map[string]*verdict.Result{}
	for i, r := range results {
		minor := p.judges[i].Kubernetes
		judged[minor.String()] = r
		judgement := skew.Verdict{Kubernetes: minor, Errors: r.Errors}
		switch r.Verdict {
		case verdict.NotJudged:
			continue
		case verdict.Refused:
			judgement.Err = errors.New(firstError(r).Text)
		}
		verdicts = append(verdicts, judgement)
	}
	found := verdicts.Turns()
	var out []verdict.Turn
	for _, t := range found {
		turn := verdict.Turn{Final: len(found) == 1}
		turn.Kubernetes = t.After.Kubernetes.String()
		if before := t.Before.Kubernetes.String(); !verdict.Follows(turn.Kubernetes, before) {
			turn.Before = before
		}
		turn.Verdict = judged[turn.Kubernetes].Verdict
		refused := judged[turn.Kubernetes]
		if t.After.Accepted() {
			refused = judged[t.Before.Kubernetes.String()]
		}
		reason := firstError(refused)
		turn.Reason, turn.Rule = reason.Text, reason.Rule
		for _, c := range t.Changes {
			turn.Changes = append(turn.Changes, verdict.Change{
				ID: c.ID, Rules: c.Rules, Summary: c.Summary,
			})
		}
		out = append(out, turn)
	}
	return out
}

// firstError returns the first finding for which a document is refused.
func firstError(r *verdict.Result) verdict.Finding {
	for _, f := range r.Findings {
		if f.Severity == verdict.Error {
			return f
		}
	}
	return verdict.Finding{Text: string(r.Verdict)}
}
