package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
)

// hostile acts in a terminal and in a log, wherever it is printed raw: a
// workflow command in a line of its own, escapes, C1 controls, an old command,
// and a change of direction.
const hostile = "x\n::error::own\r\n  ::set-env name=A::b" +
	"\x1b[31m\x1b]0;t\a\u009b2J\x7f##[error]y\u202e\u2028z"

// hostileFiles writes a folder whose files, kinds, columns, rules, fields and
// values are hostile.
func hostileFiles(t *testing.T) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "a\n::error::x\x1b[31m")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	quoted := strconv.QuoteToASCII(hostile)
	for name, text := range map[string]string{
		"crd": `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
  metadata: {name: widgets.example.com}, spec: {group: example.com, scope: Namespaced,
  names: {plural: widgets, kind: Widget}, versions: [{name: v1, served: true, storage: true,
  additionalPrinterColumns: [{name: BAD, type: string, jsonPath: .spec.a, description: BAD}],
  schema: {openAPIV3Schema: {type: object, description: BAD, properties: {spec: {type: object,
  properties: {a: {type: string, enum: [BAD, b], default: BAD}, "BAD": {type: integer, maximum: 5},
  l: {type: array, maxItems: 5, items: {type: string, maxLength: 200}, x-kubernetes-validations: [
  {rule: "self.all(a, self.exists_one(b, a == b))", message: SAD}]}},
  x-kubernetes-validations: [{rule: "has(self.l)", messageExpression: "self.a"}]}}}}}]}}`,
		"changed": `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
  metadata: {name: widgets.example.com}, spec: {group: example.com, scope: Namespaced,
  names: {plural: widgets, kind: Widget}, versions: [{name: v1, served: true, storage: true,
  schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object,
  properties: {a: {type: string, enum: [b, c], default: b}, l: {type: array, items: {type: string},
  x-kubernetes-validations: [{rule: "self.all(a, self.exists_one(b, a == b))", message: SAD}]},
  "BAD": {type: integer, maximum: 3}}}}}}}]}}`,
		"refused": `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
  metadata: {name: BAD}, spec: {group: BAD, scope: BAD, names: {plural: BAD, kind: BAD,
  shortNames: [BAD], categories: [BAD]}, versions: [{name: BAD, served: true, storage: true,
  schema: {openAPIV3Schema: {type: object, properties: {BAD: {type: BAD}}}}}]}}`,
		"objects": `{apiVersion: example.com/v1, kind: Widget, metadata: {name: a, namespace: BAD,
  labels: {BAD: BAD}}, spec: {a: BAD, BAD: 7, b: BAD, l: [BAD]}}
---
{apiVersion: example.com/v1, kind: Widget, metadata: {name: BAD}, spec: {a: b, l: [], "BAD": 9}}
---
{apiVersion: example.com/v1, kind: Widget, metadata: {name: fine}, spec: {a: BAD, l: [b]}}
---
{apiVersion: BAD, kind: BAD, metadata: {name: BAD}}`,
		"broken":    `{BAD: [BAD`,
		"more":      `{apiVersion: example.com/v1, kind: Widget, metadata: {name: fine}, spec: {a: b, BAD: 3, l: [BAD]}}`,
		"s.crdtest": `{crds: "a\n::error::x\e[31m.yaml", cases: []}`,
		"t.crdtest": `{name: BAD, crds: crd.yaml, cases: [{name: BAD, create: {apiVersion: example.com/v1,
  kind: Widget, metadata: {name: x}, spec: {a: BAD, BAD: 9}}, want: {error: [BAD]}},
  {name: again, create: {apiVersion: BAD, kind: BAD}, want: {error: [BAD]}}]}`,
	} {
		text = strings.ReplaceAll(strings.ReplaceAll(text, `"BAD"`, "BAD"), "BAD", quoted)
		// The message of a rule has one line.
		text = strings.ReplaceAll(text, "SAD",
			strconv.QuoteToASCII(strings.NewReplacer("\n", "", "\r", "").Replace(hostile)))
		docs := strings.Split(text, "\n---\n")
		for i, doc := range docs {
			asJSON, err := yaml.YAMLToJSON([]byte(doc))
			switch {
			case err == nil:
				docs[i] = string(asJSON)
			case name != "broken":
				t.Fatalf("%s: %v\n%s", name, err, doc)
			}
		}
		write(t, filepath.Join(folder, name+".yaml"), strings.Join(docs, "\n---\n"))
	}
	return folder
}

// The command's own lines of the format github.
var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) (file|title)=[^\n]*$`)

// No name and no message of a file acts on a terminal or in a log, whatever is
// printed in whatever format.
func TestHostileNames(t *testing.T) {
	folder := hostileFiles(t)
	in := func(name string) string { return filepath.Join(folder, name+".yaml") }
	crd, objects := in("crd"), in("objects")
	lines := map[string][]string{
		"validate":  {"validate", "-v", folder},
		"plain":     {"validate", folder, in("missing")},
		"minors":    {"validate", "-v", "--kubernetes", "1.30-1.37", folder},
		"check":     {"check", "-v", in("crd"), in("refused")},
		"lint":      {"lint", in("crd"), in("refused")},
		"admit":     {"admit", "--explain", "--crd", crd, objects},
		"update":    {"admit", "--crd", crd, "--old", in("more"), objects},
		"cost":      {"cost", crd, in("changed")},
		"costs":     {"cost", "--kubernetes", "1.36-1.37", crd, in("changed")},
		"diff":      {"diff", "--crd", crd, objects, in("more")},
		"diff two":  {"diff", "--crd", crd, in("more"), in("fine")},
		"upgrade":   {"upgrade", "-v", "--tries", "50", crd, in("changed"), objects, in("more")},
		"convert":   {"convert", "--crd", crd, "--to", "v1", in("more")},
		"failed":    {"convert", "--crd", crd, "--to", hostile, in("more")},
		"generate":  {"generate", "--crd", crd, "-n", "5"},
		"minimal":   {"generate", "--crd", crd, "--minimal"},
		"full":      {"generate", "--crd", crd, "--full"},
		"break":     {"generate", "--crd", crd, "-n", "5", "--break"},
		"get":       {"get", "--crd", crd, in("more")},
		"get all":   {"get", "--crd", crd, objects},
		"broken":    {"get", "--crd", crd, in("broken")},
		"schema":    {"schema", "--dir", filepath.Join(folder, "s"), in("crd"), in("refused")},
		"api":       {"api", crd, in("refused")},
		"explain":   {"explain", hostile},
		"describe":  {"describe", crd},
		"page":      {"describe", "-o", "markdown", crd},
		"names":     {"describe", "--recursive", crd, hostile},
		"test":      {"test", "-v", "--cover", "--mutate", in("t.crdtest")},
		"no crds":   {"test", in("s.crdtest")},
		"config":    {"config", "--config", in("config")},
		"no config": {"config", "--config", hostile},
		"vendor":    {"vendor", "--config", in("vendor"), folder},
		"locked":    {"vendor", "--check", "--config", in("vendor"), folder},
		"sources":   {"vendor", "--init", folder},
		"suite":     {"test", "--init", crd},
		"render":    {"validate", "--kustomize", folder + hostile},
		"flag":      {"validate", "--" + hostile, folder},
		"value":     {"validate", "--kubernetes", hostile, folder},
		"verb":      {hostile},
	}
	write(t, in("fine"), strings.Replace(readFiles(t, in("more")), `"a":"b"`, `"a":"c"`, 1))
	quoted := strconv.Quote(hostile)
	write(t, in("config"), "skip: {"+quoted+": 1}\n")
	write(t, in("vendor"), "definitions: {sources: ["+quoted+"], folder: c}\n")
	for name, args := range lines {
		for _, format := range append(output.Formats(), "wide") {
			var out, errs bytes.Buffer
			run(context.Background(), append(args, "-o", format),
				streams{strings.NewReader(""), &out, &errs})
			if out.Len()+errs.Len() == 0 {
				t.Errorf("%s, %s prints nothing", name, format)
			}
			if format == "github" {
				for line := range strings.Lines(out.String()) {
					known := workflowCommand.MatchString(strings.TrimSuffix(line, "\n"))
					if strings.HasPrefix(line, ":") && !known {
						t.Errorf("%s: %q", name, line)
					}
				}
				isHarmless(t, name, strings.ReplaceAll("\n"+out.String(), "\n::", "\n"))
			} else {
				isHarmless(t, name+" as "+format, out.String())
			}
			isHarmless(t, name+" as "+format+", errors", errs.String())
			keepsValues(t, name, format, out.String())
		}
	}
}

// isHarmless fails a test if a text acts, or has a line that starts in the
// middle of a name.
func isHarmless(t *testing.T, name, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		begin := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(begin, "::"), strings.Contains(line, "##["):
			t.Errorf("%s prints a command: %q", name, line)
		case strings.HasPrefix(begin, `\u003a:`) && !strings.HasPrefix(line, "    "): // a cmp.Diff
			t.Errorf("%s prints a line break: %q", name, line)
		case strings.ContainsFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool {
			return unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) ||
				r == '\u2028'
		}):
			t.Errorf("%s prints a control character: %q", name, line)
		}
	}
}

// keepsValues fails a test if a document of data has another value than the
// hostile one.
func keepsValues(t *testing.T, name, format, text string) {
	t.Helper()
	var err error
	switch {
	case text == "":
	case format == "json" && name != "convert" && name != "failed":
		err = json.Unmarshal([]byte(text), new(any))
	case format == "yaml" && name != "generate" && name != "break":
		var value map[string]any
		if err = yaml.Unmarshal([]byte(text), &value); err == nil && name == "convert" {
			spec, _ := value["spec"].(map[string]any)
			if list, _ := spec["l"].([]any); len(list) != 1 || list[0] != hostile {
				t.Errorf("%s changes the value: %q", name, list)
			}
		}
	}
	if err != nil {
		t.Errorf("%s prints no %s: %v\n%s", name, format, err, text)
	}
}
