package celrules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	realcel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/structural"
)

func crdSchemas(t testing.TB, file string) []corpus.Schema {
	t.Helper()
	var out []corpus.Schema
	for _, s := range corpus.Schemas(t) {
		if filepath.Base(s.Definition) == file {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no %s", file)
	}
	return out
}

// listeners makes a Gateway with a given number of listeners.
func listeners(n int) map[string]any {
	list := make([]any, n)
	for i := range list {
		list[i] = map[string]any{
			"name": fmt.Sprint("listener-", i), "hostname": fmt.Sprintf("host-%d.example.com", i),
			"port": int64(8000 + i), "protocol": "HTTPS",
			"tls": map[string]any{
				"mode":            "Terminate",
				"certificateRefs": []any{map[string]any{"kind": "Secret", "group": "", "name": fmt.Sprint("cert-", i)}},
			},
			"allowedRoutes": map[string]any{"namespaces": map[string]any{"from": "Same"}},
		}
	}
	return map[string]any{
		"apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway", "metadata": map[string]any{"name": "g"},
		"spec": map[string]any{"gatewayClassName": "c", "listeners": list},
	}
}

func benchmarkBoth(b *testing.B, both *both, objects []map[string]any) {
	b.Run("real", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, o := range objects {
				both.validator.Validate(context.Background(), nil, both.structural, o, nil, budget)
			}
		}
	})
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, o := range objects {
				both.rules.Validate(context.Background(), o, nil)
			}
		}
	})
}

func BenchmarkGateway64(b *testing.B) {
	s := crdSchemas(b, "gateways.gateway.networking.k8s.io.yaml")[0]
	both := newBoth(b, s.String(), s.Text)
	object := listeners(64)
	if difference := both.compare(b, object, nil); difference != "" {
		b.Fatal(difference)
	}
	b.Logf("%v", both.our(object, nil))
	benchmarkBoth(b, both, []map[string]any{object})
}

// BenchmarkCorpus validates every object of the corpus once.
func BenchmarkCorpus(b *testing.B) {
	type set struct {
		both    *both
		objects []map[string]any
	}
	var sets []set
	objects := corpusObjects(b)
	for _, s := range corpus.Schemas(b) {
		candidates := objects[kindOf(s)]
		if len(candidates) == 0 {
			continue
		}
		both := newBoth(b, s.String(), s.Text)
		if both.validator == nil {
			continue
		}
		_ = both.rules.Prepare(context.Background())
		one := set{both: both}
		for _, object := range candidates {
			prepared := apiruntime.DeepCopyJSON(object)
			pruning.Prune(prepared, both.structural, true)
			defaulting.Default(prepared, both.structural)
			one.objects = append(one.objects, prepared)
		}
		sets = append(sets, one)
	}
	b.Run("real", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, s := range sets {
				for _, o := range s.objects {
					s.both.validator.Validate(context.Background(), nil, s.both.structural, o, nil,
						budget)
				}
			}
		}
	})
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, s := range sets {
				for _, o := range s.objects {
					s.both.rules.Validate(context.Background(), o, nil)
				}
			}
		}
	})
}

// BenchmarkCompile compiles all rules of all versions of HTTPRoute and reports
// the memory that stays in use.
func BenchmarkCompile(b *testing.B) {
	schemas := crdSchemas(b, "httproutes.gateway.networking.k8s.io.yaml")
	b.Run("real", func(b *testing.B) {
		var kept []*realcel.Validator
		compile := func() {
			kept = kept[:0]
			for _, s := range schemas {
				kept = append(kept,
					realcel.NewValidator(realStructural(b, s.Text), true, celrules.PerCallLimit))
			}
		}
		b.ReportAllocs()
		for b.Loop() {
			compile()
		}
		b.ReportMetric(retained(compile, func() { kept = nil }), "kept-B")
		runtime.KeepAlive(kept)
	})
	b.Run("ours", func(b *testing.B) {
		var kept []*celrules.Rules
		compile := func() {
			kept = kept[:0]
			cache := new(structural.Cache)
			for _, s := range schemas {
				parsed, err := structural.Parse(s.Text)
				if err != nil {
					b.Fatal(err)
				}
				rules := celrules.Compile(parsed, structural.InCache(cache))
				_ = rules.Prepare(context.Background())
				kept = append(kept, rules)
			}
		}
		b.ReportAllocs()
		for b.Loop() {
			compile()
		}
		b.ReportMetric(retained(compile, func() { kept = nil }), "kept-B")
		runtime.KeepAlive(kept)
	})
}

// retained returns the bytes that a compilation leaves on the heap.
func retained(compile, drop func()) float64 {
	var before, after runtime.MemStats
	drop()
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&before)
	compile()
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&after)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}

// BenchmarkExample validates one small object.
func BenchmarkExample(b *testing.B) {
	s := crdSchemas(b, "httproutes.gateway.networking.k8s.io.yaml")[0]
	both := newBoth(b, s.String(), s.Text)
	example := corpus.Manifests(b,
		"gateway-api/suite/examples/standard/http-routing/bar-httproute.yaml")[0]
	var object map[string]any
	converted, err := yaml.YAMLToJSON(example.Text)
	if err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(converted, &object); err != nil {
		b.Fatal(err)
	}
	defaulting.Default(object, both.structural)
	benchmarkBoth(b, both, []map[string]any{object})
}
