package differential

import (
	"context"
	"math/rand/v2"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
)

// Definition is a definition with the parts that cases need.
type Definition struct {
	Object   map[string]any
	Group    string
	Kind     string
	Versions []Version
	// Objects are real objects of it.
	Objects []map[string]any
	// Good reports whether the API server accepts the definition.
	Good bool
}

// Version is a version of a definition.
type Version struct {
	Name   string
	Served bool
	Status bool
	schema schema // without a schema its document is nil
}

// Describe extracts the parts that cases need from a definition; ok is false if
// one is missing.
func Describe(crd map[string]any) (d Definition, ok bool) {
	d.Object = crd
	d.Group, _ = jsonvalue.At(crd, "spec", "group").(string)
	d.Kind, _ = jsonvalue.At(crd, "spec", "names", "kind").(string)
	versions, _ := jsonvalue.At(crd, "spec", "versions").([]any)
	for _, item := range versions {
		var v Version
		v.Name, _ = jsonvalue.At(item, "name").(string)
		v.Served, _ = jsonvalue.At(item, "served").(bool)
		if document, ok := jsonvalue.At(item, "schema", "openAPIV3Schema").(map[string]any); ok {
			v.schema = newSchema(document)
		}
		v.Status = jsonvalue.At(item, "subresources", "status") != nil
		d.Versions = append(d.Versions, v)
	}
	return d, d.Group != "" && d.Kind != "" && len(d.Versions) > 0
}

// definition returns a definition, generated or real.
func (s *sources) definition(r *rand.Rand, config generate.DefinitionConfig) (Definition, bool) {
	if len(s.corpus) > 0 && r.IntN(2) == 0 {
		return s.corpus[r.IntN(len(s.corpus))], true
	}
	document := generate.Definition(r, config)
	versions, _ := jsonvalue.At(document, "spec", "versions").([]any)
	for _, v := range versions {
		enrich(r, jsonvalue.At(v, "schema", "openAPIV3Schema"))
	}
	return Describe(document)
}

func (s *sources) crd(_ context.Context, r *rand.Rand) (Case, bool) {
	d, ok := s.definition(r, generate.DefinitionConfig{
		Schema: generate.SchemaConfig{Flaws: 0.04, Rules: 0.1},
		Flaws:  0.4,
	})
	if !ok {
		return Case{}, false
	}
	crd := any(d.Object)
	if r.IntN(3) == 0 {
		crd = generate.Mutate(r, crd)
	}
	inputs := map[string]any{"crd": crd}
	if r.IntN(3) == 0 {
		inputs["old"] = stored(crd)
		inputs["crd"] = stored(generate.Mutate(r, crd))
	}
	for name := range inputs {
		inputs[name] = spelled(r, inputs[name])
	}
	return Case{Op: protocol.OpCRD, Inputs: inputs}, true
}

// stored returns a document with a resourceVersion.
func stored(v any) any {
	v = jsonvalue.DeepCopy(v)
	if metadata, ok := jsonvalue.At(v, "metadata").(map[string]any); ok {
		metadata["resourceVersion"] = "1"
	}
	return v
}

// good reports whether the API server accepts a definition.
func (s *sources) good(ctx context.Context, d Definition) bool {
	return d.Good || accepts(ctx, s.real, d.Object)
}

func (s *sources) admit(ctx context.Context, r *rand.Rand) (Case, bool) {
	d, ok := s.definition(r, generate.DefinitionConfig{Schema: generate.SchemaConfig{Rules: 0.1}})
	if !ok || !s.good(ctx, d) {
		return Case{}, false
	}
	version := d.Versions[r.IntN(len(d.Versions))]
	if !version.Served {
		return Case{}, false
	}
	apiVersion := d.Group + "/" + version.Name
	object := resource(r, version.schema.model, apiVersion, d.Kind)
	if len(d.Objects) > 0 && r.IntN(3) > 0 {
		object, _ = generate.Mutate(r, d.Objects[r.IntN(len(d.Objects))]).(map[string]any)
		object["apiVersion"] = apiVersion
	}
	inputs := map[string]any{"crd": d.Object, "version": version.Name, "object": object}
	switch r.IntN(4) {
	case 0:
		inputs["fieldValidation"] = []any{"Strict", "Warn", "Ignore"}[r.IntN(3)]
	case 1, 2:
		s.addOld(r, d, version, inputs)
	}
	inputs["object"] = spelled(r, inputs["object"])
	return Case{Op: protocol.OpAdmit, Inputs: inputs}, true
}

// addOld makes a request an update.
func (s *sources) addOld(r *rand.Rand, d Definition, version Version, inputs map[string]any) {
	old, _ := jsonvalue.DeepCopy(inputs["object"]).(map[string]any)
	if metadata, ok := old["metadata"].(map[string]any); ok {
		metadata["resourceVersion"] = "5" // as in every stored object
		if r.IntN(2) == 0 {
			metadata["uid"], metadata["generation"] = "u-1", int64(3)
		}
	}
	other := d.Versions[r.IntN(len(d.Versions))]
	if r.IntN(3) == 0 {
		old["apiVersion"] = d.Group + "/" + other.Name
	} else {
		old["apiVersion"] = d.Group + "/" + version.Name
	}
	old["kind"] = d.Kind
	object, _ := generate.Update(r, version.schema.model, old).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	object["apiVersion"], object["kind"] = d.Group+"/"+version.Name, d.Kind
	if r.IntN(10) > 0 {
		object["metadata"] = jsonvalue.DeepCopy(old["metadata"])
	}
	inputs["object"], inputs["old"] = object, old
	if version.Status && r.IntN(2) == 0 {
		inputs["subresource"] = "status"
	}
}

func (s *sources) convert(ctx context.Context, r *rand.Rand) (Case, bool) {
	d, ok := s.definition(r, generate.DefinitionConfig{})
	if !ok || !s.good(ctx, d) {
		return Case{}, false
	}
	from := d.Versions[r.IntN(len(d.Versions))]
	to := d.Versions[r.IntN(len(d.Versions))]
	list := []any{}
	for range 1 + r.IntN(3) {
		var object any = resource(r, from.schema.model, d.Group+"/"+from.Name, d.Kind)
		if r.IntN(8) == 0 {
			object = generate.Mutate(r, object)
		}
		if jsonvalue.At(object, "items") != nil {
			continue // a list must have objects as items
		}
		list = append(list, object)
	}
	target := d.Group + "/" + to.Name
	if r.IntN(8) == 0 {
		target = []string{"", "v1", "a/b/c", "other/v1", d.Group + "/v9"}[r.IntN(5)]
	}
	return Case{
		Op:     protocol.OpConvert,
		Inputs: map[string]any{"crd": d.Object, "to": target, "objects": list},
	}, len(list) > 0
}
