package crdsem_test

import (
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/minors"
)

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
