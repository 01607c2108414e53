package kube_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crdsem/crdsem/kube"
)

// widgets is a definition that a server takes. Its group is g.
const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.g.io}
spec:
  group: g.io
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ReadFiles finds definitions in folders, streams and lists.
func TestReadFiles(t *testing.T) {
	folder := t.TempDir()
	list := "apiVersion: v1\nkind: List\nitems:\n- " +
		strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(widgets, "widgets", "gadgets")),
			"\n", "\n  ") + "\n"
	write(t, filepath.Join(folder, "a.yaml"), "kind: ConfigMap\n---\n"+widgets)
	write(t, filepath.Join(folder, "below", "b.yml"), list)
	write(t, filepath.Join(folder, "notes.txt"), "{")
	found, err := kube.ReadFiles([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, def := range found {
		names = append(names, def.Untyped().Model().Name())
	}
	if got := strings.Join(names, " "); got != "widgets.g.io gadgets.g.io" {
		t.Errorf("got %s", got)
	}
}

// A definition that the server refuses, a broken document, and a path without
// definitions are errors that name the place.
func TestReadFilesRefuses(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.yaml")
	tests := []struct{ text, want string }{
		{widgets + "---\n" + strings.Replace(widgets, "Namespaced", "Nowhere", 1),
			"a.yaml:11: CustomResourceDefinition.apiextensions.k8s.io \"widgets.g.io\" is invalid: " +
				"spec.scope: Unsupported value"},
		{"kind: [", "a.yaml:1"},
		{"kind: ConfigMap\n", "a.yaml: no CustomResourceDefinition"},
	}
	for _, test := range tests {
		write(t, file, test.text)
		_, err := kube.ReadFiles([]string{file})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.20q: %v", test.text, err)
		}
	}
	write(t, file, strings.Replace(widgets, "Namespaced", "Nowhere", 1))
	if _, err := kube.ReadFiles([]string{file}); !apierrors.IsInvalid(err) {
		t.Errorf("not the server's error: %v", err)
	}
	if _, err := kube.ReadFiles([]string{filepath.Join(folder, "none")}); err == nil {
		t.Error("a path that is not there")
	}
}
