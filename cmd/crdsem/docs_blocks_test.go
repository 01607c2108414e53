package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const fakeFragment = `import (
	"github.com/crdsem/crdsem/kube/fake"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func f(server *fake.Server, builder *clientfake.ClientBuilder) {
	{
		%s
		_, _ = c, err
	}
}`

// Fragments of Go in the guides compile in the functions that stand here.
func TestFragmentsCompile(t *testing.T) {
	for _, c := range []struct{ page, start, file string }{
		{"testing", "func TestCRDs",
			`import ("testing"; "github.com/crdsem/crdsem/kit/crdtest"); %s`},
		{"testing", "api := ", `import ("testing"; "github.com/crdsem/crdsem/kit/crdtest")
func f(t *testing.T, crds []*crdtest.CRD, tests []struct { name string
route map[string]any; wantErrors []string }) { %s }`},
		{"upgrade", "report, err", `import ("context"; "fmt"; "github.com/crdsem/crdsem/kit/upgrade")
func f(ctx context.Context, before, after []byte, stored map[string]any) {
%s; _, _ = judgement, err }`},
		{"fake", "c, err", fakeFragment},
		{"server", "srv, err", `import ("context"; "github.com/crdsem/crdsem/kube/server")
func f(ctx context.Context) { %s; _, _ = config, err }`},
	} {
		t.Run(c.page+" "+c.start, func(t *testing.T) {
			all := blocks(t, "docs/"+c.page+".md", "go")
			i := slices.IndexFunc(all, func(b string) bool { return strings.HasPrefix(b, c.start) })
			if i < 0 {
				t.Fatal("the page has no such fragment")
			}
			fragment := strings.ReplaceAll(all[i], "\nc, err", "\n_, _ = c, err } ; { c, err")
			file := filepath.Join(t.TempDir(), "fragment.go")
			write(t, file, "package fragment\n"+fmt.Sprintf(c.file, fragment))
			cmd := exec.Command("go", "build", file)
			cmd.Dir = filepath.Join("..", "..")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The configurations of the guides have no key that is unknown.
func TestConfigurationsOfPages(t *testing.T) {
	all := map[string]string{}
	for _, page := range []string{"repositories", "lint", "vendor"} {
		all[page] = blocks(t, "docs/"+page+".md", "yaml")[0]
	}
	for page, configuration := range all {
		writeFiles(t, map[string]string{".crdsem.yaml": configuration, ".git/HEAD": ""})
		first, _, _ := strings.Cut(configuration, ":")
		if code, out, errs := execute(t, "", "config"); code != exitOK || errs != "" ||
			page != "repositories" && !strings.Contains(out, first) {
			t.Errorf("%s: exit code %d\n%s%s", page, code, out, errs)
		}
	}
}
