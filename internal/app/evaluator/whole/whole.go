// Package whole answers every op of the evaluation protocol: package evaluator
// with the field managers of package merge/apply.
package whole

import (
	"context"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/merge/apply"
)

// New returns a handler that answers every op with this library.
func New() protocol.Handler {
	return evaluator.Whole(evaluator.Managers{
		Server: apply.Server(), Track: track, At: apply.WithTime,
	})
}

// Hello is [evaluator.Hello] of a program that answers every op.
func Hello() *protocol.Hello {
	hello := evaluator.Hello()
	hello.Ops = append(protocol.Ops(), protocol.OpDefine)
	return hello
}

func track(def *crdsem.Definition, v *crdsem.Version) evaluator.Tracker {
	tracker := apply.Track(def, v)
	return func(
		ctx context.Context, live, updated map[string]any, manager, subresource string,
	) (map[string]any, error) {
		return tracker(ctx, live, updated,
			apply.Manager{Name: manager, Subresource: subresource})
	}
}
