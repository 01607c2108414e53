package kube

import (
	"context"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validate answers with validation.ValidateCustomResource (or its update),
// objectmeta.Validate and listtype.ValidateListSetsAndMaps.
func validate(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, err := schemaOf(req.Schema)
	if err != nil {
		return nil, err
	}
	object, err := objectOf("object", req.Object)
	if err != nil {
		return nil, err
	}
	v := &valueValidator{schema: schema}
	if v.keywords, _, err = apivalidation.NewSchemaValidator(schema.props); err != nil {
		return nil, err
	}
	plain := fieldErrors(v.create(ctx, object))
	if !req.Old.Given() {
		return protocol.Validated{Errors: plain}, nil
	}
	old, err := objectOf("old", req.Old)
	if err != nil {
		return nil, err
	}
	errs := fieldErrors(v.update(ctx, object, old))
	return protocol.Validated{Errors: errs, Ratcheted: without(plain, errs)}, nil
}

// valueValidator checks the values of a custom resource, without rules.
type valueValidator struct {
	schema   *schemaModel
	keywords apivalidation.SchemaValidator
}

func (v *valueValidator) create(ctx context.Context, object any) field.ErrorList {
	errs := apivalidation.ValidateCustomResource(nil, object, v.keywords)
	errs = append(errs, validateEmbedded(ctx, object, v.schema)...)
	return append(errs, v.lists(object)...)
}

func (v *valueValidator) update(ctx context.Context, object, old any) field.ErrorList {
	errs := apivalidation.ValidateCustomResourceUpdate(nil, object, old, v.keywords,
		ratchetedValues(object, old, v.schema)...)
	errs = append(errs, validateEmbedded(ctx, object, v.schema)...)
	if len(v.lists(old)) == 0 {
		errs = append(errs, v.lists(object)...)
	}
	return errs
}

// lists checks sets and list-maps. The real code takes objects only.
func (v *valueValidator) lists(object any) field.ErrorList {
	root, ok := object.(map[string]any)
	if !ok {
		return nil
	}
	return listtype.ValidateListSetsAndMaps(nil, v.schema.structural, root)
}
