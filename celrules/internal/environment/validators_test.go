package environment_test

import (
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// The arguments of format() may have different types in every minor, also where
// its validator does not run (CEL-010, LIB-002).
func TestFormatTakesDifferentTypes(t *testing.T) {
	for m := profile.Oldest; m <= profile.Newest; m++ {
		e, err := environment.For(profile.Of(m), library.StoredExpressions)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Scope(nil)
		if err != nil {
			t.Fatal(err)
		}
		for text, valid := range map[string]bool{
			"'%s-%d'.format(['a', 1]) == 'a-1'":      true,
			"'%s'.format([[1, 'a']]) == 'a'":         true,
			"'%s'.format([{'a': 1, 'b': ''}]) == ''": true,
			"[1, 'a'].size() == 2":                   false,
		} {
			if _, issues := s.Compile(text); (issues.Err() == nil) != valid {
				t.Errorf("%s: %s: %v", m, text, issues.Err())
			}
		}
	}
}
