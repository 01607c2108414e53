package decl_test

import (
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// TestEscape covers CEL-030.
func TestEscape(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "_a": "_a", "a_b": "a_b",
		"a__b": "a__underscores__b", "a___a": "a__underscores___a",
		"a____a":    "a__underscores____underscores__a",
		"a__dot__a": "a__underscores__dot__underscores__a",
		"a.b":       "a__dot__b", "a-b": "a__dash__b", "a/b": "a__slash__b",
		"namespace": "__namespace__", "in": "__in__",
		"int": "int", "self": "self", "size": "size", "-": "__dash__", "x9": "x9",
	} {
		got, ok := decl.Escape(name)
		if !ok || got != want {
			t.Errorf("Escape(%q) = %q, %v; want %q", name, got, ok, want)
		}
		if back, ok := decl.Unescape(got); !ok || back != name {
			t.Errorf("Unescape(%q) = %q, %v; want %q", got, back, ok, name)
		}
	}
	for _, name := range []string{"", "9a", "a b", "a$", "é", "a\x00", "\xff"} {
		if got, ok := decl.Escape(name); ok {
			t.Errorf("Escape(%q) = %q", name, got)
		}
	}
}

// TestUnescapeRejects covers CEL-031.
func TestUnescapeRejects(t *testing.T) {
	for _, identifier := range []string{
		"__int__extra", "__illegal__", "a__in__", "__namespace__x", "__foo__",
	} {
		if got, ok := decl.Unescape(identifier); ok {
			t.Errorf("Unescape(%q) = %q", identifier, got)
		}
	}
	for identifier, want := range map[string]string{
		"a__": "a__", "__": "__", "a___b": "a___b", "_____": "_____",
	} {
		if got, ok := decl.Unescape(identifier); !ok || got != want {
			t.Errorf("Unescape(%q) = %q, %v", identifier, got, ok)
		}
	}
}

// FuzzEscape checks that every name that can be escaped comes back, and that
// the escaped name is an identifier.
func FuzzEscape(f *testing.F) {
	for _, name := range []string{"a", "a.b", "__", "_", "in", "a__dot__b", "a-/._"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		escaped, ok := decl.Escape(name)
		if !ok {
			return
		}
		for i, c := range escaped {
			if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') &&
				(c < '0' || c > '9' || i == 0) {
				t.Fatalf("Escape(%q) = %q is not an identifier", name, escaped)
			}
		}
		if back, ok := decl.Unescape(escaped); !ok || back != name {
			t.Fatalf("Unescape(%q) = %q, %v; want %q", escaped, back, ok, name)
		}
	})
}
