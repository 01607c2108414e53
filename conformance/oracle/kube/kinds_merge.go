package kube

import (
	"context"
	"maps"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// managedInput is a sequence of requests to the field manager of a definition.
type managedInput struct {
	CRD   protocol.Input `json:"crd"`
	Steps []managedStep  `json:"steps"`
}

// managedStep is one request: an apply, or an update if Apply is false.
type managedStep struct {
	Version     string         `json:"version"`
	Manager     string         `json:"manager"`
	Apply       bool           `json:"apply"`
	Force       bool           `json:"force"`
	Subresource string         `json:"subresource"`
	Object      map[string]any `json:"object"`
}

// managedObject answers with the object after the last step, or with the error
// of the first step that fails. The times of managedFields are left out.
func managedObject(_ context.Context, in managedInput) (map[string]any, error) {
	crd, err := servedDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	m, err := newManagers(crd)
	if err != nil {
		return nil, err
	}
	var live map[string]any
	for _, s := range in.Steps {
		manager, err := m.manager(s.Version, s.Subresource)
		if err != nil {
			return nil, err
		}
		if live, err = m.run(manager, live, s); err != nil {
			return failure(err), nil
		}
	}
	return map[string]any{"object": withoutTimes(live)}, nil
}

// Write is a request to the field manager of a definition, with the live object
// before it, nil for none. It stands for the definition of the write before it
// if it has none.
type Write struct {
	CRD  protocol.Input `json:"crd"`
	Live map[string]any `json:"live"`
	managedStep
}

// Managers answers writes. The zero value knows no definition.
type Managers struct{ of *managers }

// Do returns the object after a write.
func (m *Managers) Do(w Write) (map[string]any, error) {
	if w.CRD.Given() {
		crd, err := servedDefinition(w.CRD)
		if err != nil {
			return nil, err
		}
		if m.of, err = newManagers(crd); err != nil {
			return nil, err
		}
	}
	manager, err := m.of.manager(w.Version, w.Subresource)
	if err != nil {
		return nil, err
	}
	live, _ := integers(w.Live).(map[string]any)
	return m.of.run(manager, live, w.managedStep)
}

// managers makes the field managers of a definition's versions.
type managers struct {
	crd   *v1.CustomResourceDefinition
	types managedfields.TypeConverter
	safe  runtime.ObjectConvertor
}

func newManagers(crd *v1.CustomResourceDefinition) (*managers, error) {
	models := map[string]*spec.Schema{}
	for _, v := range crd.Spec.Versions {
		document, err := builder.BuildOpenAPIV3(crd, v.Name, builder.Options{})
		if err != nil {
			return nil, err
		}
		maps.Copy(models, document.Components.Schemas)
	}
	types, err := managedfields.NewTypeConverter(models, false)
	if err != nil {
		return nil, err
	}
	factory, err := conversion.NewCRConverterFactory(nil,
		func(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver { return r })
	if err != nil {
		return nil, err
	}
	safe, _, err := factory.NewConverter(crd)
	return &managers{crd, types, safe}, err
}

// manager returns the field manager of a version and subresource. A manager of
// the status subresource owns nothing but the status, any other owns the status
// only if the version has no status subresource.
func (m *managers) manager(version, subresource string) (*managedfields.FieldManager, error) {
	gv := schema.GroupVersion{Group: m.crd.Spec.Group, Version: version}
	reset := map[apiVersion]*fieldSet{}
	for _, v := range m.crd.Spec.Versions {
		at := apiVersion(m.crd.Spec.Group + "/" + v.Name)
		hasStatus := v.Subresources != nil && v.Subresources.Status != nil
		switch {
		case subresource == "status" && (statusResetsAll && hasStatus || v.Name == version):
			reset[at] = newFieldSet("metadata", "spec")
		case subresource == "" && hasStatus && v.Name == version:
			reset[at] = newFieldSet("status")
		}
	}
	return managedfields.NewDefaultCRDFieldManager(m.types, m.safe, noDefaults{}, emptyObjects{},
		gv.WithKind(m.crd.Spec.Names.Kind), gv, subresource, filters(reset))
}

func (m *managers) run(
	manager *managedfields.FieldManager, live map[string]any, s managedStep,
) (map[string]any, error) {
	gv := schema.GroupVersion{Group: m.crd.Spec.Group, Version: s.Version}
	before, err := emptyObjects{}.New(gv.WithKind(m.crd.Spec.Names.Kind))
	if err != nil {
		return nil, err
	}
	if live != nil {
		before = &unstructured.Unstructured{Object: live}
	}
	after := &unstructured.Unstructured{Object: integers(s.Object).(map[string]any)}
	var out runtime.Object
	if s.Apply {
		out, err = manager.Apply(before, after, s.Manager, s.Force)
	} else {
		out, err = manager.Update(before, after, s.Manager)
	}
	if err != nil {
		return nil, err
	}
	return out.(*unstructured.Unstructured).Object, nil
}

// noDefaults fills in nothing.
type noDefaults struct{}

func (noDefaults) Default(runtime.Object) {}

// emptyObjects makes objects that do not exist yet.
type emptyObjects struct{}

func (emptyObjects) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	out := &unstructured.Unstructured{}
	out.SetGroupVersionKind(kind)
	return out, nil
}

// integers returns a decoded JSON value with whole numbers as int64.
func integers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, field := range value {
			value[key] = integers(field)
		}
	case []any:
		for i, item := range value {
			value[i] = integers(item)
		}
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	}
	return value
}

// withoutTimes removes the times from the managedFields of an object.
func withoutTimes(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	for _, entry := range entries {
		if entry, ok := entry.(map[string]any); ok {
			delete(entry, "time")
		}
	}
	return object
}
