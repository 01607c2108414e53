package architecture_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// libraryFolders are the folders of the root that are the library. Each links
// nothing of what stands on top of it.
var libraryFolders = []string{
	"structural", "prune", "defaulting", "validation", "celrules", "versionsort", "conversion",
	"definition", "objectmeta", "merge", "minors",
}

// rootEntries are all other entries of the root, each with the reason why it is
// there and not further down.
var rootEntries = map[string]string{
	"internal":    "packages that nobody else may import",
	"kit":         "public tools on top of the library",
	"cmd":         "the command, a module of its own",
	"kube":        "Kubernetes' Go types, a module of its own",
	"web":         "the npm package and the page, a module of its own",
	"conformance": "the specification, the vectors, the real code",
	"docs":        "documents for users",
	"examples":    "what documents and tests use",
	"tools":       "what developers run, a module of its own",

	"README.md": "the front", "CHANGELOG.md": "", "CONTRIBUTING.md": "", "SECURITY.md": "", "LICENSE": "",
	"Makefile": "the targets of developers",
	"go.mod":   "the library and the kit", "go.sum": "",
	"go.work": "joins the modules", "go.work.sum": "",

	"action.yml":             "GitHub reads an action's description at the root only",
	".pre-commit-hooks.yaml": "pre-commit reads it at the root only",
	".golangci.yml":          "golangci-lint looks for it here, for all modules",
	".gitignore":             "",
	".ci":                    "what a pipeline runs",
	".github":                "workflows and forms",
}

// The root is a list: a new entry needs a line here, and a reason.
func TestRoot(t *testing.T) {
	for line := range strings.Lines(git(t, "ls-files")) {
		entry, _, _ := strings.Cut(strings.TrimSpace(line), "/")
		if err := checkRoot(entry); err != "" {
			t.Error(err)
		}
	}
}

// The check refuses a new folder and a file that is not of the facade.
func TestRootNotices(t *testing.T) {
	for entry, want := range map[string]string{
		"prune": "", "kit": "", "doc.go": "", "serve_test.go": "", "README.md": "",
		"upgrade":    "upgrade: a new entry of the root needs a reason in rootEntries",
		"TODO.md":    "TODO.md: a new entry of the root needs a reason in rootEntries",
		"Dockerfile": "Dockerfile: a new entry of the root needs a reason in rootEntries",
	} {
		if got := checkRoot(entry); got != want {
			t.Errorf("%s: %q, want %q", entry, got, want)
		}
	}
}

// checkRoot returns what is wrong with an entry of the root, or "".
func checkRoot(entry string) string {
	_, known := rootEntries[entry]
	if known || slices.Contains(libraryFolders, entry) || strings.HasSuffix(entry, ".go") {
		return ""
	}
	return entry + ": a new entry of the root needs a reason in rootEntries"
}

// The library links nothing of the tools on top, and internal/base and the two
// floors above it hold nothing that only tools use.
func TestLibraryIsAlone(t *testing.T) {
	patterns := []string{"-deps", "."}
	for _, folder := range libraryFolders {
		patterns = append(patterns, "./"+folder+"/...")
	}
	linked := ownPackages(goList(t, patterns...))
	linked = slices.DeleteFunc(linked, isForTests) // the table of expressions and what it reads
	for _, pkg := range linked {
		if err := checkLinked(pkg); err != "" {
			t.Error(err)
		}
	}
	floors := goList(t,
		"./internal/base/...", "./internal/belowstructural/...", "./internal/belowfacade/...")
	for _, pkg := range ownPackages(floors) {
		if !slices.Contains(linked, pkg) {
			t.Errorf("only tools use %s: it belongs to internal/kit or internal/app", pkg)
		}
	}
}

// The check refuses what stands above the library.
func TestLibraryIsAloneNotices(t *testing.T) {
	for pkg, refused := range map[string]bool{
		"": false, "celrules": false, "internal/base/intern": false, "merge/apply": false,
		"kit/manifest": true, "internal/app/judge": true, "internal/kit/nearest": true,
		"internal/test/corpus": true, "conformance/spec": true, "cmd/crdsem": true, "kube": true,
	} {
		if err := checkLinked(pkg); (err != "") != refused {
			t.Errorf("%s: %q, refused: want %v", pkg, err, refused)
		}
	}
}

// checkLinked returns an error for a package that the library may not link, or
// "".
func checkLinked(pkg string) string {
	for _, above := range []string{
		"kit", "internal/app", "internal/kit", "internal/test", "conformance", "cmd", "kube", "web",
		"tools", "examples",
	} {
		if within(pkg, above) {
			return "the library links " + pkg + ": " + above + " stands on top of it"
		}
	}
	return ""
}

// ownPackages returns the packages of this module in a list, relative to it.
func ownPackages(list string) (own []string) {
	for line := range strings.Lines(list) {
		if pkg := strings.TrimSpace(line); within(pkg, module) {
			own = append(own, relative(pkg))
		}
	}
	return own
}

func git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = "../../..", os.Environ()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}
