package fieldpath

import (
	"strings"
	"testing"
)

func TestKeys(t *testing.T) {
	for path, want := range map[string]string{
		"":        "",
		"a":       "a|",
		"a.b[c]":  "a|.b[c] a.b|[c] a.b[c]|",
		"[a.b].c": "[a|.b].c a.b|.c [a.b]|.c [a.b].c|",
	} {
		var got []string
		for key, rest := range Keys(path) {
			got = append(got, key+"|"+rest)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", path, text, want)
		}
	}
	n := 0
	for range Keys(strings.Repeat("a.", 1000)) {
		n++
	}
	if n != maxKeys {
		t.Errorf("%d keys", n)
	}
}

func TestFirst(t *testing.T) {
	for path, want := range map[string]string{
		"a": "a|", "a.b": "a|.b", "a[b]": "a|[b]", "[a.b].c": "a.b|.c", "[a": "[a|", "": "|",
	} {
		if key, rest := First(path); key+"|"+rest != want {
			t.Errorf("%s: %s|%s, want %s", path, key, rest, want)
		}
	}
}
