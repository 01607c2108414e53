package migrating

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
)

func TestRows(t *testing.T) {
	for name, row := range rows {
		for i, text := range objects(t) {
			today, here := row.today(given(t, text)), row.here(given(t, text))
			sorted := cmpopts.SortSlices(strings.Compare)
			if diff := cmp.Diff(today, here, sorted, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, object %d (-today +here):\n%s", name, i, diff)
			}
		}
	}
}

// TestRowsAsk requires of every row an outcome that is not empty, so that the
// comparison shows something.
func TestRowsAsk(t *testing.T) {
	for name, row := range rows {
		if !slices.ContainsFunc(objects(t), func(text []byte) bool {
			out := row.today(given(t, text))
			return out.Object != nil || len(out.Paths)+len(out.Errors) > 0
		}) {
			t.Errorf("%s: no object shows anything", name)
		}
	}
}

// TestPage holds the tables of the page to the code that runs here.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/migrating.md")
	if err != nil {
		t.Fatal(err)
	}
	today, here := functions(t, "today_test.go"), functions(t, "here_test.go")
	cells := regexp.MustCompile("(?m)^\\| ([^|`]+) \\| (.*) \\| (.*) \\|$")
	shown := map[string]bool{}
	for _, line := range cells.FindAllStringSubmatch(string(page), -1) {
		if _, ok := rows[line[1]]; !ok {
			continue
		}
		shown[line[1]] = true
		checkCode(t, line[1]+" today", line[2], today)
		checkCode(t, line[1]+" here", line[3], here)
	}
	tested := slices.Sorted(maps.Keys(rows))
	if diff := cmp.Diff(tested, slices.Sorted(maps.Keys(shown))); diff != "" {
		t.Errorf("rows of the page (-tested +shown):\n%s", diff)
	}
}

// checkCode requires each code of a cell in one function of a side.
func checkCode(t *testing.T, what, cell string, side []string) {
	t.Helper()
	codes := regexp.MustCompile("`[^`]+`").FindAllString(cell, -1)
	if len(codes) == 0 {
		t.Errorf("%s: no code in %q", what, cell)
	}
	for _, code := range codes {
		code = strings.Trim(code, "`")
		runs := func(body string) bool { return strings.Contains(body, code) }
		if !slices.ContainsFunc(side, runs) {
			t.Errorf("%s: no tested code has %s", what, code)
		}
	}
}

// functions returns the functions of a file, with single spaces.
func functions(t *testing.T, file string) []string {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			var text bytes.Buffer
			if err := printer.Fprint(&text, set, f); err != nil {
				t.Fatal(err)
			}
			out = append(out, strings.Join(strings.Fields(text.String()), " "))
		}
	}
	return out
}

func objects(t *testing.T) [][]byte {
	t.Helper()
	return bytes.Split(read(t, "testdata/objects.yaml"), []byte("\n---\n"))
}

// given makes what both sides of a row are given.
func given(t *testing.T, text []byte) *input {
	t.Helper()
	in := &input{t: t, ctx: t.Context(), object: object(t, text), old: object(t, text)}
	text = read(t, "testdata/crd.yaml")
	in.v1 = &v1.CustomResourceDefinition{}
	load(t, text, in.v1)
	in.props = internal(t, text).Spec.Versions[0].Schema.OpenAPIV3Schema
	broken := read(t, "testdata/broken-crd.yaml")
	in.broken = internal(t, broken)
	var err error
	if in.real, err = apischema.NewStructural(in.props); err != nil {
		t.Fatal(err)
	}
	if in.def, err = crdsem.Parse(text); err != nil {
		t.Fatal(err)
	}
	if in.version, err = in.def.Version("v1"); err != nil {
		t.Fatal(err)
	}
	in.schema = in.version.Schema()
	crd, _, err := definition.Parse(broken)
	if err != nil {
		t.Fatal(err)
	}
	in.brokenCRD = crd.ForCreate()
	return in
}

// internal returns a definition as the real code validates it, with the
// defaults of a new one.
func internal(t *testing.T, text []byte) *apiextensions.CustomResourceDefinition {
	t.Helper()
	scheme := runtime.NewScheme()
	install.Install(scheme)
	crd := &v1.CustomResourceDefinition{}
	load(t, text, crd)
	scheme.Default(crd)
	out := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(crd, out, nil); err != nil {
		t.Fatal(err)
	}
	for _, version := range out.Spec.Versions {
		if version.Storage {
			out.Status.StoredVersions = []string{version.Name}
		}
	}
	if out.Spec.Validation == nil {
		out.Spec.Validation = out.Spec.Versions[0].Schema
	}
	return out
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func load(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// object reads YAML as the server does, with integers as int64.
func object(t *testing.T, text []byte) map[string]any {
	t.Helper()
	doc, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := utiljson.Unmarshal(doc, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func schemaOf(t *testing.T, file string) map[string]any {
	t.Helper()
	crd := object(t, read(t, file))
	versions, _, err := unstructured.NestedSlice(crd, "spec", "versions")
	if err != nil {
		t.Fatal(err)
	}
	path := []string{"schema", "openAPIV3Schema"}
	schema, _, err := unstructured.NestedMap(versions[0].(map[string]any), path...)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
