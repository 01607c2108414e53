package structural_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/chapter/crd"
	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/structural"
)

// A converter gives the result of New for each schema of the vectors and all
// schemas inside it, the second time too.
func TestConverterIsLikeNew(t *testing.T) {
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
				if (err == nil) != (errAgain == nil) ||
					err != nil && err.Error() != errAgain.Error() ||
					!structural.Equal(schema, again) {
					t.Errorf("%s: %s\nthe converter returns %v, New %v", id, text, errAgain, err)
				}
			}
		}
	}
	if converted < 100 || refused < 10 {
		t.Errorf("%d schemas convert, %d do not", converted, refused)
	}
}
