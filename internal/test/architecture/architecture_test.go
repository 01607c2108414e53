package architecture_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/crdsem/crdsem"

// layers says which packages of this module each package may import, in
// addition to internal/..., its own subpackages and their imports. The chapters
// in the middle never import each other.
var layers = map[string][]string{
	"":            {"definition", "prune", "defaulting", "objectmeta", "validation", "celrules", "conversion", "versionsort", "structural", "minors"},
	"definition":  {"prune", "defaulting", "objectmeta", "validation", "celrules", "conversion", "versionsort", "structural", "minors"},
	"prune":       {"structural"},
	"defaulting":  {"structural"},
	"objectmeta":  {"structural"},
	"validation":  {"structural", "minors"},
	"celrules":    {"structural", "minors"},
	"conversion":  {"structural", "minors"},
	"merge":       {"structural"},
	"versionsort": {},
	"spec":        {},                                   // text only
	"manifest":    {},                                   // texts and positions: knows no definition
	"hints":       {"celrules", "structural", "minors"}, // for people: reads findings, makes none
	"structural":  {"minors"},
	"minors":      {},                                                                     // the list of minors, for the options of all others
	"apply":       {"", "merge", "defaulting"},                                            // server-side apply for the facade, which does not link the merge library
	"columns":     {"definition"},                                                         // tables of objects that are read
	"generate":    {"", "definition", "structural"},                                       // its objects are what the whole way of a request takes or refuses: it asks the facade, which knows nothing of it
	"conformance": nil,                                                                    // anything
	"upgrade":     {"", "celrules", "conversion", "definition", "generate", "structural"}, // asks the facade about two definitions
	"internal":    nil,
	"examples":    nil,
	"scripts":     nil,
	"fuzz":        nil, // anything

	"generate/schemagen":          {"structural", "generate/internal"},
	"generate/internal/objectgen": {"structural"},

	// crdtest tests definitions: it sends requests, and asks the chapters.
	"crdtest": {"", "definition", "structural", "validation", "celrules", "manifest", "minors"},
}

// forTests lists the packages for tests.
var forTests = []string{
	"internal/test/allocs",
	"internal/test/celcases",
	"internal/test/corpus",
	"internal/test/requests",
	"internal/test/testschema",
}

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
			case allowed == nil,
				strings.HasPrefix(to, "internal/"),
				within(to, owner) && owner != "":
			case slices.ContainsFunc(allowed, func(a string) bool { return within(to, a) }):
			default:
				t.Errorf("%s imports %s: imports go down one way (%s may import %v)", pkg, to,
					owner, allowed)
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

// The limits keep the library light. They are the packages outside the standard
// library and this module, and their modules, that a program links if it
// imports the facade.
const maxPackages, maxModules = 115, 22

var forbidden = []string{
	"k8s.io/apiserver", "k8s.io/apiextensions-apiserver", "k8s.io/client-go", "k8s.io/api", "google.golang.org/grpc",
	"go.etcd.io", "go.opentelemetry.io",
}

func TestPackageGraph(t *testing.T) {
	packages, modules := dependencies(t, ".")
	t.Logf("the facade links %d packages of %d modules", len(packages), len(modules))
	if len(packages) > maxPackages || len(modules) > maxModules {
		t.Errorf("the facade links %d packages of %d modules, at most %d of %d",
			len(packages), len(modules), maxPackages, maxModules)
	}
	packages, modules = dependencies(t, "./...")
	t.Logf("the module's packages together link %d packages of %d modules", len(packages),
		len(modules))
	for _, pkg := range packages {
		for _, f := range forbidden {
			if pkg == f || strings.HasPrefix(pkg, f+"/") {
				t.Errorf("%s is in the package graph; it must not be", pkg)
			}
		}
	}
}

// The facade does not use the network. Package conversion/webhook calls
// webhooks.
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

// goList lists packages of the module as its users get it: the versions of the
// other modules of the workspace do not count.
func goList(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../../.."
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return string(out)
}

func relative(pkg string) string { return strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/") }

func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }
