package celrules

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Validate runs the rules on an object, or on any value that the schema describes. old is the object before the update,
// nil on a create. Neither is changed or kept, and neither may be nested in itself. The context ends long evaluations (CEL-097).
func (r *Rules) Validate(ctx context.Context, object, old any, choices ...ValidateOption) Result {
	if r.Empty() || object == nil {
		return Result{}
	}
	if ctx == nil {
		ctx = context.Background()
	}
	w := newWalker(ctx, r, choices)
	defer w.release()
	root := w.frame(nil, atRoot, object, r.root)
	root.oldKnown, root.ratchetKnown = true, true
	if !isNil(old) {
		root.old = old
	}
	if root.old != nil && !w.options.noRatchet {
		w.root = correlation{New: object, Old: root.old, Schema: root.schema}
		root.current = &w.root
	}
	w.walk(r.root, root)
	w.drop(root)
	w.result.Cost = w.options.budget - w.remaining
	return w.result
}

// walker goes over one object.
type walker struct {
	ctx       context.Context
	rules     *Rules
	options   validateOptions
	remaining int64
	result    Result
	costs     map[costKey]int
	root      correlation
	free      []*frame
}

// walk runs the rules at a value and below, in the order of CEL-063. It returns false once no further rule may run.
func (w *walker) walk(p *plan, f *frame) bool {
	if f.value == nil {
		return true
	}
	if len(p.given.Rules()) > 0 && !w.runRules(p, f) {
		return false
	}
	for i, branch := range p.allOf {
		at := w.frame(f, byAllOf, f.value, branch)
		at.index = i
		if !w.walk(branch, at) {
			return false
		}
		w.drop(at)
	}
	switch v := f.value.(type) {
	case []any:
		return p.items == nil || w.walkItems(p.items, f, v)
	case map[string]any:
		return (p.additional == nil || w.walkValues(p.additional, f, v)) && w.walkFields(p, f, v)
	}
	return true
}

func (w *walker) walkItems(p *plan, f *frame, items []any) bool {
	for i, item := range items {
		at := w.frame(f, byIndex, item, p)
		at.index = i
		if !w.walk(p, at) {
			return false
		}
		w.drop(at)
	}
	return true
}

func (w *walker) walkValues(p *plan, f *frame, values map[string]any) bool {
	for _, key := range jsonvalue.SortedKeys(values) {
		at := w.frame(f, byKey, values[key], p)
		at.name = key
		if !w.walk(p, at) {
			return false
		}
		w.drop(at)
	}
	return true
}

func (w *walker) walkFields(p *plan, f *frame, fields map[string]any) bool {
	for _, name := range p.names {
		value, ok := fields[name]
		if !ok {
			continue
		}
		child := p.properties[name]
		at := w.frame(f, byField, value, child)
		at.name = name
		if !w.walk(child, at) {
			return false
		}
		w.drop(at)
	}
	return true
}

// stop reports why no further rule runs.
func (w *walker) stop(err *field.Error) bool {
	w.result.Errors = append(w.result.Errors, err)
	w.result.OutOfBudget = true
	return false
}
