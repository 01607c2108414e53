package kube

import (
	"fmt"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/registry/rest"
)

// resource is one served version of a definition, set up like the handler of
// custom resources.
type resource struct {
	crd       *v1.CustomResourceDefinition
	version   *v1.CustomResourceDefinitionVersion
	kind      schema.GroupVersionKind
	models    map[string]*apischema.Structural // by version; nil without a schema
	converter runtime.ObjectConvertor
	main      strategy
	status    rest.RESTUpdateStrategy // nil without the subresource
}

// strategy is the interface of the registry's strategy for custom resources.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// newResource sets up the given version. The definition counts as established
// under the names in its spec.
func newResource(crd *v1.CustomResourceDefinition, name string) (*resource, error) {
	r := &resource{crd: crd, models: map[string]*apischema.Structural{}}
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		if v.Name == name && v.Served {
			r.version = v
		}
		if err := r.addModel(v); err != nil {
			return nil, fmt.Errorf("schema of version %s: %w", v.Name, err)
		}
	}
	if r.version == nil {
		return nil, fmt.Errorf("version %q is not served", name)
	}
	r.kind = schema.GroupVersionKind{
		Group:   crd.Spec.Group,
		Version: name,
		Kind:    crd.Spec.Names.Kind,
	}
	var err error
	if r.converter, err = converterOf(crd); err != nil {
		return nil, err
	}
	return r, r.addStrategies()
}

// internalSchema returns a version's schema in the internal form, or nil.
func internalSchema(v *v1.CustomResourceDefinitionVersion) (*apiextensions.JSONSchemaProps, error) {
	if v.Schema == nil {
		return nil, nil
	}
	internal := &apiextensions.CustomResourceValidation{}
	err := v1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(
		v.Schema,
		internal,
		nil,
	)
	return internal.OpenAPIV3Schema, err
}

// addModel builds the structural schema of a version and prunes its defaults.
func (r *resource) addModel(v *v1.CustomResourceDefinitionVersion) error {
	if v.Schema == nil {
		return nil
	}
	props, err := internalSchema(v)
	if err != nil {
		return err
	}
	model, err := apischema.NewStructural(props)
	switch {
	case err != nil && !r.crd.Spec.PreserveUnknownFields:
		return err
	case !r.crd.Spec.PreserveUnknownFields:
		model = model.DeepCopy()
		if err := defaulting.PruneDefaults(model); err != nil {
			return err
		}
	}
	r.models[v.Name] = model
	return nil
}

// addStrategies sets up the registry's strategies for the version.
func (r *resource) addStrategies() error {
	props, err := internalSchema(r.version)
	if err != nil {
		return err
	}
	all, _, err := apivalidation.NewSchemaValidator(props)
	if err != nil {
		return err
	}
	var status apivalidation.SchemaValidator
	var statusSpec *apiextensions.CustomResourceSubresourceStatus
	var scaleSpec *apiextensions.CustomResourceSubresourceScale
	if sub := r.version.Subresources; sub != nil {
		if sub.Status != nil {
			statusSpec = &apiextensions.CustomResourceSubresourceStatus{}
			if status, err = statusValidator(props); err != nil {
				return err
			}
		}
		if sub.Scale != nil {
			scaleSpec = &apiextensions.CustomResourceSubresourceScale{
				SpecReplicasPath:   sub.Scale.SpecReplicasPath,
				StatusReplicasPath: sub.Scale.StatusReplicasPath,
				LabelSelectorPath:  sub.Scale.LabelSelectorPath,
			}
		}
	}
	r.setStrategies(&strategies{all, status, statusSpec, scaleSpec})
	if statusSpec == nil {
		r.status = nil
	}
	return nil
}

// strategies are the parts of a version that its strategy is made from.
type strategies struct {
	main, status apivalidation.SchemaValidator
	statusSpec   *apiextensions.CustomResourceSubresourceStatus
	scaleSpec    *apiextensions.CustomResourceSubresourceScale
}

// statusValidator returns the validator of the schema's status, or nil.
func statusValidator(props *apiextensions.JSONSchemaProps) (apivalidation.SchemaValidator, error) {
	if props == nil {
		return nil, nil
	}
	status, ok := props.Properties["status"]
	if !ok {
		return nil, nil
	}
	validator, _, err := apivalidation.NewSchemaValidator(&status)
	return validator, err
}

// deprecation returns the warning of a deprecated version, or "".
func (r *resource) deprecation() string {
	if !r.version.Deprecated {
		return ""
	}
	if own := r.version.DeprecationWarning; own != nil {
		return *own
	}
	text := fmt.Sprintf("%s/%s %s is deprecated", r.kind.Group, r.kind.Version, r.kind.Kind)
	var better []string
	for _, v := range r.crd.Spec.Versions {
		if v.Served && !v.Deprecated &&
			version.CompareKubeAwareVersionStrings(v.Name, r.kind.Version) > 0 {
			better = append(better, v.Name)
		}
	}
	if len(better) == 0 {
		return text
	}
	sort.Slice(better, func(i, j int) bool {
		return version.CompareKubeAwareVersionStrings(better[i], better[j]) > 0
	})
	return fmt.Sprintf("%s; use %s/%s %s", text, r.kind.Group, better[0], r.kind.Kind)
}
