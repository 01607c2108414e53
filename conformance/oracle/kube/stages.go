package kube

import (
	"context"
	"fmt"

	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Stages holds the server's steps for objects of one version, each callable on
// its own, for measurements.
type Stages struct {
	model  *apischema.Structural
	values apivalidation.SchemaValidator
	rules  *cel.Validator // nil if there are none
}

// Stages sets up the steps of a served version.
func (s *Serving) Stages(version string) (*Stages, error) {
	r := s.versions[version]
	props, err := internalSchema(r.version)
	if err != nil {
		return nil, err
	}
	out := &Stages{model: r.models[version]}
	if out.values, _, err = apivalidation.NewSchemaValidator(props); err != nil {
		return nil, err
	}
	out.rules = cel.NewValidator(out.model, true, celconfig.PerCallLimit)
	return out, nil
}

// Prune removes unknown fields in place and returns their paths, as for every
// request.
func (s *Stages) Prune(object map[string]any) []string {
	return pruning.PruneWithOptions(object, s.model, true,
		apischema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}

// Fill removes nulls and applies defaults, in place.
func (s *Stages) Fill(object map[string]any) {
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.model)
	defaulting.Default(object, s.model)
}

// Coerce normalizes the metadata of embedded resources, in place.
func (s *Stages) Coerce(object map[string]any) error {
	err, _ := objectmeta.CoerceWithOptions(nil, object, s.model, false,
		objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return err
	}
	return nil
}

// Values validates against the OpenAPI schema. It returns the number of errors.
func (s *Stages) Values(object map[string]any) int {
	return len(apivalidation.ValidateCustomResource(nil, object, s.values))
}

// ListTypes validates sets and list-maps. It returns the number of errors.
func (s *Stages) ListTypes(object map[string]any) int {
	return len(listtype.ValidateListSetsAndMaps(nil, s.model, object))
}

// Rules evaluates the validation rules of a create. It returns the number of
// errors.
func (s *Stages) Rules(ctx context.Context, object map[string]any) int {
	if s.rules == nil {
		return 0
	}
	errs, _ := s.rules.Validate(ctx, nil, s.model, object, nil, celconfig.RuntimeCELCostBudget)
	return len(errs)
}

// Create is CreateJSON for a copy of a decoded object.
func (s *Serving) Create(ctx context.Context, version string, object map[string]any) (bool, error) {
	r := s.versions[version]
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
	if err := s.Normalize(version, u.Object); err != nil {
		return false, err
	}
	return r.accepts(ctx, u), nil
}

// UpdateStatus is Update for the status subresource. The version must have it.
func (s *Serving) UpdateStatus(
	ctx context.Context, version string, object, old map[string]any,
) bool {
	r := s.versions[version]
	u, o := &unstructured.Unstructured{
		Object: runtime.DeepCopyJSON(object),
	}, &unstructured.Unstructured{
		Object: old,
	}
	return rest.BeforeUpdate(r.status, genericrequest.WithNamespace(ctx, o.GetNamespace()), u,
		o) == nil
}

// HasStatus reports whether a version has the status subresource.
func (s *Serving) HasStatus(version string) bool { return s.versions[version].status != nil }

// Read returns a copy of a stored object of version from, as it is read in
// version to.
func (s *Serving) Read(stored map[string]any, from, to string) (map[string]any, error) {
	r := s.versions[to]
	object := runtime.DeepCopyJSON(stored)
	_, err := (coercion{s.versions[from], fromStorage}).apply(
		&unstructured.Unstructured{Object: object},
	)
	if err != nil {
		return nil, err
	}
	defaulting.Default(object, r.models[from])
	out, err := convertObject(r.converter, object, r.kind.GroupVersion())
	if err != nil {
		return nil, fmt.Errorf("convert: %w", err)
	}
	if from == to {
		return out, nil
	}
	_, err = coercion{r, fromStorage}.apply(&unstructured.Unstructured{Object: out})
	return out, err
}
