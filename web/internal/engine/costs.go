package engine

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/costtable"
)

// costsRequest is a request of the operation costs.
type costsRequest struct {
	ID          string `json:"id"`
	Op          string `json:"op"`
	Kubernetes  string `json:"kubernetes"`
	Definitions string `json:"definitions"`
}

// costsAnswer is the answer to a costsRequest: a table for each version of each
// definition, and the limit of one rule.
type costsAnswer struct {
	ID        string            `json:"id"`
	Tables    []costtable.Table `json:"tables"`
	RuleLimit uint64            `json:"ruleLimit"`
}

// costs answers the operation costs.
func (e *Engine) costs(ctx context.Context, request []byte) (*costsAnswer, error) {
	var req costsRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	minor, err := minorOf(req.Kubernetes)
	if err != nil {
		return nil, err
	}
	out := &costsAnswer{ID: req.ID, Tables: []costtable.Table{}, RuleLimit: check.RuleCostLimit}
	for doc, err := range documents(req.Definitions) {
		if err != nil {
			return nil, err
		}
		crd, _, err := definition.Decode(doc.Data, definition.Kubernetes(minor))
		if err != nil {
			return nil, fmt.Errorf("the definition in line %d: %w", doc.Start().Line, err)
		}
		model, err := definition.Compile(crd)
		if err != nil {
			return nil, fmt.Errorf("the definition in line %d: %w", doc.Start().Line, err)
		}
		tables, err := costtable.Of(ctx, model, minor)
		if err != nil {
			return nil, err
		}
		out.Tables = append(out.Tables, tables...)
	}
	return out, nil
}
