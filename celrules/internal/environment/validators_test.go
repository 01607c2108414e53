package environment_test

import (
	"slices"
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

// The findings on literals in 1.30, as its own code reports them: one each,
// also in the arguments of format(), with its name of the type of optional
// values.
func TestFormerLiterals(t *testing.T) {
	s := scopeOf(t, 30, library.StoredExpressions)
	for text, want := range map[string][]string{
		"'%s'.format([timestamp('')]) == ''":                {"invalid timestamp argument"},
		"'%s'.format(['a', duration('x')]) == ''":           {"invalid duration argument"},
		"'%s'.format([[duration('y')].size()]) == ''":       {"invalid duration argument"},
		"'%s'.format([true ? [1,'a'] : [2,3]]) == ''":       {"expected type 'int' but found 'string'"},
		"'%s'.format([[[1,'a'], 2]]) == ''":                 nil,
		"[true, optional.of(1u)].size() == 0":               {"expected type 'bool' but found 'optional(uint)'"},
		"timestamp('') == timestamp('')":                    {"invalid timestamp argument", "invalid timestamp argument"},
		"'%s'.format(['%s'.format([timestamp('')])]) == ''": {"invalid timestamp argument"},
	} {
		_, issues := s.Compile(text)
		var got []string
		for _, err := range issues.Errors() {
			got = append(got, err.Message)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
