package architecture_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/crdsem/crdsem"

// layers says which packages of this module the packages of a folder may
// import, next to their own subpackages. A name covers its subpackages; "" is
// the facade alone. Imports go down one way: commands, internal/app, kit, the
// facade, definition, the pieces in the middle, which never import each other,
// internal/belowfacade, structural, internal/belowstructural, internal/base.
// The longest folder that holds a package is its layer.
var layers = map[string][]string{
	"": slices.Concat([]string{"definition"}, pieces, belowPieces),
	// Reading a definition, for programs that want names and schemas.
	"definition":          slices.Concat([]string{"conversion", "versionsort"}, belowPieces),
	"definition/validate": slices.Concat([]string{"definition"}, pieces, belowPieces),
	"prune":               belowPieces,
	"defaulting":          belowPieces,
	"objectmeta":          belowPieces,
	"validation":          belowPieces,
	"celrules":            belowPieces,
	"conversion":          belowPieces,
	"merge":               belowPieces,
	"structural":          {"minors", "internal/base", "internal/belowstructural"},
	"structural/openapi": {
		"structural", "internal/base", "internal/belowstructural", "internal/belowfacade/decoded",
	},
	"minors":      {"internal/belowstructural/profile"}, // the list of minors, for the options of all others
	"versionsort": {},

	"internal/base":                     {},
	"internal/belowstructural":          {"internal/base"},
	"internal/belowstructural/metadata": {"internal/base", "internal/belowstructural/profile"},
	"internal/belowstructural/crd": {
		"internal/base", "internal/belowstructural/metadata", "internal/belowstructural/profile",
	},
	"internal/belowfacade": {"structural", "internal/base", "internal/belowstructural"},
	// What options of the facade change.
	"internal/belowfacade/facadeoptions": {"conversion", "structural"},
	// Server-side apply for the facade, which does not link the merge library.
	"merge/apply": {"", "merge", "defaulting", "internal/base", "internal/belowfacade/facadeoptions"},

	// Public tools, users of the facade.
	"kit/manifest": {"internal/base", "internal/kit"}, // texts, positions, kinds: knows no definition
	"kit/catalog":  slices.Concat([]string{"kit/manifest"}, library),
	"kit/builtin":  slices.Concat([]string{"kit/manifest"}, library),
	"kit/columns":  library,
	"kit/skew":     library,
	"kit/advice":   slices.Concat([]string{"kit/generate", "kit/skew"}, library), // for people: hints, and likely mistakes
	"kit/generate": library,
	"kit/upgrade":  slices.Concat([]string{"kit/generate", "kit/skew"}, library),
	"kit/crdtest":  slices.Concat([]string{"kit/catalog", "kit/manifest"}, library),
	"internal/kit": {"internal/base"}, // helpers of kit and of what stands above it

	"internal/app": nil, // above kit: anything
	"conformance":  nil,
	"examples":     nil,
	// Packages for tests.
	"internal/test": nil,
}

// pieces are the chapters of the specification that the facade is made of.
var pieces = []string{
	"prune", "defaulting", "objectmeta", "validation", "celrules", "conversion", "versionsort",
}

// belowPieces is what each of the pieces may use.
var belowPieces = []string{
	"structural", "minors", "internal/base", "internal/belowstructural", "internal/belowfacade",
}

// library is what the public tools may use: the library, and the helpers of
// tools.
var library = slices.Concat(
	[]string{"", "definition", "merge", "internal/kit"}, pieces, belowPieces,
)

// isForTests reports whether a package is for tests. The table of expressions
// is one that imports what celrules has inside.
func isForTests(pkg string) bool {
	return within(pkg, "internal/test") || pkg == "celrules/internal/celtable"
}

func TestLayers(t *testing.T) {
	for line := range strings.Lines(goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")) {
		fields := strings.Fields(line)
		pkg := relative(fields[0])
		for _, imported := range fields[1:] {
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			if err := checkImport(pkg, relative(imported)); err != nil {
				t.Error(err)
			}
		}
	}
}

// The check notices an import of each kind that is forbidden.
func TestLayersNotice(t *testing.T) {
	for _, test := range []struct {
		pkg, imported string
		allowed       bool
	}{
		{"internal/kit/nearest", "merge", false},
		{"internal/kit/nearest", "internal/belowstructural/crd", false},
		{"internal/base/jsonvalue", "internal/base/yamlfast", true},
		{"internal/base/jsonvalue", "internal/kit/nearest", false},
		{"internal/belowfacade/normalize", "validation", false},
		{"internal/belowfacade/normalize", "structural", true},
		{"internal/belowfacade/normalize", "internal/app/judge", false},
		{"internal/belowstructural/crd", "structural", false},
		{"internal/unknown", "merge", false},
		{"unknown", "", false},
		{"prune", "defaulting", false},
		{"celrules/internal/decl", "validation", false},
		{"celrules/internal/decl", "structural", true},
		{"celrules/check", "celrules", true},
		{"structural", "structural/openapi", true},
		{"definition", "", false},
		{"", "kit/upgrade", false},
		{"", "internal/app/judge", false},
		{"", "internal/kit/nearest", false},
		{"", "kit/skew", false},
		{"merge", "", false},
		{"merge/apply", "", true},
		{"kit/upgrade", "internal/app/judge", false},
		{"kit/upgrade", "kit/crdtest", false},
		{"kit/upgrade", "kit/generate", true},
		{"internal/app/judge", "", true},
		{"definition", "internal/test/corpus", false},
		{"internal/test/corpus", "kit/manifest", true},
		{"celrules/internal/celtable", "internal/test/celcases", true},
		{"celrules", "celrules/internal/celtable", false},
	} {
		if err := checkImport(test.pkg, test.imported); (err == nil) != test.allowed {
			t.Errorf("%q imports %q: %v, allowed %v", test.pkg, test.imported, err, test.allowed)
		}
	}
}

// checkImport returns an error if a package may not import another one. Both
// are relative to the module; "" is the facade.
func checkImport(pkg, imported string) error {
	owner, allowed, known := layer(pkg)
	switch {
	case !known:
		return fmt.Errorf("%s belongs to no layer: give it one", pkg)
	case isForTests(pkg), within(pkg, "conformance"):
		return nil
	case isForTests(imported):
		return fmt.Errorf("%s imports %s: it is for tests", pkg, imported)
	case allowed == nil,
		within(imported, owner) && owner != "",
		slices.ContainsFunc(allowed, func(a string) bool { return covers(a, imported) }):
		return nil
	}
	return fmt.Errorf("%s imports %s: imports go down one way (%s may import %q)", pkg, imported,
		owner, allowed)
}

// covers reports whether an entry of layers means the package.
func covers(entry, pkg string) bool {
	if entry == "" {
		return pkg == ""
	}
	return within(pkg, entry)
}

// layer finds the layer of a package: the longest listed folder that holds it.
func layer(pkg string) (owner string, allowed []string, known bool) {
	for at := pkg; at != ""; at = at[:max(strings.LastIndexByte(at, '/'), 0)] {
		if allowed, ok := layers[at]; ok {
			return at, allowed, true
		}
	}
	return "", layers[""], pkg == ""
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

// A program that reads names and schemas pays for no rules.
func TestReadingLinksNoCEL(t *testing.T) {
	for _, pkg := range []string{
		"definition", "structural", "prune", "defaulting", "objectmeta", "validation",
		"conversion", "merge", "versionsort", "kit/columns", "kit/manifest",
	} {
		packages, _ := dependencies(t, "./"+pkg)
		for _, linked := range packages {
			if strings.HasPrefix(linked, "cel.dev/") ||
				strings.HasPrefix(linked, "github.com/antlr4-go/") {
				t.Errorf("%s links %s", pkg, linked)
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
