package controller

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// newReadmeClient is the fragment of the page on the library. The definition is
// in the folder config/crd.
func newReadmeClient(scheme *runtime.Scheme) (client.Client, error) {
	definitions, err := kube.ReadFiles([]string{"config/crd"})
	if err != nil {
		return nil, err
	}
	server, err := fake.NewServer(definitions...)
	if err != nil {
		return nil, err
	}
	c, err := server.Client(clientfake.NewClientBuilder().WithScheme(scheme).Build(), nil)
	return c, err
}

// The lines of the page on the library are those of newReadmeClient, and its
// client works.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../docs/library.md")
	must(t, err)
	own, err := os.ReadFile("readme_test.go")
	must(t, err)
	_, fragment, found := strings.Cut(string(readme), "```go\ndefinitions, ")
	fragment, _, closed := strings.Cut(fragment, "```")
	if !found || !closed {
		t.Fatal("the page has no fragment")
	}
	for line := range strings.Lines("definitions, " + fragment) {
		if !strings.Contains(string(own), "\t"+line) {
			t.Errorf("no function has the line %s", line)
		}
	}
	crd, err := os.ReadFile("../rules/crd.yaml")
	must(t, err)
	t.Chdir(t.TempDir())
	must(t, os.MkdirAll("config/crd", 0o755))
	must(t, os.WriteFile(filepath.Join("config/crd", "pools.yaml"), crd, 0o644))
	c, err := newReadmeClient(newScheme(t))
	must(t, err)
	testReconcile(t, c)
}
