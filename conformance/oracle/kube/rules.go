package kube

import (
	"context"
	"slices"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/warning"
)

// evaluate answers with cel.NewValidator and its Validate. Programs are
// compiled in the environment for stored expressions, as for objects in the
// server.
func evaluate(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, err := schemaOf(req.Schema)
	if err != nil {
		return nil, err
	}
	object, err := objectOf("object", req.Object)
	if err != nil {
		return nil, err
	}
	var old any
	var opts []cel.Option
	if req.Old.Given() {
		if old, err = objectOf("old", req.Old); err != nil {
			return nil, err
		}
		opts = ratchetedRules(object, old, schema)
	}
	budget := valueOr(req.Budget, celconfig.RuntimeCELCostBudget)
	limit := valueOr(req.PerCallLimit, celconfig.PerCallLimit)
	validator := cel.NewValidator(schema.structural, true, uint64(limit))
	if validator == nil {
		return protocol.Evaluated{Cost: new(int64)}, nil
	}
	recorder := &warnings{}
	ctx = warning.WithWarningRecorder(ctx, recorder)
	errs, left := validator.Validate(ctx, nil, schema.structural, object, old, budget, opts...)
	result := protocol.Evaluated{Errors: fieldErrors(errs), Warnings: recorder.texts}
	if left >= 0 {
		cost := budget - left
		result.Cost = &cost
	}
	return result, nil
}

func valueOr(v *int64, otherwise int64) int64 {
	if v == nil {
		return otherwise
	}
	return *v
}

// warnings collects the warnings of a request without duplicates.
type warnings struct{ texts []string }

// AddWarning implements warning.Recorder.
func (w *warnings) AddWarning(_, text string) {
	if text = stable(text); !slices.Contains(w.texts, text) {
		w.texts = append(w.texts, text)
	}
}
