package engine

import (
	"context"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/kit/manifest"
)

// validateRequest is a request of the operation validate: documents of any
// kind, in any order. Definitions among them are checked, and the others are
// created by them.
type validateRequest struct {
	ID              string `json:"id"`
	Op              string `json:"op"`
	Kubernetes      string `json:"kubernetes"`
	FieldValidation string `json:"fieldValidation"`
	Documents       []text `json:"documents"`
	// Details asks for what is stored, too.
	Details bool `json:"details"`
}

// text is a text of any number of documents, with its name, e.g. app.yaml.
type text struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// validateAnswer is the answer to a validateRequest: a result for each
// document, in their order.
type validateAnswer struct {
	ID      string    `json:"id"`
	Results []*object `json:"results"`
}

// validated answers the operation validate.
func (e *Engine) validated(ctx context.Context, request []byte) (*validateAnswer, error) {
	var req validateRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	minor, err := minorOf(req.Kubernetes)
	if err != nil {
		return nil, err
	}
	j := &judge.Judge{Kubernetes: minor, Cache: &crdsem.Cache{}}
	if req.Details {
		j.Details = judge.AllDetails
	}
	if j.FieldValidation, err = fieldValidationOf(req.FieldValidation); err != nil {
		return nil, err
	}
	out := &validateAnswer{ID: req.ID, Results: []*object{}}
	var waiting []func() // objects are sent when all definitions are known
	for _, t := range req.Documents {
		for o, err := range manifest.Parse(t.Name, strings.NewReader(t.Text)) {
			in, r := entry{o}, &object{}
			out.Results = append(out.Results, r)
			switch {
			case err != nil:
				r.Result = in.unreadableResult(err)
			case manifest.IsDefinition(in.Content):
				d := j.Check(ctx, in.Document, in.Content, in.Strict)
				j.Add(d)
				r.Result = d.Result
			default:
				waiting = append(waiting, func() { *r = *sent(ctx, j, in, req.Details) })
			}
		}
	}
	for _, send := range waiting {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		send()
	}
	return out, ctx.Err()
}

// sent sends an object. Only details have the text of what is stored.
func sent(ctx context.Context, j *judge.Judge, in entry, details bool) *object {
	r := j.Send(ctx, in.Document, in.Content, in.Strict)
	if !details {
		return &object{Result: r}
	}
	return newObject(in.Document, r)
}
