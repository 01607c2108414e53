package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/catalog"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// maxChecked is the number of texts of definitions that are kept compiled, e.g.
// one for each minor that a page compares.
const maxChecked = 12

// checkedDefinitions keeps the definitions of the latest texts.
type checkedDefinitions struct {
	mu   sync.Mutex
	kept []*checkedText // the latest one last
}

// checkedKey is all that the check of a text depends on.
type checkedKey struct {
	text, stored string
	minor        minors.Minor
}

// checkedText is a text of definitions that was checked.
type checkedText struct {
	key         checkedKey
	definitions []*judge.Definition
	others      []*verdict.Result // of documents that are no definitions

	// compiled returns the definitions that can be compiled, in their order.
	// kinds has them after it was called.
	compiled func() []*crdsem.Definition
	kinds    manifest.Kinds[*crdsem.Definition]
}

func newChecked() *checkedDefinitions { return &checkedDefinitions{} }

// of checks the definitions in a text, unless it was checked before.
func (c *checkedDefinitions) of(ctx context.Context, key checkedKey) (*checkedText, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, kept := range c.kept {
		if kept.key == key {
			c.kept = append(slices.Delete(c.kept, i, i+1), kept)
			return kept, nil
		}
	}
	checked, err := checkText(ctx, key)
	if err != nil {
		return nil, err
	}
	c.kept = append(c.kept, checked)
	if len(c.kept) > maxChecked {
		c.kept = slices.Delete(c.kept, 0, 1)
	}
	return checked, nil
}

// checkText checks the definitions in a text, and those in lists.
func checkText(ctx context.Context, key checkedKey) (*checkedText, error) {
	j := &judge.Judge{Kubernetes: key.minor}
	if err := storeDefinitions(j, key.stored); err != nil {
		return nil, err
	}
	checked := &checkedText{key: key}
	checked.compiled = sync.OnceValue(checked.compile)
	for in, err := range entries(key.text) {
		switch {
		case err != nil:
			checked.others = append(checked.others, in.unreadableResult(err))
		case !manifest.IsDefinition(in.Content):
			r := judge.NewResult(in.Document, in.Content)
			r.Verdict, r.Reason = verdict.NotJudged, verdict.NoDefinition
			checked.others = append(checked.others, r)
		default:
			d := j.Check(ctx, in.Document, in.Content, in.Strict)
			checked.definitions = append(checked.definitions, d)
		}
	}
	return checked, ctx.Err()
}

// storeDefinitions makes the definitions that are updated known.
func storeDefinitions(j *judge.Judge, text string) error {
	for in, err := range entries(text) {
		if err == nil && manifest.IsDefinition(in.Content) {
			err = j.StoreDefinition(in.Content)
		}
		if err != nil {
			return in.unreadable("the stored definition", err)
		}
	}
	return nil
}

// compile compiles the definitions.
func (c *checkedText) compile() []*crdsem.Definition {
	var out []*crdsem.Definition
	for _, d := range c.definitions {
		if compiled := d.Compiled(); compiled != nil {
			out = append(out, compiled)
			c.kinds.Add(catalog.NamesIn(compiled.Model()), compiled)
		}
	}
	return out
}

// firstError returns the first error that was found, with its place, or nil.
func (c *checkedText) firstError() error {
	results := slices.Clone(c.others)
	for _, d := range c.definitions {
		results = append(results, d.Result)
	}
	for _, r := range results {
		for _, f := range r.Findings {
			if f.Severity == verdict.Error {
				at := manifest.Position{Line: f.Line, Column: f.Column}
				return newTextError("the definition cannot be read", at, f.Text)
			}
		}
	}
	return nil
}

// copies returns copies of the definitions, whose results can be changed.
func (c *checkedText) copies() []*judge.Definition {
	out := make([]*judge.Definition, len(c.definitions))
	for i, d := range c.definitions {
		own, result := *d, *d.Result
		result.Findings = slices.Clip(result.Findings)
		own.Result = &result
		out[i] = &own
	}
	return out
}

// results returns the results of the definitions.
func (c *checkedText) results() []*verdict.Result {
	out := make([]*verdict.Result, len(c.definitions))
	for i, d := range c.definitions {
		out[i] = d.Result
	}
	return out
}

// models returns what the definitions define that can be compiled.
func (c *checkedText) models() []model {
	out := []model{}
	for _, compiled := range c.compiled() {
		out = append(out, modelOf(compiled.Model()))
	}
	return out
}
