package kube

import (
	"context"
	"sort"

	"github.com/crdsem/crdsem/internal/app/protocol"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

type structuralOptionsInput struct {
	Schema  protocol.Input `json:"schema"`
	Options []string       `json:"options"`
}

// structuralOptions answers with the structural rules under options.
func structuralOptions(_ context.Context, in structuralOptionsInput) (map[string]any, error) {
	model, err := schemaOf(in.Schema)
	if err != nil {
		return nil, err
	}
	errs, err := validateWith(in.Options, model.structural)
	if err != nil {
		return nil, err
	}
	return found(errs), nil
}

type schemaInput struct {
	Schema protocol.Input `json:"schema"`
}

// prunedDefaults answers with defaulting.PruneDefaults.
func prunedDefaults(_ context.Context, in schemaInput) (map[string]any, error) {
	model, err := schemaOf(in.Schema)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(model.structural); err != nil {
		return failure(err), nil
	}
	defaults := map[string]any{}
	collectDefaults(defaults, "", model.structural)
	return map[string]any{"defaults": defaults}, nil
}

// collectDefaults adds the defaults of a schema by path.
func collectDefaults(to map[string]any, at string, s *apischema.Structural) {
	if s == nil {
		return
	}
	if s.Default.Object != nil {
		to[at] = s.Default.Object
	}
	for name := range s.Properties {
		property := s.Properties[name]
		collectDefaults(to, at+"."+name, &property)
	}
	collectDefaults(to, at+"[]", s.Items)
	if s.AdditionalProperties != nil {
		collectDefaults(to, at+"[*]", s.AdditionalProperties.Structural)
	}
}

type schemaObjectInput struct {
	Schema protocol.Input `json:"schema"`
	Object protocol.Input `json:"object"`
}

func (in *schemaObjectInput) read() (*schemaModel, any, error) {
	model, err := schemaOf(in.Schema)
	if err != nil {
		return nil, nil, err
	}
	object, err := valueOf(in.Object)
	return model, object, err
}

type schemaValueInput struct {
	Schema protocol.Input `json:"schema"`
	Value  protocol.Input `json:"value"`
}

// prunedValue answers with pruning.PruneWithOptions on a value that is not a
// resource. The schema is nil if none is given.
func prunedValue(_ context.Context, in schemaValueInput) (map[string]any, error) {
	value, err := valueOf(in.Value)
	if err != nil {
		return nil, err
	}
	var schema *apischema.Structural
	if in.Schema.Given() {
		model, err := schemaOf(in.Schema)
		if err != nil {
			return nil, err
		}
		schema = model.structural
	}
	unknown := pruning.PruneWithOptions(value, schema, false,
		apischema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	sort.Strings(unknown)
	return map[string]any{"value": value, "unknownFields": stringList(unknown)}, nil
}

// droppedNulls answers with defaulting.PruneNonNullableNullsWithoutDefaults.
func droppedNulls(_ context.Context, in schemaObjectInput) (map[string]any, error) {
	model, object, err := in.read()
	if err != nil {
		return nil, err
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(object, model.structural)
	return map[string]any{"object": object}, nil
}

// cancelled answers with cel.NewValidator and its Validate, under a context
// that has already ended.
func cancelled(ctx context.Context, in schemaObjectInput) (map[string]any, error) {
	model, object, err := in.read()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	const budget = celconfig.RuntimeCELCostBudget
	errs, left := cel.NewValidator(model.structural, true, celconfig.PerCallLimit).
		Validate(ctx, nil, model.structural, object, nil, budget)
	answer := found(errs)
	answer["cost"] = budget - left
	return answer, nil
}

type versionPair struct{ A, B string }

// versionCompare answers with version.CompareKubeAwareVersionStrings.
func versionCompare(_ context.Context, in versionPair) (map[string]any, error) {
	return map[string]any{
		"compared": int64(version.CompareKubeAwareVersionStrings(in.A, in.B)),
	}, nil
}
