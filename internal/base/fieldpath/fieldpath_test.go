package fieldpath

import (
	"strings"
	"testing"
)

func TestKeys(t *testing.T) {
	for path, want := range map[string]string{
		"":        "",
		"a":       "a|",
		"[]":      "| []|",
		"a[b]":    "a|[b] a[b]|",
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

func TestValue(t *testing.T) {
	object := map[string]any{
		"a": map[string]any{"b": "x", "n": nil}, "a.b": []any{"y", []any{"z"}}, "[": "w",
	}
	for path, want := range map[string]any{
		"a.b": "x", ".a[b]": "x", "a.b[0]": "y", "[a.b][1][0]": "z", "a.n": nil, "[": "w",
		"a.c": "none", "a.b[2]": "none", "a.b[-1]": "none", "a.b[x]": "none", "a.b.c": "none",
	} {
		found, ok := Value(object, path)
		if ok != (want != "none") || ok && found != want {
			t.Errorf("%s: %v, %t, want %v", path, found, ok, want)
		}
	}
	if found, ok := Value("x", ""); found != "x" || !ok {
		t.Errorf("no path: %v, %t", found, ok)
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

func TestResolve(t *testing.T) {
	object := map[string]any{
		"spec": map[string]any{
			"ports": []any{map[string]any{"name": "a"}},
			"m":     map[string]any{"x.y": map[string]any{"a": 1}, "x": map[string]any{"z": 1}},
		},
	}
	for path, want := range map[string]string{
		"":                       "",
		"spec.ports[0].name":     "spec|ports|0|name",
		"spec.ports[0].absent":   "spec|ports|0|absent",
		"spec.ports[7].name":     "spec|ports|7|name",
		"spec.m[x.y].a":          "spec|m|x.y|a",
		"spec.m.x.y.a":           "spec|m|x.y|a",
		"spec.m.x.z":             "spec|m|x|z",
		"metadata.labels[a.b/c]": "metadata|labels|a.b/c",
		"other.key":              "other|key",
	} {
		if got := strings.Join(Resolve(object, path), "|"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
