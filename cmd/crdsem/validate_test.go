package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// widgets is a definition, and widget an object of it.
var widgets = strings.NewReplacer(
	"g.io", "example.com", "foos", "widgets", "Foo", "Widget", "Cluster", "Namespaced",
).Replace(foos) + `
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}}}
`

const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 1}\n"

// writeFiles writes files below a new folder, and changes to it.
func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeMore(t, files)
}

// writeMore writes files below the current folder.
func writeMore(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// judged runs validate and returns the lines that it prints before the summary,
// and the exit code.
func judged(t *testing.T, args ...string) (lines string, code int) {
	t.Helper()
	code, out, errs := execute(t, "", append([]string{"validate"}, args...)...)
	if errs != "" {
		t.Errorf("standard error: %s", errs)
	}
	for line := range strings.Lines(out) {
		if strings.Contains(line, " accepted, ") {
			break
		}
		lines += line
	}
	return lines, code
}

// Each bad input has a line with its place. The good object next to it is
// judged.
func TestBadInput(t *testing.T) {
	aliases := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := range 20 {
		items := strings.Repeat(fmt.Sprintf("*a%d, ", i), 9)
		aliases += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, items)
	}
	beta := strings.Replace(widgets, "k8s.io/v1", "k8s.io/v1beta1", 1)
	for _, c := range []struct {
		name, text, want string
		code             int
	}{
		{"an empty file", "", ": warning: the file holds no document", exitOK},
		{"comments only", "# a\n---\n", ": warning: the file holds no document", exitOK},
		{"random bytes", "\x00\x01\xfe\xff", ":1:1: error: yaml: control characters are not allowed (hint: the file is binary, or in another encoding than UTF-8)", exitRefused},
		{"Latin 1", widget + "a: \"\xe4\"\n", ":5:5: error: yaml: invalid trailing UTF-8 octet (hint: the file is not in UTF-8)", exitRefused},
		{"aliases that multiply", aliases, ":1:1: error: yaml: document contains excessive aliasing", exitRefused},
		{"flow that never ends", strings.Repeat("[", 100000), ":1:1: error: yaml: exceeded max depth of 10000", exitRefused},
		{"a tab", "a:\n\tb: 1\n", ":2:2: error: yaml: found character that cannot start any token (hint: YAML is indented by spaces, not by tabs)", exitRefused},
		{"wrong indentation in the second document", widget + "---\na:\n  b: 1\n c: 2\n", ":8:2: error: yaml: did not find expected key", exitRefused},
		{"JSON that ends early", `{"apiVersion": "example.com/v1",`, ":1:32: error: unexpected end of JSON input", exitRefused},
		{"a kind that is no string", "apiVersion: example.com/v1\nkind: 7\n", ":2:7: error: kind must be a string", exitRefused},
		{"an unserved version", strings.Replace(widget, "/v1", "/v9", 1), ":1:13: error: Widget w: widgets.example.com does not serve version \"v9\" (hint: it serves `v1`)", exitRefused},
		{"a duplicate key", widget + "spec: {size: 2}\n", ":5:1: warning: Widget w: the key \"spec\" occurs twice: kubectl takes the last value, kustomize refuses the file [PIPE-006] (hint: remove one)", exitOK},
		{"an unknown field in the second document", "a: 1\n---\n" + strings.Replace(widget, "size", "sise", 1), ":6:8: error: Widget w: unknown field \"spec.sise\" [PIPE-006] (hint: did you mean `size`?)", exitRefused},
		{"a definition of v1beta1", strings.ReplaceAll(beta, "idget", "adget"), ":1:13: error: CustomResourceDefinition wadgets.example.com: no server serves apiextensions.k8s.io/v1beta1 since Kubernetes 1.22: write the definition for apiextensions.k8s.io/v1", exitRefused},
	} {
		t.Run(c.name, func(t *testing.T) {
			writeFiles(t, map[string]string{
				"crd.yaml": widgets, "in/bad.yaml": c.text, "in/good.yaml": widget,
			})
			lines, code := judged(t, "--crd", "crd.yaml", "in")
			want := filepath.Join("in", "bad.yaml") + c.want + "\n"
			if diff := cmp.Diff(want, lines); diff != "" || code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, diff)
			}
			_, out, _ := execute(t, "", "validate", "--crd", "crd.yaml", "in", "-v")
			if !strings.Contains(out, filepath.Join("in", "good.yaml")+":1:1: accepted: Widget w") {
				t.Errorf("the good object is not judged:\n%s", out)
			}
		})
	}
}

// Files without a separator become one document, of which the last keys count.
// The definition is lost, which must not go unseen.
func TestJoinedDocuments(t *testing.T) {
	writeFiles(t, map[string]string{"joined.yaml": widgets + widget})
	lines, code := judged(t, "joined.yaml")
	want := "joined.yaml:17:1: error: Widget w: the key \"apiVersion\" occurs twice: kubectl " +
		"takes the last value, kustomize refuses the file [PIPE-006] " +
		"(hint: two documents may be joined: put a line --- between them)\n"
	if !strings.HasPrefix(lines, want) || strings.Count(lines, "\n") != 4 || code != exitRefused {
		t.Errorf("exit code %d, %s", code, lines)
	}
}

// The output for machines is as its schemas say.
func TestOutputIsAsItsSchemasSay(t *testing.T) {
	checkSchemas(t, filepath.Join("..", "..", "examples"))
}

func TestOutputForCorpus(t *testing.T) { checkSchemas(t, corpus.Folder(t)) }

func checkSchemas(t *testing.T, folder string) {
	t.Helper()
	schemas := map[string]string{
		"json":  filepath.Join("internal", "output", "schema.json"),
		"sarif": filepath.Join("internal", "output", "testdata", "sarif-schema-2.1.0.json"),
	}
	for format, file := range schemas {
		schema, err := jsonschema.NewCompiler().Compile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, out, _ := execute(t, "", "validate", "-v", "-o", format, folder)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// Objects of a refused definition are not judged, unless that is forced.
func TestRefusedDefinition(t *testing.T) {
	refused := strings.Replace(widgets, "widgets.example", "wadgets.example", 1)
	writeFiles(t, map[string]string{"crd.yaml": refused, "w.yaml": widget})
	_, out, _ := execute(t, "", "validate", ".")
	if !strings.Contains(out, "1 object: 0 accepted, 0 refused, 1 not judged; "+
		"1 definition: 0 accepted, 1 refused\n"+
		"not judged, its definition is refused: 1 example.com/v1 Widget\n") {
		t.Error(out)
	}
	_, out, _ = execute(t, "", "validate", "--force", ".")
	const want = "1 object: 1 accepted, 0 refused; 1 definition: 0 accepted, 1 refused\n"
	if !strings.Contains(out, want) {
		t.Error(out)
	}
}

// Objects may come before their definition, which may be an item of a list. Of
// two definitions the last one counts.
func TestDefinitionsAnywhere(t *testing.T) {
	list := "apiVersion: v1\nkind: List\nitems:\n- " +
		strings.ReplaceAll(strings.TrimSpace(widgets), "\n", "\n  ") + "\n"
	other := strings.Replace(widgets, "integer", "string", 1)
	writeFiles(t, map[string]string{"a.yaml": widget + "---\n" + list, "z.yaml": other})
	lines, code := judged(t, "a.yaml")
	if lines != "" || code != exitOK {
		t.Errorf("exit code %d, %s", code, lines)
	}
	lines, code = judged(t, "a.yaml", "z.yaml")
	want := "a.yaml:4:14: error: Widget w: spec.size: Invalid value: \"integer\": " +
		"spec.size in body must be of type string: \"integer\" [VAL-020]"
	if !strings.HasPrefix(lines, want) || code != exitRefused {
		t.Errorf("exit code %d, %s", code, lines)
	}
	if !strings.Contains(lines, "z.yaml:1:1: warning: CustomResourceDefinition "+
		"widgets.example.com: Widget.example.com is defined at a.yaml:9:3 too; "+
		"objects are judged by this definition\n") {
		t.Error(lines)
	}
}

// Commands that judge by definitions warn of one that occurs twice, and take
// the last one.
func TestDuplicateDefinitions(t *testing.T) {
	other := strings.Replace(widgets, "integer", "string", 1)
	writeFiles(t, map[string]string{
		"a.yaml": widgets, "b.yaml": other, "new/a.yaml": widgets, "new/b.yaml": other,
		"o.yaml": strings.Replace(widget, "size: 1", "size: a", 1),
		"w.crdtest.yaml": "cases:\n- {name: a, create: {apiVersion: example.com/v1, kind: Widget, " +
			"metadata: {name: w}, spec: {size: a}}}\n",
	})
	for _, args := range [][]string{
		{"admit", "--crd", "a.yaml", "--crd", "b.yaml", "o.yaml"},
		{"get", "--crd", "a.yaml", "--crd", "b.yaml", "o.yaml"},
		{"test", "--crd", "a.yaml", "--crd", "b.yaml", "w.crdtest.yaml"},
		{"upgrade", "b.yaml", "new"},
		{"validate", "a.yaml", "b.yaml", "o.yaml"},
	} {
		code, out, errs := execute(t, "", args...)
		if text := errs + out; code != exitOK || !strings.Contains(text, "a.yaml:1:1") ||
			!strings.Contains(text, "twice") && !strings.Contains(text, "too;") {
			t.Errorf("%s: exit code %d, %s%s", args[0], code, errs, out)
		}
	}
}

// The output does not depend on the number of processors, and a long stream is
// not held in memory.
func TestOrderOfResults(t *testing.T) {
	var text strings.Builder
	text.WriteString(widgets)
	for i := range 2000 {
		fmt.Fprintf(&text, "---\napiVersion: example.com/v1\nkind: Widget\n"+
			"metadata: {name: w%d}\nspec: {f%d: x}\n", i, i)
	}
	writeFiles(t, map[string]string{"w.yaml": text.String()})
	var first string
	for _, n := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(n)
		code, out, _ := execute(t, "", "validate", "w.yaml")
		runtime.GOMAXPROCS(before)
		if first == "" {
			first = out
		}
		if out != first || code != exitRefused {
			t.Errorf("%d processors: another output", n)
		}
	}
	if got := strings.Count(first, "\n"); got != 2000+2 {
		t.Errorf("%d lines", got)
	}
}

// A pipe and the standard input can be read twice: for definitions and objects.
func TestStreams(t *testing.T) {
	long := strings.Repeat(widget+"---\n", 3)
	code, out, _ := execute(t, long+widgets, "validate", "-", "-")
	const want = "3 objects: 3 accepted, 0 refused; 1 definition: 1 accepted"
	if code != exitOK || !strings.Contains(out, want) {
		t.Errorf("exit code %d, %s", code, out)
	}
}

// A full disk is an error, not a verdict.
func TestOutputIsFull(t *testing.T) {
	writeFiles(t, map[string]string{"w.yaml": widgets + "---\n" + widget})
	for _, format := range []string{"text", "json", "yaml", "sarif", "junit", "github"} {
		var errs bytes.Buffer
		std := streams{strings.NewReader(""), fullDisk{}, &errs}
		code := run(context.Background(), []string{"validate", "w.yaml", "-o", format}, std)
		if code != exitFailed || !strings.Contains(errs.String(), io.ErrShortWrite.Error()) {
			t.Errorf("%s: exit code %d, %s", format, code, errs.String())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// A definition of --crd is not what is judged: without another document that is
// judged, the exit code says so.
func TestNothingJudged(t *testing.T) {
	writeFiles(t, map[string]string{
		"crd.yaml": widgets, "w.yaml": widget,
		"other.yaml": "apiVersion: example.org/v1\nkind: T\nmetadata: {name: t}\n",
	})
	for args, want := range map[string]int{
		"validate --crd crd.yaml other.yaml":          exitNotJudged,
		"admit --crd crd.yaml other.yaml":             exitNotJudged,
		"validate --crd crd.yaml crd.yaml other.yaml": exitOK,
		"validate --crd crd.yaml other.yaml w.yaml":   exitOK,
		"admit --crd crd.yaml other.yaml w.yaml":      exitOK,
	} {
		if code, out, errs := execute(t, "", strings.Fields(args)...); code != want {
			t.Errorf("%s: exit code %d, want %d\n%s%s", args, code, want, out, errs)
		}
	}
}
