package validation_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/given"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

func BenchmarkCompile(b *testing.B) {
	schema := given.Schema(b, everythingSchema)
	leaf := schema.Property("spec").Property("count")
	for _, c := range []struct {
		name   string
		schema *structural.Schema
	}{{"everything", schema}, {"leaf", leaf}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				validation.CompileDefaults(c.schema)
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	v := validation.Compile(given.Schema(b, everythingSchema))
	o := given.Object(b, everythingObject)
	b.ReportAllocs()
	for b.Loop() {
		v.Validate(o)
	}
}
