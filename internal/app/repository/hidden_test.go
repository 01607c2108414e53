package repository_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/repository"
)

func TestReveal(t *testing.T) {
	values := map[string]string{"A": "a", "EMPTY": ""}
	for _, c := range []struct {
		line, text, want string
		hidden           repository.Cause
	}{
		{"no variable", "$A ${} ${1}", "$A ${} ${1}", ""},
		{"a part", "x-${A}", "x-a", ""},
		{"spaces", "x-${ A }", "x-a", ""},
		{"a default", "x-${NO:=b}${NO:-c}${NO=d}${NO-e}", "x-bcde", ""},
		{"a default of what is empty", "x-${EMPTY:-b}${EMPTY-c}", "x-b", ""},
		{"not known", "x-${NO}-${A}", "x-${NO}-${A}", repository.Variables},
		{"the whole text", "${A}", "${A}", repository.Variables},
		{"encrypted", "ENC[AES256_GCM,data:x]", "ENC[AES256_GCM,data:x]",
			repository.Encrypted},
		{"of a plugin", "<path:a#b>", "<path:a#b>", repository.Placeholders},
	} {
		object := map[string]any{"a": []any{int64(1), c.text}, "sops": map[string]any{"mac": "x"}}
		got, hidden := repository.Reveal(object, values)
		want := map[string]any{"a": []any{int64(1), c.want}}
		if diff := cmp.Diff(want, got); diff != "" || hidden.Cause("a[1]", "") != c.hidden {
			t.Errorf("%s: %v, %s", c.line, hidden, diff)
		}
		if object["sops"] == nil || object["a"].([]any)[1] != c.text {
			t.Errorf("%s: the object was changed", c.line)
		}
	}
}

// Keys may have variables, several keys one path, and labels turn variables
// off.
func TestRevealOfKeys(t *testing.T) {
	const unknown = "${A}"
	_, hidden := repository.Reveal(map[string]any{
		"a":    map[string]any{"b": map[string]any{"x": unknown}},
		"a.b":  map[string]any{"y": unknown},
		"keys": map[string]any{unknown: int64(1)},
	}, nil)
	for path, want := range map[string]repository.Cause{
		"a.b.x": repository.Variables, "a.b.y": repository.Variables, "a.b.z": "",
		"keys": repository.Variables,
	} {
		if got := hidden.Cause(path, ""); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for _, marks := range []string{"labels", "annotations"} {
		_, hidden := repository.Reveal(map[string]any{"a": unknown, "metadata": map[string]any{
			marks: map[string]any{"kustomize.toolkit.fluxcd.io/substitute": "disabled"},
		}}, nil)
		if cause := hidden.Cause("a", ""); cause != "" {
			t.Errorf("disabled by %s: %q", marks, cause)
		}
	}
}

func TestCovers(t *testing.T) {
	const unknown = "${A}"
	_, hidden := repository.Reveal(map[string]any{
		"spec": map[string]any{
			"replicas": unknown, "list": []any{"", map[string]any{"name": unknown}},
		},
		"metadata": map[string]any{"labels": map[string]any{"x.io/a": unknown}},
	}, nil)
	for _, c := range []struct {
		path, rule string
		want       bool
	}{
		{"spec.replicas", "VAL-020", true},
		{".spec.replicas", "PIPE-040", true},
		{"spec.replicasMax", "VAL-020", false},
		{"spec.list[1].name.first", "VAL-020", true},
		{"spec.list[10].name", "VAL-020", false},
		{"metadata.labels[x.io/a]", "META-022", true},
		{"metadata.labels", "META-021", true},
		{"metadata.name", "META-021", false},
		{"spec", "CEL-092", true},
		{"spec.list", "LST-010", true},
		{"spec.list[1]", "VAL-090", true},
		{"spec.list", "VAL-070", false},    // the number of items is known
		{"spec.list[1]", "VAL-081", false}, // and so are their keys
		{"spec.other", "CEL-092", false},
	} {
		if got := hidden.Covers(c.path, c.rule); got != c.want {
			t.Errorf("%s at %s: %v", c.rule, c.path, got)
		}
	}
}

// What values add to an object is bounded: longer texts are not known.
func TestRevealIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for uses, isKnown := range map[int]bool{8: true, 9: false, 1000: false} {
		object := map[string]any{"a": strings.Repeat("${A}-", uses), "b": "${A}-"}
		shown, hidden := repository.Reveal(object, map[string]string{"A": long})
		text, _ := shown["a"].(string)
		if hidden.Covers("a", "") == isKnown || len(text) > 9<<20 {
			t.Errorf("%d uses: %d bytes, hidden: %v", uses, len(text), hidden.Covers("a", ""))
		}
	}
}
