package engine

import (
	"context"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/app/costs"
)

// costsRequest is a request of the operation costs.
type costsRequest struct {
	ID          string `json:"id"`
	Op          string `json:"op"`
	Kubernetes  string `json:"kubernetes"`
	Definitions string `json:"definitions"`
	Handle      string `json:"handle"` // instead of the two
}

// costsAnswer is the answer to a costsRequest: a table for each version of each
// definition, and the limit of one rule.
type costsAnswer struct {
	ID        string        `json:"id"`
	Tables    []costs.Table `json:"tables"`
	RuleLimit uint64        `json:"ruleLimit"`
}

// costs answers the operation costs. Definitions that cannot be compiled are
// left out. It is an error if there are no others.
func (e *Engine) costs(ctx context.Context, request []byte) (*costsAnswer, error) {
	var req costsRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	checked, err := e.definitions(ctx, req.Handle, req.Definitions, "", req.Kubernetes)
	if err != nil {
		return nil, err
	}
	out := &costsAnswer{ID: req.ID, Tables: []costs.Table{}, RuleLimit: check.RuleCostLimit}
	for _, compiled := range checked.compiled() {
		tables, err := costs.Of(ctx, compiled.Model(), checked.key.minor)
		if err != nil {
			return nil, err
		}
		out.Tables = append(out.Tables, tables...)
	}
	if len(checked.compiled()) == 0 {
		return out, checked.firstError()
	}
	return out, nil
}
