package builtin

import (
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Model is a built-in kind in one version. It is safe for concurrent use.
type Model struct {
	Resource Resource
	Kind     schema.GroupVersionKind
	managers sync.Map // of *managedfields.FieldManager, by subresource
}

// NewModel returns the model of a resource in one of its versions.
func NewModel(r Resource, version string) *Model {
	return &Model{
		Resource: r,
		Kind:     schema.GroupVersionKind{Group: r.Group, Version: version, Kind: r.Kind},
	}
}

// HasType reports whether the kind has a Go type. Objects without one are
// stored with any fields.
func (m *Model) HasType() bool { return types().Recognizes(m.Kind) }

// Normalize returns an object as its Go type writes it, with the defaults of
// its kind. Fields that the type lacks are dropped and returned in unknown.
func (m *Model) Normalize(object map[string]any) (out map[string]any, unknown []error, err error) {
	if !m.HasType() {
		return runtime.DeepCopyJSON(object), nil, nil
	}
	return decodeObject(object, m.Kind)
}

// Unfit reports what of an object its Go type does not take, as the server's
// converter says it: unknown fields, or the first value of another type.
func (m *Model) Unfit(object map[string]any) (unknown []error, err error) {
	typed, err := types().New(m.Kind)
	if err != nil {
		return nil, err
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object, typed, true)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		return strict.Errors(), nil
	}
	return nil, err
}

// HasGeneration reports whether objects of the kind count their changes in
// metadata.generation.
func (m *Model) HasGeneration() bool {
	return slices.Contains(generations, m.Kind.Kind)
}

// generations are the kinds with a generation. Their strategies in
// k8s.io/kubernetes/pkg/registry set it.
var generations = []string{
	"CronJob", "CustomResourceDefinition", "DaemonSet", "Deployment", "EndpointSlice",
	"FlowSchema", "HorizontalPodAutoscaler", "Ingress", "Job", "MutatingAdmissionPolicy",
	"MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "NetworkPolicy", "Pod",
	"PodDisruptionBudget", "PriorityClass", "PriorityLevelConfiguration", "ReplicaSet",
	"ReplicationController", "StatefulSet", "ValidatingAdmissionPolicy",
	"ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
}

// Manager is a field manager.
type Manager struct {
	Name        string
	Subresource string
	Force       bool // whether an apply takes fields from other managers
}

// Track returns an object after an update with its metadata.managedFields. The
// live object is nil on a create.
func (m *Model) Track(live, object map[string]any, by Manager) (map[string]any, error) {
	manager, err := m.manager(by.Subresource)
	if err != nil {
		return nil, err
	}
	out, err := manager.Update(m.orStructs(live), &unstructured.Unstructured{
		Object: runtime.DeepCopyJSON(object),
	}, by.Name)
	if err != nil {
		return nil, err
	}
	return content(out)
}

// Apply returns an object after a server-side apply. The live object is nil if
// the apply creates it. The error is the server's, e.g. of a conflict.
func (m *Model) Apply(live, config map[string]any, by Manager) (map[string]any, error) {
	manager, err := m.manager(by.Subresource)
	if err != nil {
		return nil, err
	}
	out, err := manager.Apply(m.orEmpty(live),
		&unstructured.Unstructured{Object: config}, by.Name, by.Force)
	if err != nil {
		return nil, err
	}
	return content(out)
}

func content(object runtime.Object) (map[string]any, error) {
	u, ok := object.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("the field manager returned a %T", object)
	}
	return u.Object, nil
}

// orStructs returns a copy of an object, or in place of nil one with only the
// structs of its Go type. The client that creates an object does not manage
// those as such, e.g. its spec.
func (m *Model) orStructs(object map[string]any) *unstructured.Unstructured {
	out := m.orEmpty(object)
	typed, err := types().New(m.Kind)
	if object != nil || err != nil {
		return out
	}
	// an empty object has no value without JSON
	out.Object, _ = runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	out.SetGroupVersionKind(m.Kind)
	return out
}

// orEmpty returns a copy of an object, or an empty one in place of nil.
func (m *Model) orEmpty(object map[string]any) *unstructured.Unstructured {
	if object == nil {
		return anyTypes{}.empty(m.Kind)
	}
	return &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
}

// manager returns the field manager of a subresource.
func (m *Model) manager(subresource string) (*managedfields.FieldManager, error) {
	known, _ := m.managers.Load(subresource)
	if manager, ok := known.(*managedfields.FieldManager); ok {
		return manager, nil
	}
	types, err := m.converter()
	if err != nil {
		return nil, err
	}
	manager, err := managedfields.NewDefaultCRDFieldManager(types, anyTypes{},
		anyTypes{}, anyTypes{}, m.Kind, m.Kind.GroupVersion(), subresource,
		m.resetFields(subresource))
	if err == nil {
		m.managers.Store(subresource, manager)
	}
	return manager, err
}

// resetFields are the fields that a write to the object or to its status cannot
// set: the write makes no one their manager.
func (m *Model) resetFields(subresource string) map[fieldpath.APIVersion]fieldpath.Filter {
	reset := "status"
	switch {
	case !m.Resource.Has(Status):
		return nil
	case subresource == Status:
		reset = "spec"
	}
	return map[fieldpath.APIVersion]fieldpath.Filter{
		fieldpath.APIVersion(m.Kind.GroupVersion().String()): fieldpath.NewExcludeSetFilter(
			fieldpath.NewSet(fieldpath.MakePathOrDie(reset))),
	}
}

// clientTypes are the types by which other kinds are merged. They are made when
// they are first used, which takes long.
var clientTypes = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(types())
})

func (m *Model) converter() (managedfields.TypeConverter, error) {
	switch {
	case !m.HasType():
		return managedfields.NewDeducedTypeConverter(), nil
	case m.Kind.Group == "apiextensions.k8s.io":
		return definitionTypes()
	}
	return clientTypes(), nil
}

// anyTypes converts objects between the versions of a kind, which have the same
// fields, and makes empty ones.
type anyTypes struct{}

func (anyTypes) empty(of schema.GroupVersionKind) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(of)
	return u
}

// New implements runtime.ObjectCreater.
func (a anyTypes) New(of schema.GroupVersionKind) (runtime.Object, error) {
	return a.empty(of), nil
}

// Default implements runtime.ObjectDefaulter. Defaults come later.
func (anyTypes) Default(runtime.Object) {}

// Convert implements runtime.ObjectConvertor.
func (anyTypes) Convert(in, out, _ any) error {
	return fmt.Errorf("a %T is not converted to a %T", in, out)
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (anyTypes) ConvertToVersion(
	in runtime.Object, to runtime.GroupVersioner,
) (runtime.Object, error) {
	of := in.GetObjectKind().GroupVersionKind()
	next, ok := to.KindForGroupVersionKinds([]schema.GroupVersionKind{of})
	if !ok {
		return nil, fmt.Errorf("%s is not of %s", of, to.Identifier())
	}
	out := in.DeepCopyObject()
	out.GetObjectKind().SetGroupVersionKind(next)
	return out, nil
}

// ConvertFieldLabel implements runtime.ObjectConvertor.
func (anyTypes) ConvertFieldLabel(
	_ schema.GroupVersionKind, label, value string,
) (string, string, error) {
	return label, value, nil
}
