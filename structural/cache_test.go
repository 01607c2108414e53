package structural_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/belowfacade/decoded"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// built builds the model of a decoded schema.
func built(p *crd.JSONSchemaProps) (*structural.Schema, error) {
	return structural.Parse(nil, decoded.Schema(p, nil))
}

// A memo does not change the result, for each schema of the vectors and all
// schemas inside it, the second time too.
func TestMemoChangesNothing(t *testing.T) {
	converted, refused := 0, 0
	for id, text := range schemas(t) {
		props, err := crd.DecodeSchema(text)
		if err != nil {
			continue
		}
		_, err = built(props)
		if err == nil {
			converted++
		} else {
			refused++
		}
		memo, cache := &crd.Memo{}, &structural.Cache{}
		convert := func(p *crd.JSONSchemaProps) (*structural.Schema, error) {
			return structural.Parse(nil, decoded.Schema(p, memo), structural.InCache(cache))
		}
		for range 2 {
			for p := range props.All() {
				schema, err := built(p)
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
