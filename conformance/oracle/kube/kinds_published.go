package kube

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/crdsem/crdsem/internal/app/protocol"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"
)

type rewriteInput struct {
	Schema   protocol.Input `json:"schema"`
	Rewrites []string       `json:"rewrites"`
}

// rewrittenSchema answers with the functions of the structural model that
// return another schema, and with its ToKubeOpenAPI.
func rewrittenSchema(_ context.Context, in rewriteInput) (map[string]any, error) {
	model, err := schemaOf(in.Schema)
	if err != nil {
		return nil, err
	}
	s := model.structural.DeepCopy()
	for _, name := range in.Rewrites {
		switch name {
		case "Unfold":
			s = s.Unfold()
		case "StripValueValidations":
			s = s.StripValueValidations()
		case "StripNullable":
			s = s.StripNullable()
		default:
			return nil, fmt.Errorf("%w: %s", errNoOption, name)
		}
	}
	return asMember("schema", s.ToKubeOpenAPI())
}

// asMember returns an answer with one member, the JSON form of a value.
func asMember(name string, value any) (map[string]any, error) {
	member, err := asValue(value)
	return map[string]any{name: member}, err
}

// asValue returns the JSON form of a value.
func asValue(value any) (any, error) {
	doc, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return protocol.ParseValue(doc)
}

type publishInput struct {
	CRD     protocol.Input `json:"crd"`
	Version string         `json:"version"`
	OpenAPI string         `json:"openapi"`
}

// publishedSchema answers with the builder of the documents that a server
// publishes.
func publishedSchema(_ context.Context, in publishInput) (map[string]any, error) {
	crd, err := servedDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupVersionKind{
		Group:   crd.Spec.Group,
		Version: in.Version,
		Kind:    crd.Spec.Names.Kind,
	}
	options := published(in.OpenAPI == "v2")
	if options.V2 {
		doc, err := builder.BuildOpenAPIV2(crd, in.Version, options)
		if err != nil {
			return nil, err
		}
		return only(kind, doc.Definitions)
	}
	doc, err := builder.BuildOpenAPIV3(crd, in.Version, options)
	if err != nil {
		return nil, err
	}
	return only(kind, doc.Components.Schemas)
}

// only returns the published schema whose extension names the kind. There must
// be exactly one.
func only[S any](kind schema.GroupVersionKind, published map[string]S) (map[string]any, error) {
	for name, s := range published {
		answer, err := asMember("schema", s)
		if err != nil {
			return nil, err
		}
		members, _ := answer["schema"].(map[string]any)
		told, _ := members["x-kubernetes-group-version-kind"].([]any)
		if len(told) != 1 {
			continue
		}
		if one, _ := told[0].(map[string]any); one["kind"] == kind.Kind &&
			one["version"] == kind.Version {
			answer["name"] = name
			return answer, nil
		}
	}
	return nil, fmt.Errorf("%s is not published", kind)
}

type labelInput struct {
	Version          string   `json:"version"`
	Label            string   `json:"label"`
	ClusterScoped    bool     `json:"clusterScoped"`
	SelectableFields []string `json:"selectableFields"`
}

// fieldLabel answers with the converter's ConvertFieldLabel. The definition has
// the versions v1, which has the selectable fields, and v2.
func fieldLabel(_ context.Context, in labelInput) (map[string]any, error) {
	crd := &v1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "foos.example.com"}}
	crd.Spec.Group, crd.Spec.Scope = "example.com", v1.NamespaceScoped
	if in.ClusterScoped {
		crd.Spec.Scope = v1.ClusterScoped
	}
	crd.Spec.Conversion = &v1.CustomResourceConversion{Strategy: v1.NoneConverter}
	crd.Spec.Versions = []v1.CustomResourceDefinitionVersion{{Name: "v1"}, {Name: "v2"}}
	addSelectable(&crd.Spec.Versions[0], in.SelectableFields)
	resolver := func(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver {
		return r
	}
	factory, err := conversion.NewCRConverterFactory(nil, resolver)
	if err != nil {
		return nil, err
	}
	converter, _, err := factory.NewConverter(crd)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: in.Version, Kind: "Foo"}
	label, _, err := converter.ConvertFieldLabel(kind, in.Label, "")
	if err != nil {
		return failure(err), nil
	}
	return map[string]any{"label": label}, nil
}
