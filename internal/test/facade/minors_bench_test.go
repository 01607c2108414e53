package facade_test

import (
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/minors"
)

// BenchmarkMinors makes the definitions of the corpus ready, with all rules,
// for one minor and for nine. Nine should take at most three times as long.
func BenchmarkMinors(b *testing.B) {
	files, all := corpus.Definitions(b), minors.All()
	for name, in := range map[string][]minors.Minor{"one": all[len(all)-1:], "nine": all} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, file := range files {
					readyIn(b, file, in)
				}
			}
		})
	}
}

// readyIn compiles a definition for minors, which share a cache.
func readyIn(b *testing.B, file corpus.File, in []minors.Minor) (out []*crdsem.Definition) {
	b.Helper()
	var cache crdsem.Cache
	for _, minor := range in {
		crd, _, err := definition.Decode(file.Text, definition.Kubernetes(minor))
		if err != nil {
			b.Fatal(err)
		}
		def, err := crdsem.Compile(crd, &cache)
		if err != nil {
			b.Fatal(err)
		}
		for _, version := range def.Versions() {
			if err := version.Prepare(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		out = append(out, def)
	}
	return out
}

// BenchmarkAdmissionByMinor creates the real objects that all minors admit. An
// iteration is all of them. An older minor should take at most 1.2 times as
// long as the newest.
func BenchmarkAdmissionByMinor(b *testing.B) {
	byPath := map[string][]*crdsem.Definition{}
	for _, file := range corpus.Definitions(b) {
		byPath[file.Path] = readyIn(b, file, minors.All())
	}
	objects := corpus.Objects(b)
	for i, minor := range minors.All() {
		b.Run(minor.String(), func(b *testing.B) {
			b.ReportAllocs()
			var admitted []real
			for _, o := range objects {
				if defs := byPath[o.Definition]; o.Valid && len(defs) > 0 {
					if r, ok := readReal(defs[i], o); ok {
						admitted = append(admitted, r)
					}
				}
			}
			b.ReportMetric(float64(len(admitted)), "objects")
			for b.Loop() {
				for _, r := range admitted {
					r.version.Create(b.Context(), r.object)
				}
			}
		})
	}
}
