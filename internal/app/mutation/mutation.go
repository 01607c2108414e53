// Package mutation changes a definition in small ways and runs the cases of
// package crdtest again. A mutant is a definition with one such change. A
// mutant that no case notices survives: a later change by mistake would go
// unnoticed as well. Mutants that a server refuses are left out.
//
// # Deviations
//
// The newest minor of Kubernetes is the only one that is known: cases of other
// minors count as if it had run them. Definitions of v1beta1 have no mutants.
package mutation

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/spine"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// Report says which changes of definitions cases notice.
type Report struct {
	// Mutants are in the order of the definitions and their schemas. Mutants
	// that a server refuses are left out.
	Mutants []*Mutant `json:"mutants"`
}

// Run changes definitions in many small ways, and runs suites for each change
// until a case notices it: a rule is dropped or negated, a bound is moved by
// one, a required field or an enum value is removed, a pattern, a format or a
// list type is dropped, a default is changed.
//
// Only versions that an object is sent to are changed. Only cases that are as
// stated can notice something. crds are the definitions for the suites that
// have no definitions of their own. The error is that of the context.
func Run(ctx context.Context, crds []*crdtest.CRD, suites []*crdtest.Suite) (*Report, error) {
	runs := observe(ctx, crdtest.Jobs(crds, suites))
	var all []*Mutant
	trials := map[*crdtest.CRD]*trial{}
	for _, crd := range runs.definitions() {
		var versions []string
		for _, version := range crd.Versions() {
			if runs.has(crd, version) {
				versions = append(versions, version)
				all = append(all, mutantsOf(crd, version)...)
			}
		}
		if len(versions) > 0 {
			trials[crd] = newTrial(ctx, runs, crd, versions)
		}
	}
	refused := make([]bool, len(all))
	err := parallel.Each(ctx, len(all), func(i int) {
		refused[i] = !trials[all[i].crd].try(ctx, all[i])
	})
	if err != nil {
		return nil, err
	}
	out := &Report{}
	for i, m := range all {
		if !refused[i] {
			m.locate()
			out.Mutants = append(out.Mutants, m)
		}
	}
	return out, nil
}

// locate fills in the position of the change.
func (m *Mutant) locate() {
	i := slices.Index(m.crd.Versions(), m.Version)
	path := fmt.Sprintf("spec.versions[%d].schema.%s.%s", i, m.Path, m.at)
	position := m.crd.Document().Find(path).Key
	m.File, m.Line, m.Column = position.File, position.Line, position.Column
}

// trial is what the mutants of one definition share.
type trial struct {
	runs *observed
	crd  *crdtest.CRD
	jobs []int          // those that send objects to the definition
	base map[string]any // the definition without what does not matter
	// known and knownBare are the errors that a server finds in the definition
	// itself, with and without its rules.
	known, knownBare map[string]bool

	mu    sync.Mutex
	cache *crdsem.Cache
	uses  int
}

// newTrial prepares the trials of a definition. The base has no descriptions
// and no schemas of versions that no case needs, so that it is read faster.
func newTrial(
	ctx context.Context, runs *observed, crd *crdtest.CRD, versions []string,
) *trial {
	t := &trial{runs: runs, crd: crd, cache: &crdsem.Cache{}}
	t.base, _ = withoutKeys(withoutVersions(crd.Object(), versions),
		isDescription).(map[string]any)
	t.known = serverErrors(ctx, t.base)
	t.knownBare = serverErrors(ctx, withoutRules(t.base))
	for i, job := range runs.jobs {
		if runs.passed[i] && (runs.visitsAny(i, crd, versions) || job.Stores(crd)) {
			t.jobs = append(t.jobs, i)
		}
	}
	return t
}

// maxUses is the number of mutants after which a cache is replaced, so that it
// does not keep all of them.
const maxUses = 200

// sharedCache returns the cache for the next mutant.
func (t *trial) sharedCache() *crdsem.Cache {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.uses++; t.uses%maxUses == 0 {
		t.cache = &crdsem.Cache{}
	}
	return t.cache
}

// try runs the cases that can notice a mutant until one does: those that have a
// value there, and those that begin with a stored object. It returns false if a
// server refuses the mutant, so that it says nothing about the cases.
func (t *trial) try(ctx context.Context, m *Mutant) bool {
	document := m.document(t.base)
	var jobs []*crdtest.Job
	for _, i := range t.jobs {
		isVisit := t.runs.visits(i, t.crd, m.Version, m.spine)
		m.Visited = m.Visited || isVisit
		if isVisit || t.runs.jobs[i].Case().Stored != nil {
			jobs = append(jobs, t.runs.jobs[i])
		}
	}
	changed := t.crd.With(document)
	changed.Options = append(slices.Clip(changed.Options), crdsem.InCache(t.sharedCache()))
	for _, job := range crdtest.Replace(jobs, t.crd, changed) {
		if r := job.Run(ctx, nil); r.Err != nil {
			m.NoticedBy, m.Visited = r.Name(), true
			break
		}
	}
	return !t.isRefused(ctx, m, document)
}

// isRefused reports whether a server refuses a mutant for something that it
// does not find in the definition itself. Changes of rules, and patterns and
// formats that are dropped, are accepted. Rules matter for defaults only.
func (t *trial) isRefused(ctx context.Context, m *Mutant, document map[string]any) bool {
	known := t.known
	switch m.Keyword {
	case spine.RulesKeyword, "pattern", "format":
		return false
	case "default":
	default:
		known, document = t.knownBare, withoutRules(document)
	}
	for text := range serverErrors(ctx, document) {
		if !known[text] {
			return true
		}
	}
	return false
}

// serverErrors returns the errors that a server finds in a definition.
func serverErrors(ctx context.Context, document map[string]any) map[string]bool {
	crd, _, err := definition.FromMap(document)
	if err != nil {
		return map[string]bool{err.Error(): true}
	}
	found := map[string]bool{}
	for _, err := range validate.Create(ctx, crd.ForCreate()).Errors {
		found[err.Error()] = true
	}
	return found
}

// withoutVersions returns a definition in which the versions that are neither
// stored nor named have a schema that allows everything.
func withoutVersions(document map[string]any, names []string) map[string]any {
	versions, _ := jsonvalue.At(document, "spec", "versions").([]any)
	kept := slices.Clone(versions)
	for i, v := range versions {
		name, _ := jsonvalue.At(v, "name").(string)
		if jsonvalue.At(v, "storage") != true && !slices.Contains(names, name) {
			kept[i] = jsonvalue.With(v, map[string]any{
				"type": "object", "x-kubernetes-preserve-unknown-fields": true,
			}, "schema", spine.Root)
		}
	}
	out, _ := jsonvalue.With(document, kept, "spec", "versions").(map[string]any)
	return out
}

// isDescription reports whether a member is a description and not a property of
// that name.
func isDescription(key string, value any) bool {
	_, isText := value.(string)
	return isText && key == "description"
}

// withoutRules returns a definition without validation rules.
func withoutRules(document map[string]any) map[string]any {
	out, _ := withoutKeys(document, func(key string, value any) bool {
		_, isList := value.([]any)
		return isList && key == spine.RulesKeyword
	}).(map[string]any)
	return out
}

// withoutKeys returns a schema without some members of its objects. Defaults
// and values of enums are left as they are.
func withoutKeys(value any, drop func(key string, value any) bool) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutKeys(v[i], drop)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, below := range v {
			switch {
			case key == "default" || key == "enum":
				out[key] = below
			case !drop(key, below):
				out[key] = withoutKeys(below, drop)
			}
		}
		return out
	}
	return value
}
