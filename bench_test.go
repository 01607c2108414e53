package crdsem_test

import (
	"context"
	"maps"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/minors"
)

// steps is what the decode step does of a schema.
const steps = normalize.Prune | normalize.ResourceRoot | normalize.DropNulls |
	normalize.CoerceMetadata | normalize.Default

// real is a real object that its definition admits.
type real struct {
	version *crdsem.Version
	json    []byte
	object  map[string]any // as decoded
	stored  map[string]any // as admitted, with what a server adds
	touched map[string]any // stored with one label more
	clean   map[string]any // as decoded by the server
}

// realObjects returns the real objects that are admitted; the benchmark is
// skipped where there are none.
func realObjects(b *testing.B, options ...crdsem.DefinitionOption) (out []real) {
	b.Helper()
	definitions := map[string]*crdsem.Definition{}
	for _, file := range corpus.Definitions(b) {
		def, err := crdsem.Parse(file.Text, options...)
		if err != nil {
			b.Fatalf("%s: %v", file.Name(), err)
		}
		definitions[file.Path] = def
	}
	for _, o := range corpus.Objects(b) {
		if !o.Valid {
			continue
		}
		if r, ok := readReal(definitions[o.Definition], o); ok {
			out = append(out, r)
		}
	}
	return out
}

func readReal(def *crdsem.Definition, o corpus.Object) (real, bool) {
	version, err := def.Version(o.Version)
	if err != nil {
		return real{}, false
	}
	object, _, err := jsonvalue.DecodeObject(o.Text)
	if err != nil {
		return real{}, false
	}
	json, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return real{}, false
	}
	result := version.Create(context.Background(), object)
	clean, _, bad := normalize.Unlimited.Copy(object, version.Schema(), steps)
	r := real{version: version, json: json, object: object, clean: clean}
	if !result.Admitted() || bad != nil {
		return r, false
	}
	r.stored = with(jsonvalue.DeepCopyMap(result.Object), map[string]any{
		"uid": "a6b1", "resourceVersion": "1", "creationTimestamp": "1970-01-01T00:00:01Z",
	})
	r.touched = with(jsonvalue.DeepCopyMap(r.stored),
		map[string]any{"labels": map[string]any{"touched": "yes"}})
	return r, true
}

// BenchmarkParallel judges updates from as many goroutines as there are
// processors: all by one compiled version, and each object of the corpus by its
// own. Compare -cpu 1,2: an operation is an update, so that twice the
// processors should take half the time for one.
func BenchmarkParallel(b *testing.B) {
	all := realObjects(b)
	byVersion := map[*crdsem.Version][]real{}
	var most []real
	for _, r := range all {
		byVersion[r.version] = append(byVersion[r.version], r)
		if one := byVersion[r.version]; len(one) > len(most) {
			most = one
		}
	}
	for name, objects := range map[string][]real{"oneVersion": most, "allVersions": all} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				ctx := context.Background()
				for i := 0; pb.Next(); i++ {
					r := &objects[i%len(objects)]
					if !r.version.Update(ctx, r.touched, r.stored).Admitted() {
						b.Error("refused")
					}
				}
			})
		})
	}
}

// with adds metadata to an object, which is changed.
func with(object, metadata map[string]any) map[string]any {
	maps.Copy(object["metadata"].(map[string]any), metadata)
	return object
}

// BenchmarkCorpus measures every stage over all admitted real objects, and
// its floors. An iteration is the whole corpus.
func BenchmarkCorpus(b *testing.B) {
	objects := realObjects(b)
	ctx := context.Background()
	for _, stage := range []struct {
		name string
		run  func(*real) bool
	}{
		{"floor/copy", func(r *real) bool { return jsonvalue.DeepCopyMap(r.stored) != nil }},
		{"floor/decode", func(r *real) bool {
			_, _, err := jsonvalue.DecodeJSON(r.json)
			return err == nil
		}},
		{"check", func(r *real) bool { return jsonvalue.Check(r.stored) == nil }},
		{"normalize/clean", func(r *real) bool {
			_, changes, err := normalize.Unlimited.Copy(r.clean, r.version.Schema(), steps)
			return err == nil && len(changes.List) == 0
		}},
		{"normalize/asWritten", func(r *real) bool {
			_, _, err := normalize.Unlimited.Copy(r.object, r.version.Schema(), steps)
			return err == nil
		}},
		{"create", func(r *real) bool { return r.version.Create(ctx, r.object).Admitted() }},
		{"create/json", func(r *real) bool { return r.version.CreateBytes(ctx, r.json).Admitted() }},
		{"update/unchanged", func(r *real) bool { return r.version.Update(ctx, r.stored, r.stored).Admitted() }},
		{"update/oneField", func(r *real) bool { return r.version.Update(ctx, r.touched, r.stored).Admitted() }},
	} {
		b.Run(stage.name, func(b *testing.B) {
			b.ReportAllocs()
			failed := 0
			for b.Loop() {
				for i := range objects {
					if !stage.run(&objects[i]) {
						failed++
					}
				}
			}
			if failed > 0 {
				b.Errorf("%d of %d failed", failed, b.N*len(objects))
			}
		})
	}
}

// BenchmarkAdmissionByMinor creates the real objects that a minor admits. An
// iteration is all of them. An older minor should take at most 1.2 times as
// long as the newest.
func BenchmarkAdmissionByMinor(b *testing.B) {
	for _, minor := range minors.All() {
		b.Run(minor.String(), func(b *testing.B) {
			objects := realObjects(b, crdsem.Kubernetes(minor))
			b.ReportAllocs()
			b.ReportMetric(float64(len(objects)), "objects")
			for b.Loop() {
				for _, r := range objects {
					r.version.Create(b.Context(), r.object)
				}
			}
		})
	}
}
