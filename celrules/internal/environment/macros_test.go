package environment_test

import (
	"slices"
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// The environment has the macros of the catalogue, and no others (LIB-101).
func TestMacros(t *testing.T) {
	env, err := environment.For(profile.Latest(), library.StoredExpressions)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range env.CEL().Macros() {
		got = append(got, m.MacroKey())
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, library.Macros()) {
		t.Errorf("got %v, want %v", got, library.Macros())
	}
}
