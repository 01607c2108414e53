package cel_test

import (
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/celtable"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Values, and what mutations make of them, are those of the real code.
func TestTable(t *testing.T) {
	celtable.Check(t)
	made, err := environment.ForPatches(profile.Latest(), library.StoredExpressions)
	if err != nil {
		t.Fatal(err)
	}
	celtable.CheckMutations(t, made)
}
