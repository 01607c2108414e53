package structural_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// FuzzParse checks that no input panics, that both ways of reading agree, and
// that editing keeps a schema structural.
func FuzzParse(f *testing.F) {
	for _, text := range schemas(f) {
		f.Add(text)
	}
	f.Add([]byte("type: object\nproperties: {a: {type: [x]}}"))
	f.Add([]byte(`{"properties":{"a":{"type":"x"}},"properties":{"a":{"format":"y"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := structural.Parse(data)
		object, strict, decodeErr := jsonvalue.DecodeObject(data)
		if decodeErr == nil && len(strict) == 0 {
			other, mapErr := structural.FromMap(object)
			if (err == nil) != (mapErr == nil) || err == nil && !structural.Equal(s, other) {
				t.Fatalf("Parse gives %v, FromMap gives %v", err, mapErr)
			}
		}
		if err != nil {
			return
		}
		errs := structural.Validate(s, root)
		edited := structural.StripNullable(structural.ExpandIntOrString(s))
		if again := structural.Validate(edited, root); len(errs) == 0 && len(again) > 0 {
			t.Fatalf("a structural schema is not structural after editing: %v", again)
		}
	})
}
