package evaluator

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// schemaAndObject decodes the two inputs that most ops have.
func schemaAndObject(req *protocol.Request) (*structural.Schema, any, error) {
	schema, err := goodSchema(req.Schema)
	if err != nil {
		return nil, nil, err
	}
	object, err := decode("object", req.Object)
	return schema, object, err
}

// pruned answers the op prune.
func pruned(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, object, err := schemaAndObject(req)
	if err != nil {
		return nil, err
	}
	changes, err := walked(object, schema, normalize.Prune|normalize.ResourceRoot)
	if err != nil {
		return nil, err
	}
	return protocol.Pruned{
		Object: object, UnknownFields: structural.Paths(changes, structural.Pruned),
	}, nil
}

// defaulted answers the op default.
func defaulted(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, object, err := schemaAndObject(req)
	if err != nil {
		return nil, err
	}
	for _, step := range []normalize.Steps{normalize.DropNulls, normalize.Default} {
		if _, err := walked(object, schema, step); err != nil {
			return nil, err
		}
	}
	return protocol.Object{Object: object}, nil
}

// validated answers the op validate.
func validated(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, object, err := schemaAndObject(req)
	if err != nil {
		return nil, err
	}
	validator := validation.Compile(schema, structural.Kubernetes(minorOf(req)))
	var errs, ratcheted field.ErrorList
	if req.Old.Given() {
		old, err := decode("old", req.Old)
		if err != nil {
			return nil, err
		}
		errs, ratcheted = validatedUpdate(ctx, validator, object, old)
	} else if resource, ok := object.(map[string]any); ok {
		errs = validator.Validate(ctx, resource)
	} else {
		errs = append(validator.Values(ctx, nil, object),
			validator.EmbeddedResources(ctx, nil, object)...)
	}
	var result protocol.Validated
	if result.Errors, err = fieldErrors(errs); err == nil {
		result.Ratcheted, err = fieldErrors(ratcheted)
	}
	return result, err
}

// validatedUpdate validates a JSON value of any kind as an update. List types
// are checked in objects only.
func validatedUpdate(
	ctx context.Context, validator *validation.Validator, object, old any,
) (errs, ratcheted field.ErrorList) {
	resource, isObject := object.(map[string]any)
	oldResource, wasObject := old.(map[string]any)
	if isObject && wasObject {
		return validator.ValidateUpdate(ctx, resource, oldResource)
	}
	errs, ratcheted = validator.ValuesUpdate(ctx, object, old)
	errs = append(errs, validator.EmbeddedResources(ctx, nil, object)...)
	if isObject {
		errs = append(errs, validator.ListTypes(ctx, resource)...)
	}
	return errs, ratcheted
}

// evaluated answers the op cel.
func evaluated(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, object, err := schemaAndObject(req)
	if err != nil {
		return nil, err
	}
	var old any
	if req.Old.Given() {
		if old, err = decode("old", req.Old); err != nil {
			return nil, err
		}
	}
	compiling := []structural.Option{structural.Kubernetes(minorOf(req))}
	if req.PerCallLimit != nil {
		compiling = append(compiling,
			ruleoptions.ForCompile(func(o *ruleoptions.Compile) {
				o.PerCallLimit = uint64(*req.PerCallLimit)
			}))
	}
	var evaluating []celrules.ValidateOption
	if req.Budget != nil {
		evaluating = append(evaluating, celrules.WithBudget(*req.Budget))
	}
	found := celrules.Compile(schema, compiling...).Validate(ctx, object, old, evaluating...)
	result := protocol.Evaluated{Warnings: messages(found.Ratcheted)}
	if result.Errors, err = fieldErrors(found.Errors); err != nil {
		return nil, err
	}
	if !found.OutOfBudget {
		result.Cost = &found.Cost
	}
	return result, nil
}
