package engine

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/judge"
	"github.com/crdsem/crdsem/internal/verdict"
	"github.com/crdsem/crdsem/manifest"
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
	compiled func() []*crdsem.Definition
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

func checkText(ctx context.Context, key checkedKey) (*checkedText, error) {
	stored, err := storedDefinitions(key)
	if err != nil {
		return nil, err
	}
	j := &judge.Judge{Kubernetes: key.minor, StoredDefinitions: stored}
	checked := &checkedText{key: key}
	checked.compiled = sync.OnceValue(checked.compile)
	for doc, err := range documents(key.text) {
		if err != nil {
			checked.others = append(checked.others, judge.NewUnreadable("", err))
			continue
		}
		object, strict, err := doc.Object()
		switch {
		case err != nil:
			checked.others = append(checked.others, judge.Unreadable(doc, err))
		case !judge.IsDefinition(object):
			r := judge.NewResult(doc, object)
			r.Verdict, r.Reason = verdict.NotJudged, verdict.NoDefinition
			checked.others = append(checked.others, r)
		default:
			checked.definitions = append(checked.definitions, j.Check(ctx, doc, object, strict))
		}
	}
	return checked, ctx.Err()
}

// compile compiles the definitions.
func (c *checkedText) compile() []*crdsem.Definition {
	var out []*crdsem.Definition
	for _, d := range c.definitions {
		if d.CRD == nil {
			continue
		}
		if compiled, err := crdsem.Compile(d.CRD); err == nil {
			out = append(out, compiled)
		}
	}
	return out
}

// storedDefinitions returns the definitions that are updated, by their names.
func storedDefinitions(key checkedKey) (map[string]*definition.CRD, error) {
	stored := map[string]*definition.CRD{}
	for doc, err := range documents(key.stored) {
		if err != nil {
			return nil, err
		}
		crd, _, err := definition.Decode(doc.Data, definition.Kubernetes(key.minor))
		if err != nil {
			return nil, err
		}
		stored[crd.Name()] = crd
	}
	return stored, nil
}

// documents yields the documents of a text.
func documents(text string) func(func(*manifest.Document, error) bool) {
	return manifest.Read("", strings.NewReader(text))
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
