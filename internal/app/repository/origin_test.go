package repository_test

import (
	"maps"
	"testing"

	"github.com/crdsem/crdsem/internal/app/repository"
)

// The annotation of an origin is removed, whatever it says; others stay. Only
// files of the file system are named.
func TestTakeOrigin(t *testing.T) {
	const key = "config.kubernetes.io/origin"
	for text, want := range map[string]string{
		"path: ../base/a.yaml\n":                     "../base/a.yaml",
		"path: a.yaml\nrepo: https://example.com\n":  "",
		"configuredIn: a.yaml\nconfiguredBy: {a: b}": "",
		"": "", "a": "", "[": "", "path: [a]": "", "path: {": "", "&a [*a]": "",
	} {
		for _, other := range []map[string]any{{}, {"a": "b"}} {
			annotations := map[string]any{key: text}
			maps.Copy(annotations, other)
			object := map[string]any{"metadata": map[string]any{"annotations": annotations}}
			file, rest := repository.TakeOrigin(object)
			metadata := rest["metadata"].(map[string]any)
			left, hasAnnotations := metadata["annotations"].(map[string]any)
			if file != want || hasAnnotations != (len(other) > 0) || !maps.Equal(left, other) {
				t.Errorf("%q: %q, %v", text, file, rest)
			}
			if annotations[key] != text {
				t.Errorf("%q: the argument is changed", text)
			}
		}
	}
	for _, object := range []map[string]any{
		nil, {}, {"metadata": "a"}, {"metadata": map[string]any{"annotations": "a"}},
		{"metadata": map[string]any{"annotations": map[string]any{key: 1}}},
	} {
		if file, rest := repository.TakeOrigin(object); file != "" || len(rest) != len(object) {
			t.Errorf("%v: %q, %v", object, file, rest)
		}
	}
}
