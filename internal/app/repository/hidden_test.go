package repository_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/repository"
)

func TestReveal(t *testing.T) {
	values := map[string]string{"A": "a", "EMPTY": "", "N": "2", "YES": "yes", "LIST": "[a, 1]",
		"MAP": "a: b", "LINES": "a\nb\n"}
	for _, c := range []struct {
		line, text string
		want       any
		hidden     repository.Cause
	}{
		{"no variable", "$A ${} ${1}", "$A ${} ${1}", ""}, {"an empty text", "", "", ""},
		{"empty without a default", "x-${EMPTY}-${EMPTY=b}", "x--", ""},
		{"a default of none", "x-${NO:=}", "x-", ""}, {"several, one not known", "x-${A}-${NO}", "x-${A}-${NO}",
			repository.Variables},
		{"a part", "x-${A}", "x-a", ""},
		{"spaces", "x-${ A }${A:=b}", "x-aa", ""},
		{"a default", "x-${NO:=b}${NO:-c}${NO=d}${NO-e}", "x-bcde", ""},
		{"a default of what is empty", "x-${EMPTY:-b}${EMPTY-c}", "x-b", ""},
		{"not known", "x-${NO}-${A}", "x-${NO}-${A}", repository.Variables},
		{"the whole text", "${A}", "a", ""}, {"a number", "${N}", int64(2), ""},
		{"a number of two", "${N}${N}", int64(22), ""}, {"a number in a text", "${N}Gi", "2Gi", ""},
		{"a boolean", "${YES}", true, ""}, {"nothing", "${EMPTY}", nil, ""},
		{"in quotes", "a: ${N}", "a: 2", ""}, {"a list", "${LIST}", []any{"a", int64(1)}, ""},
		{"a map in a line", "${MAP}", "${MAP}", repository.Variables},
		{"lines", "${LINES}", "ab", ""}, {"one not known", "${NO}", "${NO}", repository.Variables},
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
	_, hidden = repository.Reveal(map[string]any{"a": "x-${A:=b}"}, nil)
	if got := hidden.Cause("a", ""); got != repository.Variables {
		t.Errorf("without values: %q", got)
	}
	const disabledBy = "kustomize.toolkit.fluxcd.io/substitute"
	_, hidden = repository.Reveal(map[string]any{"a": unknown, "metadata": map[string]any{
		"annotations": map[string]any{disabledBy: "disabled"}, "labels": map[string]any{disabledBy: "enabled"},
	}}, nil)
	if got := hidden.Cause("a", ""); got != repository.Variables {
		t.Errorf("enabled by a label: %q", got)
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

// Of several causes, the first one in the order of keys is named. What SOPS
// adds is left out if it has a mac.
func TestFirstCause(t *testing.T) {
	const variable, sealed, plugin = "${A}", "ENC[AES256_GCM,", "<path:a#b>"
	_, hidden := repository.Reveal(map[string]any{
		"a": map[string]any{"b": sealed, "c": map[string]any{"d": variable, "e": plugin}}, "a.b": variable,
		"x": []any{"", plugin, sealed}, "y": map[string]any{"": variable}, "z.z": map[string]any{"k": plugin, "m": plugin, "n": plugin},
		"z": map[string]any{"z": map[string]any{"k": variable, "l": sealed}, "a": ""},
	}, nil)
	for path, want := range map[string]repository.Cause{
		"a.b": repository.Encrypted, "a": repository.Encrypted, "": repository.Encrypted,
		"a.c": repository.Variables, "a.c.e": repository.Placeholders, "x": repository.Placeholders,
		"x[2]": repository.Encrypted, "x[0]": "", "y": repository.Variables, "z": repository.Variables,
		"z.z.k": repository.Variables, "z.z.l": repository.Encrypted, "z.z": repository.Variables, "z.a": "",
		"z.z.m": repository.Placeholders, "z.z.n": repository.Placeholders,
	} {
		if got := hidden.Cause(path, "CEL-092"); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	object := map[string]any{"sops": map[string]any{"version": "1"}, "n": nil, "f": 1.5, "b": true}
	shown, hidden := repository.Reveal(object, map[string]string{})
	if diff := cmp.Diff(object, shown); diff != "" || hidden.Covers("", "CEL-092") {
		t.Error(diff)
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
