package celrules

import (
	"context"
	"sync"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
)

// Variables, walkers and frames are reused, so that the validation of a valid
// object allocates nothing. They are cleared when they are given back, so that
// they keep no part of an object alive.

var variablesPool = sync.Pool{New: func() any { return new(variables) }}

func newVariables(raw any, node *decl.Node) *variables {
	v := variablesPool.Get().(*variables)
	v.raw, v.node = raw, node
	return v
}

func (v *variables) release() {
	v.machine.Release()
	*v = variables{machine: v.machine}
	variablesPool.Put(v)
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

func newWalker(ctx context.Context, rules *Rules, choices []ValidateOption) *walker {
	w := walkers.Get().(*walker)
	w.ctx, w.rules = ctx, rules
	w.options = ruleoptions.Validate{Budget: Budget}
	for _, choice := range choices {
		if choice, ok := choice.(ruleoptions.ValidateOption); ok {
			choice.ForValidate(&w.options)
		}
	}
	w.remaining = w.options.Budget
	return w
}

func (w *walker) release() {
	*w = walker{free: w.free}
	walkers.Put(w)
}

// frame returns a frame for a value. It reuses a free one if there is one.
func (w *walker) frame(parent *frame, how step, value any, p *plan) *frame {
	var f *frame
	if last := len(w.free) - 1; last >= 0 {
		f, w.free = w.free[last], w.free[:last]
	} else {
		f = new(frame)
	}
	f.parent, f.step, f.value, f.schema = parent, how, value, p.node.Schema
	return f
}

// drop gives back a frame that is no longer referred to.
func (w *walker) drop(f *frame) {
	*f = frame{}
	w.free = append(w.free, f)
}
