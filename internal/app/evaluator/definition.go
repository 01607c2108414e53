package evaluator

import (
	"context"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// definitionRules answers the op crd.
func (e *evaluator) definitionRules(
	ctx context.Context, req *protocol.Request,
) (protocol.Result, error) {
	crd, strict, err := e.definitions.of(req.CRD, minorOf(req)).decoded()
	if err != nil {
		errs := pseudoError(protocol.DecodeError, err)
		sourceOf(req, req.CRD).place(errs, nil)
		return protocol.Definition{Errors: errs}, nil
	}
	var found validate.Result
	if req.Old.Given() {
		old, _, err := e.definitions.of(req.Old, minorOf(req)).decoded()
		if err != nil {
			return nil, fmt.Errorf("old does not decode: %w", err)
		}
		found = validate.Update(ctx, crd.ForUpdate(old), old)
	} else {
		found = validate.Create(ctx, crd.ForCreate())
	}
	if found.Err != nil {
		return nil, found.Err
	}
	warnings := newTexts()
	for _, err := range strict {
		if errors.Is(err, jsonvalue.ErrMoreFields) {
			return nil, err
		}
		warnings.add(err.Error())
	}
	if len(found.Errors) == 0 {
		warnings.add(found.Warnings...)
	}
	errs, err := fieldErrors(found.Errors)
	if err != nil {
		return nil, err
	}
	sourceOf(req, req.CRD).place(errs, found.Errors)
	return protocol.Definition{Errors: errs, Warnings: warnings.list}, nil
}

// estimated answers the op cost.
func estimated(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, err := goodSchema(req.Schema)
	if err != nil {
		return nil, err
	}
	costs, err := check.Costs(ctx, schema, structural.Kubernetes(minorOf(req)))
	if err != nil {
		return nil, err
	}
	result := protocol.Costs{}
	for _, c := range costs {
		result.Rules = append(result.Rules, protocol.CostRule{
			Path:        c.Path,
			Index:       c.Index,
			Rule:        c.Rule,
			MaxCost:     c.MaxCost,
			Cardinality: c.Cardinality,
			Total:       c.Total,
			MessageCost: c.MessageCost,
			UsesOldSelf: c.UsesOldSelf,
			Errors:      protocol.FieldErrors(c.Errors),
		})
	}
	return result, nil
}
