package generate

// DefinitionConfig says what definitions to make.
type DefinitionConfig struct {
	// Schema says what the schemas of its versions are like.
	Schema SchemaConfig
	// Flaws is the probability that the definition itself has a flaw.
	Flaws float64
}

// Definition makes a CustomResourceDefinition: group example.com, kind Foo, one to
// three versions, with the subresources, columns, selectable fields and conversion
// that a definition may have.
func Definition(r *Rand, config DefinitionConfig) map[string]any {
	d := &definitions{r: r, config: config}
	spec := node{
		"group": "example.com",
		"scope": pick(r, "Namespaced", "Namespaced", "Cluster"),
		"names": d.names(),
	}
	spec["versions"] = d.versions()
	d.addConversion(spec)
	if r.chance(0.05) {
		spec["preserveUnknownFields"] = false
	}
	crd := node{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   node{"name": "foos.example.com"},
		"spec":       spec,
	}
	if r.chance(config.Flaws) {
		d.addFlaw(crd, spec)
	}
	return crd
}

// definitions makes the parts of one definition.
type definitions struct {
	r      *Rand
	config DefinitionConfig
}

func (d *definitions) names() node {
	n := node{"plural": "foos", "kind": "Foo"}
	if d.r.chance(0.5) {
		n["singular"] = "foo"
		n["listKind"] = "FooList"
	}
	if d.r.chance(0.2) {
		n["shortNames"] = []any{"fo"}
	}
	if d.r.chance(0.1) {
		n["categories"] = []any{"all"}
	}
	return n
}

func (d *definitions) versions() []any {
	all := []string{"v1", "v1beta1", "v2", "v2alpha1"}
	d.r.src.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	total := pick(d.r, 1, 1, 1, 2, 3)
	stored := d.r.Intn(total)
	shared := Schema(d.r, d.config.Schema)
	list := []any{}
	for i, name := range all[:total] {
		v := node{"name": name, "served": d.r.chance(0.9), "storage": i == stored}
		schema := shared
		if d.r.chance(0.5) {
			schema = Schema(d.r, d.config.Schema)
		}
		v["schema"] = node{"openAPIV3Schema": Clone(schema)}
		if d.r.chance(0.12) {
			v["deprecated"] = true
			if d.r.chance(0.5) {
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

func (d *definitions) addSubresources(v node) {
	sub := node{}
	if d.r.chance(0.4) {
		sub["status"] = node{}
	}
	if d.r.chance(0.15) {
		scale := node{"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
		if d.r.chance(0.3) {
			scale["labelSelectorPath"] = ".status.selector"
		}
		sub["scale"] = scale
	}
	if len(sub) > 0 {
		v["subresources"] = sub
	}
}

func (d *definitions) addColumns(v node) {
	if !d.r.chance(0.2) {
		return
	}
	v["additionalPrinterColumns"] = []any{node{
		"name":     "Age",
		"type":     pick(d.r, "date", "string", "integer"),
		"jsonPath": pick(d.r, ".metadata.creationTimestamp", ".spec.a", `.spec.items[?(@.name=="a")].value`),
	}}
}

// addSelectableFields selects scalar properties of the spec.
func (d *definitions) addSelectableFields(v, schema node) {
	if !d.r.chance(0.15) {
		return
	}
	properties, _ := schema["properties"].(node)
	spec, _ := properties["spec"].(node)
	inner, _ := spec["properties"].(node)
	var fields []any
	for _, name := range names(inner) {
		if d.r.chance(0.4) {
			fields = append(fields, node{"jsonPath": ".spec." + name})
		}
	}
	if len(fields) > 0 {
		v["selectableFields"] = fields
	}
}

func (d *definitions) addConversion(spec node) {
	switch d.r.Intn(10) {
	case 0, 1:
		spec["conversion"] = node{"strategy": "None"}
	case 2:
		spec["conversion"] = node{"strategy": "Webhook", "webhook": node{
			"conversionReviewVersions": []any{"v1"},
			"clientConfig":             node{"url": "https://example.com/convert"},
		}}
	}
}

// addFlaw breaks something about a definition.
func (d *definitions) addFlaw(crd, spec node) {
	versions, _ := spec["versions"].([]any)
	first, _ := versions[0].(node)
	naming, _ := spec["names"].(node)
	metadata, _ := crd["metadata"].(node)
	flaws := []func(){
		func() { metadata["name"] = pick(d.r, "foos", "Foos.example.com", "") },
		func() { metadata["namespace"] = "a" },
		func() { metadata["labels"] = node{"a b": "c d"} },
		func() { metadata["annotations"] = node{"api-approved.kubernetes.io": "x"} },
		func() {
			spec["group"], metadata["name"] = pick(d.r, "example", "Example.com", "x.k8s.io", ""), "foos.x.k8s.io"
		},
		func() { spec["scope"] = pick[any](d.r, "", "Other", int64(1)) },
		func() { naming["plural"] = pick(d.r, "Foos", "", "foo_s") },
		func() { naming["kind"] = pick(d.r, "foo bar", "", "FooList") },
		func() { naming["listKind"] = pick(d.r, "Foo", "foo list") },
		func() { naming["shortNames"] = []any{"A", ""} },
		func() { naming["categories"] = []any{"all all"} },
		func() { spec["versions"] = []any{} },
		func() { first["name"] = pick(d.r, "V1", "v1.1", "", "v1") },
		func() { first["storage"] = !(first["storage"] == true) },
		func() { delete(first, "schema") },
		func() { first["schema"] = pick[any](d.r, node{}, nil, node{"openAPIV3Schema": nil}) },
		func() { first["deprecationWarning"] = pick(d.r, "x", "", "a\nb") },
		func() {
			first["subresources"] = node{"scale": node{"specReplicasPath": pick(d.r, "", "spec", ".spec.a[0]", ".status.a"), "statusReplicasPath": ".spec.x", "labelSelectorPath": "x"}}
		},
		func() {
			first["additionalPrinterColumns"] = []any{node{"name": "", "type": "other", "format": "other", "jsonPath": "{.a"}}
		},
		func() {
			first["selectableFields"] = []any{node{"jsonPath": pick(d.r, "", ".metadata.name", ".spec.nope", "spec")}, node{"jsonPath": ".spec.nope"}}
		},
		func() { spec["preserveUnknownFields"] = true },
		func() { spec["conversion"] = node{"strategy": pick(d.r, "", "Other", "Webhook")} },
		func() {
			spec["conversion"] = node{"strategy": "Webhook", "webhook": node{"conversionReviewVersions": []any{pick(d.r, "v3", "", "v1"), "v1"},
				"clientConfig": node{"url": pick(d.r, "http://a", "x", "https://u@a/?b#c"), "service": node{"name": "", "namespace": "n", "port": int64(0), "path": "x//y"}}}}
		},
		func() { spec["unknownField"] = true },
		func() { crd["status"] = node{"storedVersions": []any{"v9"}} },
		func() { crd["apiVersion"] = pick(d.r, "apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v2", "") },
	}
	flaws[d.r.Intn(len(flaws))]()
}
