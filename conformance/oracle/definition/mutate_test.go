package definition_test

import (
	"maps"
	"slices"
)

// mutation changes a definition's document, in place or by replacing parts.
type mutation struct {
	name  string
	apply func(m *mutator)
}

// mutator changes one document.
type mutator struct {
	generator
	crd   map[string]any
	nodes []map[string]any // of all schemas
}

func newMutator(g generator, crd map[string]any) *mutator {
	m := &mutator{generator: g, crd: crd}
	for _, v := range m.versions() {
		if schema, ok := v["schema"].(map[string]any); ok {
			if root, ok := schema["openAPIV3Schema"].(map[string]any); ok {
				m.collect(root)
			}
		}
	}
	return m
}

func (m *mutator) collect(node map[string]any) {
	m.nodes = append(m.nodes, node)
	for _, key := range slices.Sorted(maps.Keys(node)) {
		switch child := node[key].(type) {
		case map[string]any:
			switch key {
			case "properties":
				for _, name := range slices.Sorted(maps.Keys(child)) {
					if property, ok := child[name].(map[string]any); ok {
						m.collect(property)
					}
				}
			case "items", "additionalProperties", "not":
				m.collect(child)
			}
		case []any:
			if key != "allOf" && key != "anyOf" && key != "oneOf" {
				continue
			}
			for _, branch := range child {
				if b, ok := branch.(map[string]any); ok {
					m.collect(b)
				}
			}
		}
	}
}

func (m *mutator) spec() map[string]any { return object(m.crd, "spec") }

func (m *mutator) versions() (out []map[string]any) {
	list, _ := m.spec()["versions"].([]any)
	for _, v := range list {
		if version, ok := v.(map[string]any); ok {
			out = append(out, version)
		}
	}
	return out
}

// version returns one version, or an empty one.
func (m *mutator) version() map[string]any {
	if all := m.versions(); len(all) > 0 {
		return pick(m.generator, all...)
	}
	return map[string]any{}
}

// node returns one node of one schema, or an empty one.
func (m *mutator) node() map[string]any {
	if len(m.nodes) == 0 {
		return map[string]any{}
	}
	return pick(m.generator, m.nodes...)
}

// object returns the object at a key and creates it if necessary.
func object(of map[string]any, key string) map[string]any {
	if o, ok := of[key].(map[string]any); ok {
		return o
	}
	o := map[string]any{}
	of[key] = o
	return o
}

// typed returns a node of a type, or any node if there is no such node.
func (m *mutator) typed(typ string) map[string]any {
	for range 50 {
		if n := m.node(); n["type"] == typ {
			return n
		}
	}
	return m.node()
}

func (m *mutator) set(at map[string]any, key string, values ...any) {
	at[key] = pick(m.generator, values...)
}

func mutations() []mutation {
	return slices.Concat(schemaMutations(), specMutations(), otherMutations())
}

func schemaMutations() []mutation {
	keyword := func(name string) func(*mutator) {
		return func(m *mutator) { m.node()[name] = m.values[name](m.generator, 2) }
	}
	return []mutation{
		{"a keyword", func(m *mutator) {
			name := pick(m.generator, m.keywords...)
			m.node()[name] = m.values[name](m.generator, 2)
		}},
		{"no keyword", func(m *mutator) {
			n := m.node()
			if keys := slices.Sorted(maps.Keys(n)); len(keys) > 0 {
				delete(n, pick(m.generator, keys...))
			}
		}},
		{"type", func(m *mutator) { m.set(m.node(), "type", "object", "array", "string", "integer", "bogus", "null", "") }},
		{"default", keyword("default")},
		{"format", keyword("format")},
		{"nullable", keyword("nullable")},
		{"pattern", keyword("pattern")},
		{"preserve", keyword("x-kubernetes-preserve-unknown-fields")},
		{"int-or-string", keyword("x-kubernetes-int-or-string")},
		{"embedded resource", keyword("x-kubernetes-embedded-resource")},
		{"rules", keyword("x-kubernetes-validations")},
		{"additionalProperties", keyword("additionalProperties")},
		{"items", keyword("items")},
		{"unsupported", func(m *mutator) {
			name := pick(m.generator, "$ref", "$schema", "id", "definitions", "dependencies",
				"patternProperties", "additionalItems")
			m.node()[name] = m.values[name](m.generator, 1)
		}},
		{"junctor", func(m *mutator) { m.junctor(m.node(), 2) }},
		{"list type", func(m *mutator) {
			m.set(m.typed("array"), "x-kubernetes-list-type", "set", "map", "atomic", "", "bogus")
		}},
		{"list keys", func(m *mutator) {
			n := m.typed("array")
			n["x-kubernetes-list-type"] = "map"
			m.set(n, "x-kubernetes-list-map-keys", []any{"name"}, []any{"name", "name"}, []any{},
				[]any{"type", "a"})
		}},
		{"map type", func(m *mutator) { m.set(m.typed("object"), "x-kubernetes-map-type", "atomic", "granular", "bogus") }},
		{"property", func(m *mutator) { object(m.node(), "properties")[pick(m.generator, names...)] = m.schema(2) }},
		{"no properties", func(m *mutator) { delete(m.typed("object"), "properties") }},
		{"bounds", func(m *mutator) { delete(m.node(), pick(m.generator, "maxItems", "maxLength", "maxProperties")) }},
		{"other node's keywords", func(m *mutator) {
			from := m.node()
			for _, k := range slices.Sorted(maps.Keys(from)) {
				v := from[k]
				if _, isObject := v.(map[string]any); !isObject {
					m.node()[k] = deepCopy(v)
				}
			}
		}},
		{"root metadata", func(m *mutator) {
			if len(m.nodes) > 0 {
				object(m.nodes[0], "properties")[pick(m.generator, "metadata", "kind", "apiVersion")] = m.schema(2)
			}
		}},
	}
}

func specMutations() []mutation {
	return []mutation{
		{"version's name", func(m *mutator) { m.set(m.version(), "name", "v1", "v1alpha1", "v2", "V1", "", "a.b") }},
		{"more versions", func(m *mutator) {
			list, _ := m.spec()["versions"].([]any)
			next := deepCopy(m.version()).(map[string]any)
			m.set(next, "name", "v9", "v1")
			m.set(next, "storage", true, false, false)
			m.spec()["versions"] = append(list, next)
		}},
		{"fewer versions", func(m *mutator) {
			if list, _ := m.spec()["versions"].([]any); len(list) > 0 {
				m.spec()["versions"] = list[1:]
			}
		}},
		{"no schema", func(m *mutator) { delete(m.version(), "schema") }},
		{"flags", func(m *mutator) {
			m.set(m.version(), pick(m.generator, "served", "storage", "deprecated"), true, false)
		}},
		{"deprecation", func(m *mutator) { m.set(m.version(), "deprecationWarning", "w", "", "a\nb", "é\u00a0", nil) }},
		{"names", func(m *mutator) {
			m.set(object(m.spec(), "names"), pick(m.generator, "plural", "singular", "kind", "listKind"), "foos", "Foo", "", "FooList", "a_b", nil)
		}},
		{"short names", func(m *mutator) {
			m.set(object(m.spec(), "names"), pick(m.generator, "shortNames", "categories"), []any{"a", "B"}, []any{""}, []any{}, nil)
		}},
		{"group and scope", func(m *mutator) {
			m.set(m.spec(), pick(m.generator, "group", "scope"), "Cluster", "Namespaced", "a.b", "k8s.io", "x.k8s.io", "nodot", "", "A.b")
		}},
		{"preserveUnknownFields", func(m *mutator) { m.set(m.spec(), "preserveUnknownFields", true, true, false, nil) }},
		{"conversion", func(m *mutator) { m.spec()["conversion"] = m.conversion() }},
		{"selectable fields", func(m *mutator) {
			var fields []any
			for range pick(m.generator, 1, 2, 10) {
				fields = append(
					fields,
					map[string]any{
						"jsonPath": pick(m.generator, ".spec.a", ".status.phase", ".spec", "x", "",
							".metadata.name", ".kind", ".apiVersion", ".spec['a']"),
					},
				)
			}
			m.version()["selectableFields"] = fields
		}},
		{"columns", func(m *mutator) {
			column := map[string]any{
				"name":     pick(m.generator, "n", ""),
				"type":     pick(m.generator, "string", "bogus", ""),
				"jsonPath": pick(m.generator, ".a", "a", ""),
			}
			m.set(column, "format", "", "date", "bogus")
			m.set(column, "priority", int64(1), int64(1)<<40, nil)
			m.version()["additionalPrinterColumns"] = []any{column}
		}},
		{"subresources", func(m *mutator) {
			scale := map[string]any{
				"specReplicasPath":   pick(m.generator, ".spec.replicas", "spec", ""),
				"statusReplicasPath": pick(m.generator, ".status.replicas", ".spec.x"),
			}
			m.set(scale, "labelSelectorPath", ".status.s", "s", ".x", "", nil)
			m.set(m.version(), "subresources", map[string]any{"scale": scale},
				map[string]any{"status": map[string]any{}}, map[string]any{}, nil)
		}},
	}
}

func (m *mutator) conversion() any {
	config := map[string]any{}
	if !m.oneIn(3) {
		m.set(config, "url", "https://h/p", "http://u@h?q#f", "%", "", nil)
	}
	if m.oneIn(2) {
		service := map[string]any{
			"name":      pick(m.generator, "n", ""),
			"namespace": pick(m.generator, "n", ""),
		}
		m.set(service, "port", int64(443), int64(0), nil, int64(70000))
		m.set(service, "path", "/a/b", "a", "//", "/", "", "/A//", nil)
		config["service"] = service
	}
	m.set(config, "caBundle", "AAAA", "", nil,
		"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBQUEKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=", "=")
	webhook := map[string]any{
		"clientConfig": config,
		"conversionReviewVersions": pick[any](m.generator, []any{"v1"}, []any{"v1", "v1"},
			[]any{"v9"}, []any{}, []any{"V"}, nil),
	}
	return pick[any](
		m.generator,
		map[string]any{"strategy": "Webhook", "webhook": webhook},
		map[string]any{"strategy": "Webhook", "webhook": webhook},
		map[string]any{
			"strategy": "None",
			"webhook":  webhook,
		},
		map[string]any{"strategy": pick(m.generator, "", "Bogus<")},
		nil,
	)
}

func otherMutations() []mutation {
	return []mutation{
		{"metadata", func(m *mutator) {
			m.set(object(m.crd, "metadata"), pick(m.generator, "name", "generateName", "namespace", "resourceVersion", "uid"), "x", "", "a.b", "A", nil)
		}},
		{"labels", func(m *mutator) {
			m.set(object(m.crd, "metadata"), pick(m.generator, "labels", "annotations"), map[string]any{"a": "b"}, map[string]any{"A B": "c d"}, map[string]any{"a": int64(1)}, nil)
		}},
		{"more metadata", func(m *mutator) {
			m.set(object(m.crd, "metadata"), pick(m.generator, "finalizers", "generation", "creationTimestamp", "ownerReferences", "deletionTimestamp", "bogus"),
				[]any{"a"}, int64(-1), int64(3), "2020-01-01T00:00:00Z", []any{map[string]any{"name": "x"}}, nil)
		}},
		{"approval", func(m *mutator) {
			object(object(m.crd, "metadata"), "annotations")["api-approved.kubernetes.io"] = pick[any](m.generator, "https://a/b", "unapproved", "x", "")
		}},
		{"established", func(m *mutator) {
			object(m.crd, "status")["conditions"] = []any{map[string]any{"type": "Established", "status": pick[any](m.generator, "True", "True", "False"), "lastTransitionTime": nil}}
		}},
		{"stored versions", func(m *mutator) {
			m.set(object(m.crd, "status"), "storedVersions", []any{"v1"}, []any{"v0", "v1"}, []any{}, []any{"v1", "v1"}, nil)
		}},
		{"accepted names", func(m *mutator) {
			object(m.crd, "status")["acceptedNames"] = map[string]any{"plural": pick(m.generator, "a", "A"), "kind": "K", "listKind": pick(m.generator, "K", "L")}
		}},
		{"a wrong kind", func(m *mutator) {
			at := pick(m.generator, m.crd, m.spec(), m.version(), m.node(),
				object(m.spec(), "names"))
			if keys := slices.Sorted(maps.Keys(at)); len(keys) > 0 {
				m.set(at, pick(m.generator, keys...), int64(1), "x", true, []any{},
					map[string]any{}, nil, 1.5)
			}
		}},
		{"an unknown field", func(m *mutator) {
			pick(m.generator, m.crd, m.spec(), m.version(), m.node(), object(m.spec(), "names"))[pick(m.generator, "bogus", "Kind", "openAPIV3Schema")] = int64(1)
		}},
	}
}

func deepCopy(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = deepCopy(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = deepCopy(x)
		}
		return out
	default:
		return value
	}
}
