package generate

import (
	"math/rand/v2"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// DefinitionConfig selects what definitions to make.
type DefinitionConfig struct {
	// Schema selects what the schemas of the versions are like.
	Schema SchemaConfig
	// Flaws is the probability that the definition itself has a flaw.
	Flaws float64
}

// Definition makes a CustomResourceDefinition: group example.com, kind Foo, one
// to three versions, with the subresources, columns, selectable fields and
// conversion that a definition may have.
func Definition(r *rand.Rand, config DefinitionConfig) map[string]any {
	d := &definitionWriter{r: r, config: config}
	spec := node{
		"group": "example.com",
		"scope": objectgen.Pick(r, "Namespaced", "Namespaced", "Cluster"),
		"names": d.names(),
	}
	spec["versions"] = d.versions()
	d.addConversion(spec)
	if objectgen.Chance(r, 0.05) {
		spec["preserveUnknownFields"] = false
	}
	crd := node{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   node{"name": "foos.example.com"},
		"spec":       spec,
	}
	if objectgen.Chance(r, config.Flaws) {
		d.addFlaw(crd, spec)
	}
	return crd
}

// definitionWriter writes the parts of one definition.
type definitionWriter struct {
	r      *rand.Rand
	config DefinitionConfig
}

func (d *definitionWriter) names() node {
	n := node{"plural": "foos", "kind": "Foo"}
	if d.chance(0.5) {
		n["singular"] = "foo"
		n["listKind"] = "FooList"
	}
	if d.chance(0.2) {
		n["shortNames"] = []any{"fo"}
	}
	if d.chance(0.1) {
		n["categories"] = []any{"all"}
	}
	return n
}

func (d *definitionWriter) versions() []any {
	all := []string{"v1", "v1beta1", "v2", "v2alpha1"}
	d.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	total := objectgen.Pick(d.r, 1, 1, 1, 2, 3)
	stored := d.r.IntN(total)
	shared := Schema(d.r, d.config.Schema)
	list := []any{}
	for i, name := range all[:total] {
		v := node{"name": name, "served": d.chance(0.9), "storage": i == stored}
		schema := shared
		if d.chance(0.5) {
			schema = Schema(d.r, d.config.Schema)
		}
		v["schema"] = node{"openAPIV3Schema": jsonvalue.DeepCopy(schema)}
		if d.chance(0.12) {
			v["deprecated"] = true
			if d.chance(0.5) {
				v["deprecationWarning"] = "do not use"
			}
		}
		d.addSubresources(v)
		d.addColumns(v)
		d.addSelectableFields(v, schema)
		list = append(list, v)
	}
	return list
}

func (d *definitionWriter) addSubresources(v node) {
	sub := node{}
	if d.chance(0.4) {
		sub["status"] = node{}
	}
	if d.chance(0.15) {
		scale := node{
			"specReplicasPath":   ".spec.replicas",
			"statusReplicasPath": ".status.replicas",
		}
		if d.chance(0.3) {
			scale["labelSelectorPath"] = ".status.selector"
		}
		sub["scale"] = scale
	}
	if len(sub) > 0 {
		v["subresources"] = sub
	}
}

func (d *definitionWriter) addColumns(v node) {
	if !d.chance(0.2) {
		return
	}
	v["additionalPrinterColumns"] = []any{node{
		"name": "Age",
		"type": objectgen.Pick(d.r, "date", "string", "integer"),
		"jsonPath": objectgen.Pick(d.r,
			".metadata.creationTimestamp", ".spec.a", `.spec.items[?(@.name=="a")].value`),
	}}
}

// addSelectableFields selects scalar properties of the spec.
func (d *definitionWriter) addSelectableFields(v, schema node) {
	if !d.chance(0.15) {
		return
	}
	properties, _ := schema["properties"].(node)
	spec, _ := properties["spec"].(node)
	inner, _ := spec["properties"].(node)
	var fields []any
	for _, name := range jsonvalue.SortedKeys(inner) {
		if d.chance(0.4) {
			fields = append(fields, node{"jsonPath": ".spec." + name})
		}
	}
	if len(fields) > 0 {
		v["selectableFields"] = fields
	}
}

func (d *definitionWriter) addConversion(spec node) {
	switch d.r.IntN(10) {
	case 0, 1:
		spec["conversion"] = node{"strategy": "None"}
	case 2:
		spec["conversion"] = node{"strategy": "Webhook", "webhook": node{
			"conversionReviewVersions": []any{"v1"},
			"clientConfig":             node{"url": "https://example.com/convert"},
		}}
	}
}

// addFlaw gives a definition a flaw.
func (d *definitionWriter) addFlaw(crd, spec node) {
	versions, _ := spec["versions"].([]any)
	first, _ := versions[0].(node)
	naming, _ := spec["names"].(node)
	metadata, _ := crd["metadata"].(node)
	flaws := []func(){
		func() { metadata["name"] = objectgen.Pick(d.r, "foos", "Foos.example.com", "") },
		func() { metadata["namespace"] = "a" },
		func() { metadata["labels"] = node{"a b": "c d"} },
		func() { metadata["annotations"] = node{"api-approved.kubernetes.io": "x"} },
		func() {
			spec["group"] = objectgen.Pick(d.r, "example", "Example.com", "x.k8s.io", "")
			metadata["name"] = "foos.x.k8s.io"
		},
		func() { spec["scope"] = objectgen.Pick[any](d.r, "", "Other", int64(1)) },
		func() { naming["plural"] = objectgen.Pick(d.r, "Foos", "", "foo_s") },
		func() { naming["kind"] = objectgen.Pick(d.r, "foo bar", "", "FooList") },
		func() { naming["listKind"] = objectgen.Pick(d.r, "Foo", "foo list") },
		func() { naming["shortNames"] = []any{"A", ""} },
		func() { naming["categories"] = []any{"all all"} },
		func() { spec["versions"] = []any{} },
		func() { first["name"] = objectgen.Pick(d.r, "V1", "v1.1", "", "v1") },
		func() { first["storage"] = !(first["storage"] == true) },
		func() { delete(first, "schema") },
		func() {
			empty := node{"openAPIV3Schema": nil}
			first["schema"] = objectgen.Pick[any](d.r, node{}, nil, empty)
		},
		func() { first["deprecationWarning"] = objectgen.Pick(d.r, "x", "", "a\nb") },
		func() {
			first["subresources"] = node{"scale": node{
				"specReplicasPath":   objectgen.Pick(d.r, "", "spec", ".spec.a[0]", ".status.a"),
				"statusReplicasPath": ".spec.x",
				"labelSelectorPath":  "x",
			}}
		},
		func() {
			first["additionalPrinterColumns"] = []any{node{
				"name": "", "type": "other", "format": "other", "jsonPath": "{.a",
			}}
		},
		func() {
			first["selectableFields"] = []any{
				node{"jsonPath": objectgen.Pick(d.r, "", ".metadata.name", ".spec.nope", "spec")},
				node{"jsonPath": ".spec.nope"},
			}
		},
		func() { spec["preserveUnknownFields"] = true },
		func() {
			spec["conversion"] = node{"strategy": objectgen.Pick(d.r, "", "Other", "Webhook")}
		},
		func() { spec["conversion"] = d.flawedWebhook() },
		func() { spec["unknownField"] = true },
		func() { crd["status"] = node{"storedVersions": []any{"v9"}} },
		func() {
			crd["apiVersion"] = objectgen.Pick(d.r,
				"apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v2", "")
		},
	}
	flaws[d.r.IntN(len(flaws))]()
}

// flawedWebhook makes a conversion that the API server rejects.
func (d *definitionWriter) flawedWebhook() node {
	reviews := []any{objectgen.Pick(d.r, "v3", "", "v1"), "v1"}
	return node{"strategy": "Webhook", "webhook": node{
		"conversionReviewVersions": reviews,
		"clientConfig": node{
			"url": objectgen.Pick(d.r, "http://a", "x", "https://u@a/?b#c"),
			"service": node{
				"name": "", "namespace": "n", "port": int64(0), "path": "x//y",
			},
		},
	}}
}

func (d *definitionWriter) chance(p float64) bool { return objectgen.Chance(d.r, p) }
