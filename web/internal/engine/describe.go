package engine

import (
	"context"

	"github.com/crdsem/crdsem/internal/app/describe"
)

// describeRequest is a request of the operation describe.
type describeRequest struct {
	ID          string `json:"id"`
	Op          string `json:"op"`
	Kubernetes  string `json:"kubernetes"`
	Definitions string `json:"definitions"`
}

// describeAnswer is the answer to a describeRequest: a page for each version of
// each definition that can be compiled.
type describeAnswer struct {
	ID       string           `json:"id"`
	Versions []*describe.Page `json:"versions"`
}

// described answers the operation describe.
func (e *Engine) described(ctx context.Context, request []byte) (*describeAnswer, error) {
	var req describeRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	checked, err := e.definitions(ctx, "", req.Definitions, "", req.Kubernetes)
	if err != nil {
		return nil, err
	}
	out := &describeAnswer{ID: req.ID, Versions: []*describe.Page{}}
	for _, def := range checked.compiled() {
		for _, v := range def.Model().Versions() {
			out.Versions = append(out.Versions, describe.Of(def.Model(), &v))
		}
	}
	return out, ctx.Err()
}
