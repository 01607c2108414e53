package decl_test

import (
	"regexp"
	"strings"
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
	for _, name := range []string{"", "9a", "0", "a b", "a$", "é", "a\x00", "\xff", "a@", "a[",
		"a`", "a{", "a:", "a,"} {
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

// Names of up to four parts are escaped, and identifiers unescaped, as by the
// regular expressions of a server (k8s.io/apiserver/pkg/cel/escaping.go).
func TestEscapeOfParts(t *testing.T) {
	special, escape := regexp.MustCompile(`__|[-./]`), regexp.MustCompile(`__[^_]+__`)
	words := map[string]string{"__": "underscores", ".": "dot", "-": "dash", "/": "slash"}
	meanings := map[string]string{}
	for of, word := range words {
		meanings["__"+word+"__"] = of
	}
	parts := []string{"_", "__", "a", "dot", "in", "Z9", ".", "-", "/", "underscores", "dash",
		"slash"}
	all := []string{""}
	for length := 1; length <= 4; length++ {
		longer := []string{""}
		for _, text := range all {
			for _, part := range parts {
				longer = append(longer, text+part)
			}
		}
		all = longer
	}
	for _, text := range all {
		if text == "" || text == "in" {
			continue
		}
		want := special.ReplaceAllStringFunc(text, func(s string) string {
			return "__" +
				words[s] + "__"
		})
		if got, ok := decl.Escape(text); !ok || got != want {
			t.Fatalf("Escape(%q) = %q, %t, want %q", text, got, ok, want)
		}
		valid := true
		want = escape.ReplaceAllStringFunc(text, func(s string) string {
			meaning, ok := meanings[s]
			if !ok && s == text {
				meaning, ok = strings.Trim(s, "_"), decl.IsReserved(strings.Trim(s, "_"))
			}
			valid = valid && ok
			return meaning
		})
		if !valid {
			want = ""
		}
		if got, ok := decl.Unescape(text); ok != valid || got != want && ok {
			t.Fatalf("Unescape(%q) = %q, %t, want %q, %t", text, got, ok, want, valid)
		}
	}
}

// The words that CEL reserves, of which an identifier of a server may be none.
func TestIsReserved(t *testing.T) {
	const words = "as break const continue else false for function if import in let loop " +
		"namespace null package return true var void while"
	for _, word := range strings.Fields(words) {
		if got, ok := decl.Escape(word); !decl.IsReserved(word) || !ok || got != "__"+word+"__" {
			t.Errorf("%s is not reserved: %s", word, got)
		}
	}
	for _, word := range []string{"", "a", "In", "self", "int", "_in"} {
		if decl.IsReserved(word) {
			t.Errorf("%s is reserved", word)
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
