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

func track(
	ctx context.Context, v *crdsem.Version, request crdsem.Request, object map[string]any,
) (map[string]any, error) {
	tracked, err := apply.NewTracker(v).Track(ctx, request, object)
	if err != nil {
		return nil, err
	}
	return tracked.Object, nil
}
