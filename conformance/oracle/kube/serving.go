package kube

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Serving holds the served versions of a definition, set up once as in a
// server. Measurements compare with it: each method does one thing, without the
// overhead of the protocol.
type Serving struct {
	versions map[string]*resource
}

// NewServing decodes a definition from YAML and sets up all of its served
// versions.
func NewServing(text string) (*Serving, error) {
	crd, err := servedDefinition(protocol.TextInput(text))
	if err != nil {
		return nil, err
	}
	s := &Serving{versions: map[string]*resource{}}
	for i := range crd.Spec.Versions {
		if v := &crd.Spec.Versions[i]; v.Served {
			if s.versions[v.Name], err = newResource(crd, v.Name); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// Serves reports whether a version is served.
func (s *Serving) Serves(version string) bool { return s.versions[version] != nil }

// CreateJSON decodes, prepares and validates the body of a create. It reports
// whether the object would be stored.
func (s *Serving) CreateJSON(ctx context.Context, version string, body []byte) (bool, error) {
	r := s.versions[version]
	u, _, _, err := r.decodeRequest(body, protocol.JSON, fromStrictRequest, newObject(r.kind))
	if u == nil {
		return false, err
	}
	return r.accepts(ctx, u), nil
}

// accepts prepares and validates a new object and changes it. It reports
// whether it would be stored.
func (r *resource) accepts(ctx context.Context, u *unstructured.Unstructured) bool {
	if u.GetNamespace() == "" && r.main.NamespaceScoped() {
		u.SetNamespace(defaultNamespace)
	}
	rest.WipeObjectMetaSystemFields(u)
	rest.FillObjectMetaSystemFields(u)
	return rest.BeforeCreate(r.main, genericrequest.WithNamespace(ctx, u.GetNamespace()), u) == nil
}

// Normalize applies the server's steps after decoding, in place: metadata,
// pruning, nulls, embedded metadata, defaults.
func (s *Serving) Normalize(version string, object map[string]any) error {
	r := s.versions[version]
	_, err := (coercion{r, fromStrictRequest}).apply(&unstructured.Unstructured{Object: object})
	if err != nil {
		return err
	}
	defaulting.Default(object, r.models[version])
	return nil
}

// Update prepares and validates a copy of the object as a new state of old. It
// reports whether it would be stored.
func (s *Serving) Update(ctx context.Context, version string, object, old map[string]any) bool {
	r := s.versions[version]
	u, o := &unstructured.Unstructured{
		Object: runtime.DeepCopyJSON(object),
	}, &unstructured.Unstructured{
		Object: old,
	}
	return rest.BeforeUpdate(r.main, genericrequest.WithNamespace(ctx, o.GetNamespace()), u,
		o) == nil
}

// Stored adds to an admitted object the metadata that every stored object has.
func Stored(object map[string]any) map[string]any {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
	u.SetUID("a6b1")
	u.SetResourceVersion("1")
	u.SetGeneration(1)
	u.SetCreationTimestamp(metav1.Unix(1, 0))
	return u.Object
}

// DecodedDefinition is a definition in the internal form, defaulted.
type DecodedDefinition struct {
	crd *apiextensions.CustomResourceDefinition
}

// DecodeDefinition decodes a definition from YAML.
func DecodeDefinition(text string) (*DecodedDefinition, error) {
	crd, _, err := internalDefinition(protocol.TextInput(text))
	if err != nil {
		return nil, err
	}
	return &DecodedDefinition{crd}, nil
}

// Validate validates the definition as on create.
func (d *DecodedDefinition) Validate(ctx context.Context) error {
	strategy := customresourcedefinition.NewStrategy(scheme())
	crd := d.crd.DeepCopy()
	strategy.PrepareForCreate(ctx, crd)
	if errs := strategy.Validate(ctx, crd); len(errs) > 0 {
		return fmt.Errorf("refused: %w", errs.ToAggregate())
	}
	return nil
}
