package differential

import (
	"context"

	"github.com/crdsem/crdsem/generate"
	"github.com/crdsem/crdsem/internal/protocol"
)

// Source makes a case of an op. It returns false where it made none.
type Source func(ctx context.Context, r *generate.Rand) (Case, bool)

// sources makes cases from nothing and, where there are definitions, from those.
type sources struct {
	real   protocol.Handler // says which definitions are good
	corpus []Definition
}

// Sources returns the sources of all ops by name. Half of the cases are made of the
// corpus where it is not empty.
func Sources(real protocol.Handler, corpus []Definition) map[string]Source {
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
	}
}

// schema returns a schema, generated or real.
func (s *sources) schema(r *generate.Rand, config generate.SchemaConfig) map[string]any {
	if len(s.corpus) > 0 && r.Intn(2) == 0 {
		d := s.corpus[r.Intn(len(s.corpus))]
		if v := d.Versions[r.Intn(len(d.Versions))]; v.Schema != nil {
			return v.Schema
		}
	}
	return generate.Schema(r, config)
}

// object makes an object of any kind for a schema.
func object(r *generate.Rand, schema map[string]any) any {
	switch r.Intn(6) {
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

// resource makes an object that has what every resource has.
func resource(r *generate.Rand, schema map[string]any, apiVersion, kind string) map[string]any {
	object, ok := object(r, schema).(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	object["apiVersion"], object["kind"] = apiVersion, kind
	metadata, ok := object["metadata"].(map[string]any)
	if !ok || r.Intn(3) > 0 {
		metadata = map[string]any{}
	}
	metadata["name"] = "name"
	if r.Intn(2) == 0 {
		metadata["namespace"] = "namespace"
	}
	if r.Intn(8) == 0 {
		metadata[[]string{"labels", "annotations", "finalizers", "ownerReferences", "generateName", "name", "unknown"}[r.Intn(7)]] = generate.Value(r)
	}
	object["metadata"] = metadata
	return object
}

// spelled sends some documents as text, some of those spelled in odd ways.
func spelled(r *generate.Rand, v any) any {
	switch r.Intn(12) {
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

func (s *sources) structural(_ context.Context, r *generate.Rand) (Case, bool) {
	schema := any(s.schema(r, generate.SchemaConfig{Flaws: 0.15, Rules: 0.05}))
	if r.Intn(4) == 0 {
		schema = generate.Mutate(r, schema)
	}
	return Case{protocol.OpStructural, map[string]any{"schema": spelled(r, schema)}}, true
}

func (s *sources) prune(_ context.Context, r *generate.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Flaws: 0.01})
	return Case{protocol.OpPrune, map[string]any{"schema": schema, "object": spelled(r, object(r, schema))}}, true
}

func (s *sources) applyDefaults(_ context.Context, r *generate.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Flaws: 0.01})
	return Case{protocol.OpDefault, map[string]any{"schema": schema, "object": spelled(r, object(r, schema))}}, true
}

func (s *sources) validate(_ context.Context, r *generate.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Flaws: 0.005})
	inputs := map[string]any{"schema": schema, "object": object(r, schema)}
	if r.Intn(2) == 0 {
		inputs["old"] = inputs["object"]
		inputs["object"] = generate.Update(r, schema, inputs["old"])
	}
	return Case{protocol.OpValidate, inputs}, true
}

func (s *sources) cel(_ context.Context, r *generate.Rand) (Case, bool) {
	schema := s.schema(r, generate.SchemaConfig{Rules: 0.35})
	inputs := map[string]any{"schema": schema, "object": object(r, schema)}
	if r.Intn(2) == 0 {
		inputs["old"] = inputs["object"]
		inputs["object"] = generate.Update(r, schema, inputs["old"])
	}
	if r.Intn(20) == 0 {
		inputs["perCallLimit"] = int64(r.Intn(20))
	}
	return Case{protocol.OpCEL, inputs}, true
}

func (s *sources) cost(_ context.Context, r *generate.Rand) (Case, bool) {
	return Case{protocol.OpCost, map[string]any{"schema": s.schema(r, generate.SchemaConfig{Rules: 0.5, Flaws: 0.01})}}, true
}

func (s *sources) sort(_ context.Context, r *generate.Rand) (Case, bool) {
	pool := []any{"v1", "v2", "v10", "v1beta1", "v1alpha1", "v2beta3", "v11alpha2", "foo1", "foo10", "V1", "", "v1beta", "v0", "v1gamma1", "v99999999999999999999"}
	list := []any{}
	for _, v := range pool {
		if r.Intn(2) == 0 {
			list = append(list, v)
		}
	}
	for i := range list {
		j := r.Intn(i + 1)
		list[i], list[j] = list[j], list[i]
	}
	return Case{protocol.OpSort, map[string]any{"names": list}}, true
}
