package builtin

import (
	"fmt"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// definitionTypes are the types by which definitions are merged. They are those
// that the server publishes: the ones for clients have no definitions before
// 0.37.
var definitionTypes = sync.OnceValues(func() (managedfields.TypeConverter, error) {
	all := openapi.GetOpenAPIDefinitions(func(model string) spec.Ref {
		return spec.MustCreateRef("#/components/schemas/" + model)
	})
	schemas := make(map[string]*spec.Schema, len(all))
	for model, of := range all {
		schemas[model] = &of.Schema
	}
	kind := apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
	definition := schemas[apiextensionsv1.CustomResourceDefinition{}.OpenAPIModelName()]
	if definition == nil {
		return nil, fmt.Errorf("%s has no schema", kind)
	}
	definition.AddExtension("x-kubernetes-group-version-kind", []any{map[string]any{
		"group": kind.Group, "version": kind.Version, "kind": kind.Kind,
	}})
	return managedfields.NewTypeConverter(schemas, false)
})
