package crdtest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
)

// Mutation says which changes of definitions cases notice.
type Mutation struct {
	// Mutants are in the order of the definitions and their schemas. Mutants
	// that a server refuses are left out.
	Mutants []*Mutant `json:"mutants"`
}

// Mutate changes definitions in many small ways, and runs suites for each
// change until a case notices it: a rule is dropped or negated, a bound is
// moved by one, a required field or an enum value is removed, a pattern, a
// format or a list type is dropped, a default is changed.
//
// Only versions that an object is sent to are changed. Only cases that are as
// stated can notice something. crds are the definitions for the suites that
// have no definitions of their own. The error is that of the context.
func Mutate(ctx context.Context, crds []*CRD, suites []*Suite) (*Mutation, error) {
	runs, err := runCovered(ctx, plan(crds, suites))
	if err != nil {
		return nil, err
	}
	var all []*Mutant
	trials := map[*CRD]*trial{}
	for _, crd := range runs.definitions() {
		var versions []string
		for _, version := range crd.versions() {
			if runs.byKey[coverageKey{crd.place(), version}] != nil {
				versions = append(versions, version)
				all = append(all, mutantsOf(crd, version)...)
			}
		}
		if len(versions) > 0 {
			trials[crd] = newTrial(ctx, runs, crd, versions)
		}
	}
	refused := make([]bool, len(all))
	err = inParallel(ctx, len(all), func(i int) {
		refused[i] = !trials[all[i].crd].try(ctx, all[i])
	})
	if err != nil {
		return nil, err
	}
	out := &Mutation{}
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
	i := slices.Index(m.crd.versions(), m.Version)
	path := fmt.Sprintf("spec.versions[%d].schema.%s.%s", i, m.Path, m.at)
	position := m.crd.position(path)
	m.File, m.Line, m.Column = position.File, position.Line, position.Column
}

// trial is what the mutants of one definition share.
type trial struct {
	runs *covered
	crd  *CRD
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
	ctx context.Context, runs *covered, crd *CRD, versions []string,
) *trial {
	t := &trial{runs: runs, crd: crd, cache: &crdsem.Cache{}}
	t.base, _ = withoutKeys(withoutVersions(crd.document, versions),
		isDescription).(map[string]any)
	t.known = serverErrors(ctx, t.base)
	t.knownBare = serverErrors(ctx, withoutRules(t.base))
	for i := range runs.jobs {
		if runs.passed(i) && (runs.visits(i, crd, versions) || runs.jobs[i].storesKind(crd)) {
			t.jobs = append(t.jobs, i)
		}
	}
	return t
}

// visits reports whether a job has sent an object to a definition.
func (c *covered) visits(i int, crd *CRD, versions []string) bool {
	return slices.ContainsFunc(versions, func(version string) bool {
		s := c.byKey[coverageKey{crd.place(), version}]
		return s != nil && c.visited[i][s.root]
	})
}

// storesKind reports whether a job starts with a stored object of a definition.
func (j *job) storesKind(crd *CRD) bool {
	if j.c.Stored == nil || !slices.Contains(j.server.crds, crd) {
		return false
	}
	kind, _, err := typeOf(j.c.Stored)
	return err == nil && kind == crd.groupKind()
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

// try runs the cases that can notice a mutant until one does. It returns false
// if a server refuses the mutant, so that it says nothing about the cases.
func (t *trial) try(ctx context.Context, m *Mutant) bool {
	document := m.document(t.base)
	servers := map[*server]*server{}
	cache := t.sharedCache()
	for _, i := range t.jobs {
		if !t.canNotice(i, m) {
			continue
		}
		m.Visited = true
		j := t.runs.jobs[i]
		if servers[j.server] == nil {
			servers[j.server] = j.server.replaced(t.crd, document, cache)
		}
		j.server = servers[j.server]
		if err := j.play(ctx, nil); err != nil && whySkipped(err) == "" && ctx.Err() == nil {
			m.NoticedBy = j.name + "/" + j.c.Name
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
	case rulesKeyword, "pattern", "format":
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

// canNotice reports whether a case has a value that the change affects.
func (t *trial) canNotice(i int, m *Mutant) bool {
	if t.runs.jobs[i].c.Stored != nil {
		return true
	}
	s := t.runs.byKey[coverageKey{t.crd.place(), m.Version}]
	spine := m.spine
	if m.above {
		spine = parentPath(spine)
	}
	return t.runs.visited[i][s.nodes[spine]]
}

// parentPath returns the path of the node above.
func parentPath(path string) string {
	for _, keyword := range []string{".items", ".additionalProperties"} {
		if above, ok := strings.CutSuffix(path, keyword); ok {
			return above
		}
	}
	if i := strings.LastIndex(path, ".properties["); i >= 0 {
		return path[:i]
	}
	return path
}

// serverErrors returns the errors that a server finds in a definition.
func serverErrors(ctx context.Context, document map[string]any) map[string]bool {
	crd, _, err := definition.FromMap(document)
	if err != nil {
		return map[string]bool{err.Error(): true}
	}
	found := map[string]bool{}
	for _, text := range textsOf(definition.Validate(ctx, crd.ForCreate()).Errors) {
		found[text] = true
	}
	return found
}

// withoutVersions returns a definition in which the versions that are neither
// stored nor named have a schema that allows everything.
func withoutVersions(document map[string]any, names []string) map[string]any {
	versions, _ := at(document, "spec", "versions").([]any)
	kept := slices.Clone(versions)
	for i, v := range versions {
		name, _ := at(v, "name").(string)
		if at(v, "storage") != true && !slices.Contains(names, name) {
			kept[i] = with(v, map[string]any{
				"type": "object", "x-kubernetes-preserve-unknown-fields": true,
			}, "schema", rootPath)
		}
	}
	out, _ := with(document, kept, "spec", "versions").(map[string]any)
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
		return isList && key == rulesKeyword
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

// Score returns how many mutants were noticed, of how many.
func (m *Mutation) Score() Score {
	score := Score{Goals: len(m.Mutants)}
	for _, mutant := range m.Mutants {
		if mutant.NoticedBy != "" {
			score.Reached++
		}
	}
	return score
}

// Survivors returns the mutants that no case noticed.
func (m *Mutation) Survivors() []*Mutant {
	var all []*Mutant
	for _, mutant := range m.Mutants {
		if mutant.NoticedBy == "" {
			all = append(all, mutant)
		}
	}
	return all
}

// WriteText writes the scores of the definitions, and a line for each survivor.
// Survivors in fields that no case has are only counted.
func (m *Mutation) WriteText(out io.Writer) error {
	var b strings.Builder
	for _, part := range m.byDefinition() {
		first, score := part.Mutants[0], part.Score()
		const line = "%s: %s: %d of %d mutants noticed (%.1f%%), %d in fields that no case has\n"
		fmt.Fprintf(&b, line,
			first.File, first.Name, score.Reached, score.Goals, score.Percent(), part.unvisited())
	}
	survivors := m.Survivors()
	slices.SortStableFunc(survivors, func(a, b *Mutant) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column))
	})
	for _, mutant := range survivors {
		if mutant.Visited {
			fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", mutant.File, mutant.Line, mutant.Column,
				fieldOf(mutant.Path), mutant.Change)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// unvisited returns the number of mutants in fields that no case has.
func (m *Mutation) unvisited() int {
	n := 0
	for _, mutant := range m.Mutants {
		if !mutant.Visited {
			n++
		}
	}
	return n
}

// byDefinition splits the mutants by definition.
func (m *Mutation) byDefinition() []*Mutation {
	var parts []*Mutation
	for i, mutant := range m.Mutants {
		if i == 0 || mutant.crd != m.Mutants[i-1].crd {
			parts = append(parts, &Mutation{})
		}
		last := parts[len(parts)-1]
		last.Mutants = append(last.Mutants, mutant)
	}
	return parts
}

// WriteJSON writes the mutants as one JSON object.
func (m *Mutation) WriteJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(m)
}
