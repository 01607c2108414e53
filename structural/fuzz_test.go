package structural_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// Whatever the bytes, nothing panics, both ways of reading agree, and the rules find the same twice.
func FuzzParse(f *testing.F) {
	for _, text := range schemas(f) {
		f.Add(text)
	}
	f.Add([]byte("type: object\nproperties: {a: {type: [x]}}"))
	f.Add([]byte(`{"properties":{"a":{"type":"x"}},"properties":{"a":{"format":"y"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := structural.Parse(data)
		if object, strict, decodeErr := jsonvalue.DecodeObject(data); decodeErr == nil && len(strict) == 0 {
			other, mapErr := structural.FromMap(object)
			if (err == nil) != (mapErr == nil) || err == nil && !structural.Equal(s, other) {
				t.Fatalf("Parse gives %v, FromMap gives %v", err, mapErr)
			}
		}
		if err != nil {
			return
		}
		errs := structural.Validate(s, root)
		if again := structural.Validate(structural.StripNullable(structural.ExpandIntOrString(s)), root); len(errs) == 0 && len(again) > 0 {
			t.Fatalf("unfolding broke a structural schema: %v", again)
		}
	})
}
