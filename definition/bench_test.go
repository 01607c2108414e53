package definition_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/definition"
)

// The largest real definition, and all of them.
func BenchmarkDefinitions(b *testing.B) {
	all := corpus(b)
	files := slices.SortedFunc(maps.Keys(all), func(x, y string) int { return len(all[y]) - len(all[x]) })
	for name, texts := range map[string][]string{"largest": files[:1], "all": files} {
		b.Run(name+"/decode", func(b *testing.B) {
			for b.Loop() {
				for _, file := range texts {
					decode(b, all[file])
				}
			}
		})
		var crds []*definition.CRD
		for _, file := range texts {
			crds = append(crds, decode(b, all[file]))
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
					definition.Validate(crd)
				}
			}
		})
	}
}
