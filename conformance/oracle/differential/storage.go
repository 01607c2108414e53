package differential

import (
	"context"
	"math/rand/v2"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
)

// kept makes a definition, one of its versions, and an object of another one or
// the same. There is none for an object that looks like a list.
func (s *sources) kept(ctx context.Context, r *rand.Rand) (
	d Definition, version Version, object map[string]any, ok bool,
) {
	d, ok = s.definition(r, generate.DefinitionConfig{})
	if !ok || !s.good(ctx, d) {
		return d, version, nil, false
	}
	version = d.Versions[r.IntN(len(d.Versions))]
	from := d.Versions[r.IntN(len(d.Versions))]
	object = resource(r, from.schema.model, d.Group+"/"+from.Name, d.Kind)
	if r.IntN(4) == 0 {
		if changed, isObject := generate.Mutate(r, object).(map[string]any); isObject {
			object = changed
		}
		object["apiVersion"], object["kind"] = d.Group+"/"+from.Name, d.Kind
	}
	return d, version, object, jsonvalue.At(object, "items") == nil
}

// store makes objects of any version.
func (s *sources) store(ctx context.Context, r *rand.Rand) (Case, bool) {
	d, version, object, ok := s.kept(ctx, r)
	if !version.Served || len(object) == 0 {
		return Case{}, false
	}
	object["apiVersion"] = d.Group + "/" + version.Name
	return Case{
		Op: protocol.OpStore, Inputs: map[string]any{"crd": d.Object, "object": object},
	}, ok
}

// read makes objects as they were stored under any version.
func (s *sources) read(ctx context.Context, r *rand.Rand) (Case, bool) {
	d, version, object, ok := s.kept(ctx, r)
	if metadata, has := object["metadata"].(map[string]any); has {
		metadata["resourceVersion"], metadata["uid"] = "5", "u-1"
	}
	return Case{
		Op:     protocol.OpRead,
		Inputs: map[string]any{"crd": d.Object, "version": version.Name, "object": object},
	}, ok && version.Served
}
