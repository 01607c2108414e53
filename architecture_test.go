package crdsem_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/crdsem/crdsem"

// layers says what each package may import of this module, besides internal/..., its own subpackages and what those may.
// The chapters in the middle never import each other.
var layers = map[string][]string{
	"":            {"definition", "prune", "defaulting", "objectmeta", "validation", "celrules", "conversion", "versionsort", "structural"},
	"definition":  {"prune", "defaulting", "objectmeta", "validation", "celrules", "conversion", "versionsort", "structural"},
	"prune":       {"structural"},
	"defaulting":  {"structural"},
	"objectmeta":  {"structural"},
	"validation":  {"structural"},
	"celrules":    {"structural"},
	"conversion":  {"structural"},
	"merge":       {"structural"},
	"versionsort": {},
	"spec":        {}, // text only
	"structural":  {},
	"apply":       {"", "merge", "defaulting"},      // server-side apply for the facade, which does not link the merge library
	"generate":    {"", "definition", "structural"}, // its objects are what the whole way of a request takes or refuses: it asks the facade, which knows nothing of it
	"conformance": nil,                              // anything
	"internal":    nil,
	"cmd":         nil,
	"examples":    nil,

	"generate/schemagen":          {"structural", "generate/internal"},
	"generate/internal/objectgen": {"structural"},
}

// forTests lists the packages that are there for tests only.
var forTests = []string{"internal/test/allocs", "internal/test/celcases", "internal/test/corpus", "internal/test/testschema"}

func TestLayers(t *testing.T) {
	for line := range strings.Lines(goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")) {
		fields := strings.Fields(line)
		pkg := relative(fields[0])
		owner, allowed, known := layer(pkg)
		if !known {
			t.Errorf("%s belongs to no layer: give it one", pkg)
			continue
		}
		for _, imported := range fields[1:] {
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			to := relative(imported)
			switch {
			case slices.Contains(forTests, to):
				t.Errorf("%s imports %s: it is for tests", pkg, to)
			case strings.HasPrefix(owner, "internal/") && allowed != nil:
				if !strings.HasPrefix(to, "internal/") {
					t.Errorf("%s imports %s: nothing internal imports a public package", pkg, to)
				}
			case allowed == nil, strings.HasPrefix(to, "internal/"), within(to, owner) && owner != "":
			case slices.ContainsFunc(allowed, func(a string) bool { return within(to, a) }):
			default:
				t.Errorf("%s imports %s: imports go down one way (%s may import %v)", pkg, to, owner, allowed)
			}
		}
	}
}

// layer finds the layer of a package: the longest listed folder that holds it.
func layer(pkg string) (owner string, allowed []string, known bool) {
	for at := pkg; ; at = at[:max(strings.LastIndexByte(at, '/'), 0)] {
		if allowed, ok := layers[at]; ok && (at != "" || pkg == "") {
			return at, allowed, true
		}
		if at == "" {
			break
		}
	}
	return pkg, []string{}, strings.HasPrefix(pkg, "internal/")
}

// The limits that keep the library light: what a program links that imports the facade, and what the command links.
const (
	maxPackages = 130
	maxModules  = 30
)

var forbidden = []string{
	"k8s.io/apiserver", "k8s.io/apiextensions-apiserver", "k8s.io/client-go", "k8s.io/api", "google.golang.org/grpc",
	"go.etcd.io", "go.opentelemetry.io",
}

func TestPackageGraph(t *testing.T) {
	for _, root := range []string{".", "./cmd/crdsem"} {
		packages, modules := dependencies(t, root)
		t.Logf("%s links %d packages outside the standard library and this module, of %d modules", root, len(packages), len(modules))
		if len(packages) > maxPackages || len(modules) > maxModules {
			t.Errorf("%s links %d packages of %d modules; at most %d of %d are allowed", root, len(packages), len(modules), maxPackages, maxModules)
		}
	}
	packages, modules := dependencies(t, "./...")
	t.Logf("the module's packages together link %d packages of %d modules", len(packages), len(modules))
	for _, pkg := range packages {
		for _, f := range forbidden {
			if pkg == f || strings.HasPrefix(pkg, f+"/") {
				t.Errorf("%s is in the package graph; it must not be", pkg)
			}
		}
	}
}

// The facade has no network: calling a webhook is for conversion/webhook.
func TestFacadeLinksNoNetwork(t *testing.T) {
	for line := range strings.Lines(goList(t, "-deps", ".")) {
		if pkg := strings.TrimSpace(line); pkg == "net/http" {
			t.Errorf("the facade links %s", pkg)
		}
	}
}

func dependencies(t *testing.T, patterns ...string) (packages, modules []string) {
	t.Helper()
	args := append([]string{"-deps", "-f", `{{if not .Standard}}{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}{{end}}`}, patterns...)
	for line := range strings.Lines(goList(t, args...)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[1] != module {
			packages, modules = append(packages, fields[0]), append(modules, fields[1])
		}
	}
	slices.Sort(modules)
	return packages, slices.Compact(modules)
}

func goList(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return string(out)
}

func relative(pkg string) string { return strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/") }

func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }
