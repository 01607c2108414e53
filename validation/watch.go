package validation

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/bounded"
)

// watch ends a walk over a value when its context ends, or when its errors take
// too much memory. A walk that was ended returns from all its levels without
// further checks; only the watch's own error then says something.
type watch struct {
	ctx  context.Context
	left int   // work until the next look at the context
	room int64 // bytes that findings may still take
	err  error // why the walk was ended
}

// lookInterval is how many values are checked between two looks at the context.
// A check takes about a microsecond.
const lookInterval = 1000

// perLook is the number of bytes of a string that count as one value.
const perLook = 64

// FindingsMemory is the number of bytes that the errors of one validation may
// take, with their texts. A validation that needs more ends with an internal
// error; the server has no such limit. Branches multiply errors: 400 KB of a
// definition and a list of 1000 items have eight million.
const FindingsMemory = 256 << 20

// watching returns the watch of a validation.
func watching(ctx context.Context) watch {
	return watch{ctx: ctx, left: lookInterval, room: FindingsMemory}
}

// step counts a value, and reports whether the walk goes on.
func (w *watch) step() bool {
	w.left--
	return w.left >= 0 || w.look()
}

// look looks at the context. Once the walk is ended, each step comes here.
func (w *watch) look() bool {
	if w.err != nil {
		return false
	}
	if w.ctx.Err() != nil {
		w.end(context.Cause(w.ctx))
		return false
	}
	w.left = lookInterval
	return true
}

// end ends the walk.
func (w *watch) end(err error) { w.err, w.left = err, -1 }

var errFindings = fmt.Errorf(
	"the errors take more than %d MiB: validation was stopped", FindingsMemory>>20)

// keep counts the memory of a finding.
func (w *watch) keep(f finding) {
	if w.room -= f.size(); w.room < 0 && w.err == nil {
		w.end(errFindings)
	}
}

// drop gives back the memory of findings.
func (w *watch) drop(found []finding) {
	for i := range found {
		w.room += found[i].size()
	}
}

// outcome returns the errors of a walk. If the walk was ended, an error says so
// instead.
func (w *watch) outcome(base *field.Path, errs field.ErrorList) field.ErrorList {
	switch {
	case w.err == nil:
		return errs
	case errors.Is(w.err, errFindings):
		return append(errs, bounded.Stopped(base, w.err))
	default:
		return field.ErrorList{bounded.Stopped(base, w.err)}
	}
}
