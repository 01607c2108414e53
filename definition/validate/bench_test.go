package validate_test

import (
	"slices"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// BenchmarkDefinitions measures the largest real definition, and all of them.
func BenchmarkDefinitions(b *testing.B) {
	all := corpus.Definitions(b)
	slices.SortStableFunc(all, func(x, y corpus.File) int { return len(y.Text) - len(x.Text) })
	for name, files := range map[string][]corpus.File{"largest": all[:1], "all": all} {
		b.Run(name+"/decode", func(b *testing.B) {
			for b.Loop() {
				for _, file := range files {
					decode(b, file.Text)
				}
			}
		})
		var crds []*definition.CRD
		for _, file := range files {
			crds = append(crds, decode(b, file.Text))
		}
		b.Run(name+"/compile", func(b *testing.B) {
			for b.Loop() {
				for _, crd := range crds {
					if _, err := definition.Compile(crd); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(name+"/validate", func(b *testing.B) {
			for b.Loop() {
				for _, crd := range crds {
					validate.Create(b.Context(), crd)
				}
			}
		})
	}
}
