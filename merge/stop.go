package merge

import (
	"context"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// The merge library cannot be stopped, and its time grows with the square of a
// list's length. Large objects are therefore merged in a goroutine of their
// own, which is left behind when the context ends. It works on copies, because
// the caller may change its objects then.

// smallObjects is the number of values up to which objects are merged in place.
// That takes a few milliseconds.
const smallObjects = 2000

// merging is a function that merges two objects.
type merging func(live, other map[string]any) (map[string]any, error)

// within merges two objects. If the context ends first, its cause is the error.
func within(
	ctx context.Context, live, other map[string]any, merge merging,
) (map[string]any, error) {
	left := smallObjects
	isSmall := counts(live, &left) && counts(other, &left)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if ctx.Done() == nil || isSmall {
		return merge(live, other)
	}
	return leave(ctx, jsonvalue.DeepCopyMap(live), jsonvalue.DeepCopyMap(other), merge)
}

// merged is the outcome of a merge that runs by itself.
type merged struct {
	object map[string]any
	err    error
	panic  any
}

// leave merges in a goroutine, and leaves it when the context ends.
func leave(ctx context.Context, live, other map[string]any, merge merging) (map[string]any, error) {
	done := make(chan merged, 1)
	go func() {
		var out merged
		defer func() {
			out.panic = recover()
			done <- out
		}()
		out.object, out.err = merge(live, other)
	}()
	select {
	case out := <-done:
		if out.panic != nil {
			panic(out.panic) //nolint:forbidigo // the panic of the goroutine
		}
		return out.object, out.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// counts takes the number of values below a value from left. It reports whether
// there were as many.
func counts(value any, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		for _, v := range value {
			if !counts(v, left) {
				return false
			}
		}
	case []any:
		for _, v := range value {
			if !counts(v, left) {
				return false
			}
		}
	}
	return true
}
