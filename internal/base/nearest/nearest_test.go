package nearest_test

import (
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/base/nearest"
)

func TestName(t *testing.T) {
	keywords := []string{"default", "enum", "maxItems", "maxLength", "minLength", "type"}
	for _, c := range []struct{ name, want string }{
		{"maxLenght", "maxLength"}, // neighbours exchanged
		{"maxlength", "maxLength"}, // only case differs
		{"enumm", "enum"},
		{"tpye", "type"},
		{"default", ""}, // known
		{"replicas", ""},
		{"", ""},
		{"t", ""},
	} {
		if got := nearest.Name(c.name, keywords); got != c.want {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	got := nearest.Names("STR-41", []string{"STR-042", "STR-041", "STR-014", "PRN-031"}, 2)
	if want := []string{"STR-041", "STR-014"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
