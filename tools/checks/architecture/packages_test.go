package architecture_test

import (
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// publicPackages are the packages that programs import, and what for. A new one
// needs a use that is not this repository's own.
var publicPackages = map[string]string{
	"": "send requests: what a server stores, refuses and warns of",

	"structural":  "read a schema, and say which rules of structural schemas it breaks",
	"prune":       "remove or list unknown fields",
	"defaulting":  "fill in defaults",
	"objectmeta":  "coerce the metadata of embedded resources",
	"validation":  "validate values, with ratcheting",
	"celrules":    "run the rules of a schema",
	"versionsort": "sort versions",
	"conversion":  "convert objects, write and test conversion functions",
	"definition":  "read names, versions and schemas of a definition, without CEL",
	"merge":       "compare, merge and apply by list and map types",
	"minors":      "list minors of Kubernetes and what changed in each",

	"celrules/check":      "estimate the costs of rules, and say what makes them expensive",
	"celrules/policy":     "evaluate match conditions and admission policies",
	"conversion/webhook":  "call and serve conversion webhooks over HTTPS",
	"definition/validate": "validate a definition as on create and on update",
	"merge/apply":         "the option that gives package crdsem server-side apply",
	"structural/openapi":  "publish a schema as OpenAPI, and read one",
	"conformance/spec":    "look up the text of the rule that a finding names",

	"kit/manifest":    "read files and folders with positions, find what belongs to a kind",
	"kit/catalog":     "find the definition of an object, judge a folder in one call",
	"kit/crdtest":     "test definitions in go test",
	"kit/generate":    "make objects for fuzz tests and benchmarks",
	"kit/upgrade":     "say what a change of a definition, or of the cluster, does",
	"kit/skew":        "say which minors accept a definition and its objects",
	"kit/builtin":     "validate built-in kinds by their published structure",
	"kit/columns":     "print the table of kubectl get",
	"kit/advice":      "say how to fix what is refused",
	"kit/advice/lint": "find likely mistakes in a definition",
	"kit/fleet":       "judge the stored objects of many clusters (a module)",

	"kube":        "the same with Kubernetes' Go types (a module)",
	"kube/fake":   "a client for tests of controllers",
	"kube/server": "an API server in a test or a program (a module)",
}

// What programs can import is the list, and nothing else.
func TestPublicPackages(t *testing.T) {
	found := map[string]bool{}
	for line := range strings.Lines(git(t, "ls-files", "*.go")) {
		file := strings.TrimSpace(line)
		folder := strings.TrimPrefix(path.Dir(file), ".")
		if strings.HasSuffix(file, "_test.go") || isHidden(folder) || found[folder] {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../../..", file), nil,
			parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if parsed.Name.Name != "main" {
			found[folder] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(found)) {
		if publicPackages[folder] == "" {
			t.Errorf("%s: name its use in publicPackages, or make it internal", folder)
		}
	}
	for folder := range publicPackages {
		if !found[folder] {
			t.Errorf("%q is no package", folder)
		}
	}
}

// isHidden reports whether no program outside of this repository can import the
// packages of a folder, or has a reason to: tools and the oracle are modules
// that no release tags.
func isHidden(folder string) bool {
	names := strings.Split(folder, "/")
	return slices.Contains(names, "internal") || slices.Contains(names, "testdata") ||
		within(folder, "tools") || within(folder, "conformance/oracle") ||
		within(folder, "examples")
}
