package structural_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/apiextensions"
	"github.com/crdsem/crdsem/structural"
)

// Converts says of every vector's schema what New says, and so does a converter, the second time too.
func TestConverts(t *testing.T) {
	converted, refused := 0, 0
	for id, text := range schemas(t) {
		props, err := apiextensions.DecodeSchema(text)
		if err != nil {
			continue
		}
		schema, err := structural.New(props)
		if err == nil {
			converted++
		} else {
			refused++
		}
		if got := structural.Converts(props); got != (err == nil) {
			t.Errorf("%s: %s\nConverts says %t, New %v", id, text, got, err)
		}
		var converter structural.Converter
		for range 2 {
			again, errAgain := converter.New(props)
			if (err == nil) != (errAgain == nil) || err != nil && err.Error() != errAgain.Error() || !structural.Equal(schema, again) {
				t.Errorf("%s: %s\na converter says %v, New %v", id, text, errAgain, err)
			}
		}
		for p := range props.All() {
			if _, err := structural.New(p); structural.Converts(p) != (err == nil) {
				t.Errorf("%s: a node below: New says %v", id, err)
			}
		}
	}
	if converted < 100 || refused < 10 {
		t.Errorf("%d schemas convert, %d do not", converted, refused)
	}
}
