package differential

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

// Source makes a case of an op. It returns false if it could not.
type Source func(ctx context.Context, r *rand.Rand) (Case, bool)

// sources makes cases from random schemas and, if there are definitions, from
// those.
type sources struct {
	real   Respondent // judges which definitions are good
	corpus []Definition
}

// Sources returns the sources of all ops by name. If the corpus is not empty,
// half of the cases are made from it.
func Sources(real Respondent, corpus []Definition) map[string]Source {
	s := &sources{real: real, corpus: corpus}
	return map[string]Source{
		protocol.OpStructural: s.structural,
		protocol.OpPrune:      s.prune,
		protocol.OpDefault:    s.applyDefaults,
		protocol.OpValidate:   s.validate,
		protocol.OpCEL:        s.cel,
		protocol.OpCost:       s.cost,
		protocol.OpCRD:        s.crd,
		protocol.OpAdmit:      s.admit,
		protocol.OpConvert:    s.convert,
		protocol.OpSort:       s.sort,
		protocol.OpTable:      s.table,
		protocol.OpStore:      s.store,
		protocol.OpRead:       s.read,
	}
}

// Ops returns the ops that have a source. Writes have none: their vectors and
// the comparison over HTTP judge them.
func Ops() []string {
	all := Sources(nil, nil)
	return slices.DeleteFunc(protocol.Ops(), func(op string) bool { return all[op] == nil })
}

// schema is a schema as decoded JSON, and what objects are made from: nil if it
// does not convert, so that they have any value.
type schema struct {
	document map[string]any
	model    *structural.Schema
}

// newSchema converts a schema.
func newSchema(document map[string]any) schema {
	model, err := structural.FromMap(document)
	if err != nil {
		return schema{document, nil}
	}
	return schema{document, model}
}

// schema returns a schema, generated or real.
func (s *sources) schema(r *rand.Rand, config generate.SchemaConfig) schema {
	if len(s.corpus) > 0 && r.IntN(2) == 0 {
		d := s.corpus[r.IntN(len(s.corpus))]
		if v := d.Versions[r.IntN(len(d.Versions))]; v.schema.document != nil {
			return v.schema
		}
	}
	document := generate.Schema(r, config)
	if config.Rules > 0 {
		enrich(r, document)
	}
	return newSchema(document)
}

// object makes an object of any kind for a schema.
func object(r *rand.Rand, schema *structural.Schema) any {
	switch r.IntN(6) {
	case 0:
		return generate.Object(r, schema)
	case 1:
		return generate.Boundary(r, schema)
	case 2:
		broken, _, _ := generate.Broken(r, schema)
		return broken
	case 3:
		return generate.Mutate(r, generate.Object(r, schema))
	}
	return generate.Wild(r, schema)
}

// metadataNames are fields of metadata, one of them unknown.
var metadataNames = []string{
	"labels", "annotations", "finalizers", "ownerReferences", "generateName", "name", "unknown",
}

// resource makes an object with the fields that every resource has.
func resource(r *rand.Rand, schema *structural.Schema, apiVersion, kind string) map[string]any {
	object, ok := object(r, schema).(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	object["apiVersion"], object["kind"] = apiVersion, kind
	metadata, ok := object["metadata"].(map[string]any)
	if !ok || r.IntN(3) > 0 {
		metadata = map[string]any{}
	}
	metadata["name"] = "name"
	if r.IntN(2) == 0 {
		metadata["namespace"] = "namespace"
	}
	if r.IntN(8) == 0 {
		name := metadataNames[r.IntN(len(metadataNames))]
		metadata[name] = generate.Wild(r, nil)
	}
	object["metadata"] = metadata
	return object
}

// spelled sends some documents as text, some of them in unusual spellings.
func spelled(r *rand.Rand, v any) any {
	switch r.IntN(12) {
	case 0:
		return asYAML(v)
	case 1:
		return asText(v)
	case 2, 3:
		return mangled(r, v)
	case 4:
		return mangledYAML(r, v)
	}
	return v
}

func (s *sources) structural(_ context.Context, r *rand.Rand) (Case, bool) {
	schema := any(s.schema(r, generate.SchemaConfig{Flaws: 0.15, Rules: 0.05}).document)
	if r.IntN(4) == 0 {
		schema = generate.Mutate(r, schema)
	}
	inputs := map[string]any{"schema": spelled(r, schema)}
	return Case{Op: protocol.OpStructural, Inputs: inputs}, true
}

func (s *sources) prune(_ context.Context, r *rand.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Flaws: 0.01})
	input := spelled(r, object(r, schema.model))
	inputs := map[string]any{"schema": schema.document, "object": input}
	return Case{Op: protocol.OpPrune, Inputs: inputs}, true
}

func (s *sources) applyDefaults(_ context.Context, r *rand.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Flaws: 0.01})
	input := spelled(r, object(r, schema.model))
	inputs := map[string]any{"schema": schema.document, "object": input}
	return Case{Op: protocol.OpDefault, Inputs: inputs}, true
}

func (s *sources) validate(_ context.Context, r *rand.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Flaws: 0.005})
	inputs := map[string]any{"schema": schema.document, "object": object(r, schema.model)}
	if r.IntN(2) == 0 {
		inputs["old"] = inputs["object"]
		inputs["object"] = generate.Update(r, schema.model, inputs["old"])
	}
	return Case{Op: protocol.OpValidate, Inputs: inputs}, true
}

func (s *sources) cel(_ context.Context, r *rand.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Rules: 0.35})
	inputs := map[string]any{"schema": schema.document, "object": object(r, schema.model)}
	if r.IntN(2) == 0 {
		inputs["old"] = inputs["object"]
		inputs["object"] = generate.Update(r, schema.model, inputs["old"])
	}
	if r.IntN(20) == 0 {
		inputs["perCallLimit"] = int64(r.IntN(20))
	}
	return Case{Op: protocol.OpCEL, Inputs: inputs}, true
}

func (s *sources) cost(_ context.Context, r *rand.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Rules: 0.5, Flaws: 0.01})
	return Case{Op: protocol.OpCost, Inputs: map[string]any{"schema": schema.document}}, true
}

func (s *sources) sort(_ context.Context, r *rand.Rand) (Case, bool) {
	pool := []any{
		"v1", "v2", "v10", "v1beta1", "v1alpha1", "v2beta3", "v11alpha2", "foo1", "foo10",
		"V1", "", "v1beta", "v0", "v1gamma1", "v99999999999999999999",
	}
	list := []any{}
	for _, v := range pool {
		if r.IntN(2) == 0 {
			list = append(list, v)
		}
	}
	for i := range list {
		j := r.IntN(i + 1)
		list[i], list[j] = list[j], list[i]
	}
	return Case{Op: protocol.OpSort, Inputs: map[string]any{"names": list}}, true
}
