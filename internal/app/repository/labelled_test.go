package repository_test

import (
	"path/filepath"
	"testing"

	"github.com/crdsem/crdsem/internal/app/repository"
)

func TestLabelled(t *testing.T) {
	selectors := map[string]any{"includeSelectors": true}
	for _, c := range []struct {
		name          string
		kustomization map[string]any
		file          string
		want          bool
	}{
		{"a file", map[string]any{"commonLabels": map[string]any{"a": "b"},
			"resources": []any{"x.yaml", 1}}, "over/x.yaml", true},
		{"a file below a folder", map[string]any{"labels": []any{selectors},
			"resources": []any{"../base"}}, "base/in/x.yaml", true},
		{"a component", map[string]any{"labels": []any{selectors},
			"components": []any{"../base"}}, "base/x.yaml", true},
		{"another file", map[string]any{"labels": []any{selectors},
			"resources": []any{"../base"}}, "bases/x.yaml", false},
		{"labels without selectors", map[string]any{"labels": []any{map[string]any{}},
			"commonLabels": map[string]any{}, "resources": []any{"x.yaml"}}, "over/x.yaml", false},
	} {
		l := repository.Labelled{}
		l.Read(filepath.FromSlash("/r/over"), c.kustomization)
		if got := l.Has(filepath.FromSlash("/r/" + c.file)); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
