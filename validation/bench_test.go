package validation_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

func BenchmarkCompile(b *testing.B) {
	schema := testschema.Schema(b, everythingSchema)
	leaf := schema.Property("spec").Property("count")
	for _, c := range []struct {
		name   string
		schema *structural.Schema
	}{{"everything", schema}, {"leaf", leaf}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				validation.Compile(c.schema, validation.OfDefaults())
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	v := validation.Compile(testschema.Schema(b, everythingSchema))
	o := testschema.Object(b, everythingObject)
	b.ReportAllocs()
	for b.Loop() {
		v.Validate(b.Context(), o)
	}
}
