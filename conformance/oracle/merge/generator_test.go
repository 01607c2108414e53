package merge_test

import (
	"math/rand/v2"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// generator makes objects that mostly fit a schema's types. Their values are
// few, so that managers meet.
type generator struct{ *rand.Rand }

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

func (g *generator) resource(
	crd *apiextensionsv1.CustomResourceDefinition,
	v apiextensionsv1.CustomResourceDefinitionVersion,
) map[string]any {
	object := map[string]any{}
	if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
		if made, ok := g.value(v.Schema.OpenAPIV3Schema, 7).(map[string]any); ok {
			object = made
		}
	}
	object["apiVersion"] = crd.Spec.Group + "/" + v.Name
	object["kind"] = crd.Spec.Names.Kind
	object["metadata"] = g.metadata()
	return object
}

func (g *generator) metadata() map[string]any {
	m := map[string]any{"name": "n", "namespace": "ns"}
	for _, name := range []string{"labels", "annotations"} {
		if g.oneIn(3) {
			m[name] = map[string]any{pick(g, "a", "b"): pick(g, "x", "y"), pick(g, "c", "d"): "z"}
		}
	}
	if g.oneIn(4) {
		m["finalizers"] = []any{pick(g, "f/x", "f/y"), "f/z"}[:1+g.IntN(2)]
	}
	if g.oneIn(6) {
		m["ownerReferences"] = []any{
			map[string]any{
				"apiVersion": "v1",
				"kind":       "Pod",
				"name":       pick(g, "p", "q"),
				"uid":        pick(g, "u1", "u2"),
			},
		}
	}
	if g.oneIn(12) {
		m["annotations"] = map[string]any{
			"kubectl.kubernetes.io/last-applied-configuration": pick(g, "{}", "", "x"),
		}
	}
	return m
}

// value makes a value for a schema, down to a maximum depth.
func (g *generator) value(s *apiextensionsv1.JSONSchemaProps, depth int) any {
	if g.oneIn(300) {
		return pick[any](g, nil, "odd", int64(1), []any{}, map[string]any{}, true)
	}
	if len(s.Enum) > 0 && !g.oneIn(20) {
		var out any
		if err := utiljson.Unmarshal(s.Enum[g.IntN(len(s.Enum))].Raw, &out); err == nil {
			return out
		}
	}
	switch s.Type {
	case "object":
		return g.object(s, depth)
	case "array":
		return g.list(s, depth)
	case "boolean":
		return g.oneIn(2)
	case "integer":
		return int64(g.IntN(3))
	case "number":
		return pick[any](g, int64(1), 1.5)
	case "string":
		return pick(g, "x", "y", "z")
	}
	if s.XIntOrString {
		return pick[any](g, int64(1), "50%")
	}
	return g.anything(2)
}

func (g *generator) object(s *apiextensionsv1.JSONSchemaProps, depth int) any {
	out := map[string]any{}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if depth == 0 || len(names) > 4 && g.IntN(len(names)) > 5 || g.oneIn(3) && name != "spec" {
			continue
		}
		child := s.Properties[name]
		out[name] = g.value(&child, depth-1)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && depth > 0 {
		for range g.IntN(3) {
			out[pick(g, "a", "b", "c.d/e")] = g.value(s.AdditionalProperties.Schema, depth-1)
		}
	}
	if s.XEmbeddedResource {
		out["apiVersion"], out["kind"], out["metadata"] = "v1", pick(g, "Pod", "Job"), g.metadata()
	}
	if s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields || g.oneIn(400) {
		out[pick(g, "extra", "more")] = g.anything(3)
	}
	return out
}

func (g *generator) list(s *apiextensionsv1.JSONSchemaProps, depth int) any {
	out := []any{}
	if s.Items == nil || s.Items.Schema == nil || depth == 0 {
		return out
	}
	isMap := s.XListType != nil && *s.XListType == "map"
	for range g.IntN(4) {
		item := g.value(s.Items.Schema, depth-1)
		if object, ok := item.(map[string]any); ok && isMap {
			g.addKeys(s, object)
		}
		if (isMap || s.XListType != nil && *s.XListType == "set") && !g.oneIn(100) &&
			slices.ContainsFunc(out,
				func(other any) bool { return asJSON(key(s, other)) == asJSON(key(s, item)) }) {
			continue
		}
		out = append(out, item)
	}
	return out
}

// addKeys sets most of the keys without a default in an item, and sometimes the
// others. Of several keys it omits some more often.
func (g *generator) addKeys(s *apiextensionsv1.JSONSchemaProps, item map[string]any) {
	for _, name := range s.XListMapKeys {
		property := s.Items.Schema.Properties[name]
		if _, found := item[name]; found {
			continue
		}
		switch {
		case property.Default != nil && g.oneIn(2):
		case property.Default == nil && (len(s.XListMapKeys) > 1 && g.oneIn(4) || g.oneIn(100)):
		case g.oneIn(50):
			item[name] = nil
		default:
			item[name] = g.value(&property, 1)
		}
	}
}

func key(s *apiextensionsv1.JSONSchemaProps, item any) any {
	object, ok := item.(map[string]any)
	if !ok {
		return item
	}
	var values []any
	for _, name := range s.XListMapKeys {
		value, found := object[name]
		if property := s.Items.Schema.Properties[name]; !found && property.Default != nil {
			_ = utiljson.Unmarshal(property.Default.Raw, &value)
		}
		values = append(values, value)
	}
	return values
}

func (g *generator) anything(depth int) any {
	switch n := g.IntN(6); {
	case n == 0 && depth > 0:
		return map[string]any{pick(g, "a", "b"): g.anything(depth - 1), "c": g.anything(depth - 1)}
	case n == 1 && depth > 0:
		return []any{g.anything(depth - 1)}
	}
	return pick[any](g, "x", "y", int64(1), 1.5, true, "z")
}

// change alters some leaves of an object and removes some of its fields.
func (g *generator) change(object map[string]any) {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "apiVersion" || name == "kind" || name == "name" || name == "metadata" {
			continue
		}
		switch value := object[name].(type) {
		case map[string]any:
			g.change(value)
		case string:
			if g.oneIn(4) {
				object[name] = pick(g, "x", "y")
			}
		case int64:
			if g.oneIn(4) {
				object[name] = int64(g.IntN(3))
			}
		}
		if g.oneIn(8) {
			delete(object, name)
		}
	}
}

// ageOwners makes the times of some managed fields older.
func (g *generator) ageOwners(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	for _, item := range list {
		if g.oneIn(3) {
			item.(map[string]any)["time"] = pick(g, "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z")
		}
	}
}
