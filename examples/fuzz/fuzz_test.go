package fuzz_test

import (
	"context"
	"os"
	"reflect"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/generate"
)

// crd is the definition under test: name your own here.
const crd = "../rules/crd.yaml"

// load compiles the storage version of the definition, and the source of its
// objects.
func load(tb testing.TB) (*crdsem.Version, *generate.Resources) {
	tb.Helper()
	text, err := os.ReadFile(crd)
	if err != nil {
		tb.Fatal(err)
	}
	def, err := crdsem.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	resources, err := generate.ParseResources(text, "")
	if err != nil {
		tb.Fatal(err)
	}
	version, err := def.Version(resources.Identity().Version)
	if err != nil {
		tb.Fatal(err)
	}
	return version, resources
}

// FuzzAdmission makes objects from the fuzzer's bytes. An admitted object is
// admitted again, unchanged. A broken object is refused.
func FuzzAdmission(f *testing.F) {
	version, resources := load(f)
	for seed := range byte(16) {
		f.Add([]byte{seed})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, r := context.Background(), generate.FromBytes(data)
		object, err := resources.Valid(r)
		if err != nil {
			// This definition always has valid objects. If yours may have none,
			// return on a *generate.UnmadeError.
			t.Fatal(err)
		}
		result := version.Create(ctx, object)
		if !result.Admitted() {
			t.Fatalf("refused, though valid: %v", result.Errors)
		}
		again := version.Create(ctx, result.Object)
		if !again.Admitted() || !reflect.DeepEqual(again.Object, result.Object) {
			t.Errorf("admitted once only: %v", result.Object)
		}
		// Check the properties of result.Object here.
		if update, err := resources.Update(r, object); err == nil &&
			!version.Update(ctx, update, object).Admitted() {
			t.Errorf("an update is refused, though valid: %v", update)
		}
		if object, broken, err := resources.Broken(r); err == nil &&
			!broken.Among(version.Create(ctx, object).Errors) {
			t.Errorf("not refused, though %s is broken at %s: %v", broken.Keyword, broken.Path,
				object)
		}
	})
}

// BenchmarkAdmission measures a create: its time, and the cost of the rules in
// the server's units.
func BenchmarkAdmission(b *testing.B) {
	version, resources := load(b)
	var objects []map[string]any
	for r := generate.NewRand(1); len(objects) < 20; {
		object, err := resources.Valid(r)
		if err != nil {
			b.Fatal(err)
		}
		objects = append(objects, object)
	}
	var cost int64
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		cost += version.Create(context.Background(), objects[n%len(objects)]).Cost
		n++
	}
	b.ReportMetric(float64(cost)/float64(n), "cost/op")
}
