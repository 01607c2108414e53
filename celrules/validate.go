package celrules

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/unstructured"
)

// Validate runs the rules on an object, or on any value that the schema describes. old is the object before the update,
// nil on a create. Neither is changed or kept. The context ends long evaluations (CEL-097).
func (r *Rules) Validate(ctx context.Context, object, old any, choices ...ValidateOption) Result {
	if r.root == nil || object == nil {
		return Result{}
	}
	w := walker{ctx: ctx, rules: r, options: newValidateOptions(choices)}
	w.remaining = w.options.budget
	root := frame{schema: r.root.node.Schema, value: object, oldKnown: true, old: old}
	if isNil(old) {
		root.old = nil
	}
	root.ratchetKnown = true
	if root.old != nil && !w.options.noRatchet {
		root.current = &correlation{New: object, Old: root.old, Schema: root.schema}
	}
	w.walk(r.root, &root)
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
		at := frame{parent: f, step: byAllOf, index: i, schema: f.schema, value: f.value}
		if !w.walk(branch, &at) {
			return false
		}
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
		at := frame{parent: f, step: byIndex, index: i, schema: p.node.Schema, value: item}
		if !w.walk(p, &at) {
			return false
		}
	}
	return true
}

func (w *walker) walkValues(p *plan, f *frame, values map[string]any) bool {
	for _, key := range unstructured.SortedKeys(values) {
		at := frame{parent: f, step: byKey, name: key, schema: p.node.Schema, value: values[key]}
		if !w.walk(p, &at) {
			return false
		}
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
		at := frame{parent: f, step: byField, name: name, schema: child.node.Schema, value: value}
		if !w.walk(child, &at) {
			return false
		}
	}
	return true
}

// stop reports why no further rule runs.
func (w *walker) stop(err *field.Error) bool {
	w.result.Errors = append(w.result.Errors, err)
	w.result.OutOfBudget = true
	return false
}

// fail reports a failure of the object, unless it is ratcheted.
func (w *walker) fail(f *frame, transition bool, err *field.Error) {
	if !transition && f.unchanged() {
		w.result.Ratcheted = append(w.result.Ratcheted, err)
		return
	}
	w.result.Errors = append(w.result.Errors, err)
}
