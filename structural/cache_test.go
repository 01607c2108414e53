package structural_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/internal/door"
	"github.com/crdsem/crdsem/structural"
)

// A converter says of every vector's schema, and of all schemas inside of it, what New says, the second time too.
func TestConverter(t *testing.T) {
	inside := structural.Internal.Export(door.Key)
	converted, refused := 0, 0
	for id, text := range schemas(t) {
		props, err := crd.DecodeSchema(text)
		if err != nil {
			continue
		}
		_, err = inside.New(props)
		if err == nil {
			converted++
		} else {
			refused++
		}
		convert := inside.Converter(nil)
		for range 2 {
			for p := range props.All() {
				schema, err := inside.New(p)
				again, errAgain := convert(p)
				if (err == nil) != (errAgain == nil) || err != nil && err.Error() != errAgain.Error() || !structural.Equal(schema, again) {
					t.Errorf("%s: %s\na converter says %v, New %v", id, text, errAgain, err)
				}
			}
		}
	}
	if converted < 100 || refused < 10 {
		t.Errorf("%d schemas convert, %d do not", converted, refused)
	}
}
