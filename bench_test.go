package crdsem_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/structural/normalize"
)

// steps is what the decode step does of a schema.
const steps = normalize.Prune | normalize.ResourceRoot | normalize.DropNulls | normalize.CoerceMetadata | normalize.Default

// real is a real object that its definition admits.
type real struct {
	version *crdsem.Version
	json    []byte
	object  map[string]any // as decoded
	stored  map[string]any // as admitted, with what a server adds
	touched map[string]any // stored with one label more
	clean   map[string]any // as decoded by the server
}

// corpus returns the real objects that are admitted; the benchmark is skipped where there are none.
func corpus(b *testing.B) []real {
	b.Helper()
	root := os.Getenv("CRDSEM_CORPUS")
	if root == "" {
		root = filepath.Join("..", "shared", "corpus")
	}
	lists, _ := filepath.Glob(filepath.Join(root, "*", "UPSTREAM.tsv"))
	if len(lists) == 0 {
		b.Skip("no corpus here")
	}
	definitions := map[string]*crdsem.Definition{}
	var out []real
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			b.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
			if !strings.HasPrefix(cells[0], "objects/") || cells[3] != "valid" {
				continue
			}
			if r, ok := readReal(b, definitions, filepath.Dir(list), cells); ok {
				out = append(out, r)
			}
		}
	}
	return out
}

func readReal(b *testing.B, definitions map[string]*crdsem.Definition, dir string, cells []string) (real, bool) {
	b.Helper()
	file := filepath.Join(dir, cells[1])
	def := definitions[file]
	if def == nil {
		crd, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if def, err = crdsem.Parse(crd); err != nil {
			b.Fatalf("%s: %v", file, err)
		}
		definitions[file] = def
	}
	version, err := def.Version(cells[2])
	if err != nil {
		return real{}, false
	}
	text, err := os.ReadFile(filepath.Join(dir, cells[0]))
	if err != nil {
		b.Fatal(err)
	}
	object, _, err := unstructured.DecodeObject(text)
	if err != nil {
		return real{}, false
	}
	json, err := unstructured.EncodeJSON(object)
	if err != nil {
		return real{}, false
	}
	result := version.Create(context.Background(), object)
	clean, _, bad := normalize.Copy(object, version.Schema(), steps)
	r := real{version: version, json: json, object: object, clean: clean}
	if !result.Admitted() || bad != nil {
		return r, false
	}
	r.stored = with(unstructured.DeepCopyMap(result.Object), map[string]any{
		"uid": "a6b1", "resourceVersion": "1", "creationTimestamp": "1970-01-01T00:00:01Z",
	})
	r.touched = with(unstructured.DeepCopyMap(r.stored), map[string]any{"labels": map[string]any{"touched": "yes"}})
	return r, true
}

// BenchmarkParallel judges updates from as many goroutines as there are processors: all by one compiled version, and each object of the corpus by its
// own. Compare -cpu 1,2: an operation is an update, so that twice the processors should take half the time for one.
func BenchmarkParallel(b *testing.B) {
	all := corpus(b)
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

// BenchmarkCorpus measures every stage over all admitted real objects, beside its floors: an iteration is the whole corpus.
func BenchmarkCorpus(b *testing.B) {
	objects := corpus(b)
	ctx := context.Background()
	for _, stage := range []struct {
		name string
		run  func(*real) bool
	}{
		{"floor/copy", func(r *real) bool { return unstructured.DeepCopyMap(r.stored) != nil }},
		{"floor/decode", func(r *real) bool { _, _, err := unstructured.DecodeJSON(r.json); return err == nil }},
		{"check", func(r *real) bool { return unstructured.Check(r.stored) == nil }},
		{"normalize/clean", func(r *real) bool {
			_, changes, err := normalize.Copy(r.clean, r.version.Schema(), steps)
			return err == nil && len(changes) == 0
		}},
		{"normalize/asWritten", func(r *real) bool {
			_, _, err := normalize.Copy(r.object, r.version.Schema(), steps)
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
