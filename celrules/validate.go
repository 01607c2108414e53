package celrules

import (
	"context"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
)

// Validate runs the rules on an object, or on any value that the schema
// describes. old is the object before the update, nil on a create. Validate
// neither changes nor keeps them, and neither may contain itself.
//
// A done context ends comprehensions such as `self.items.all(...)` (CEL-097),
// and long work of functions. Then [Result.Err] is set, and only a few further
// rules run. An object whose rules take little may be validated in spite of it.
func (r *Rules) Validate(ctx context.Context, object, old any, choices ...ValidateOption) Result {
	if r.Empty() || object == nil {
		return Result{}
	}
	w := newWalker(ctx, r, choices)
	defer w.release()
	root := w.frame(nil, atRoot, object, r.root)
	root.oldKnown, root.ratchetKnown = true, true
	if !isNil(old) {
		root.old = old
	}
	if root.old != nil && !w.options.NoRatchet {
		w.root = correlation{New: object, Old: root.old, Schema: root.schema}
		root.current = &w.root
	}
	w.walk(r.root, root)
	w.drop(root)
	w.result.Cost = w.options.Budget - w.remaining
	return w.result
}

// walker visits one object from its root down, guided by the plans. It makes a
// frame for each value on the way. Its walk methods return false once no
// further rule may run; they then leave their frames to the garbage collector,
// since errors may still need them.
type walker struct {
	ctx       context.Context
	rules     *Rules
	options   ruleoptions.Validate
	remaining int64 // of the budget
	unlooked  int   // evaluations since the last look at the context
	used      int   // by findings, of FindingsMemory
	result    Result
	costs     map[costKey]int // indexes in result.Costs
	root      correlation
	free      []*frame // for reuse
}

// walk runs the rules at a value and below it, in the order of CEL-063.
func (w *walker) walk(p *plan, f *frame) bool {
	if f.value == nil {
		return true
	}
	if len(p.given.Rules()) > 0 && !w.runRules(p, f) {
		return false
	}
	for i, branch := range w.branches(p) {
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

// branches returns the plans of allOf that run (CEL-061).
func (w *walker) branches(p *plan) []*plan {
	if !w.rules.profile.NestedOptions {
		return nil
	}
	return p.allOf
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
	for i := range p.properties {
		property := &p.properties[i]
		value, ok := fields[property.name]
		if !ok {
			continue
		}
		at := w.frame(f, byField, value, property.plan)
		at.name = property.name
		if !w.walk(property.plan, at) {
			return false
		}
		w.drop(at)
	}
	return true
}
