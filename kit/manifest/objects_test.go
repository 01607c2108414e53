package manifest_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/manifest"
)

// texts are files with objects and without.
var texts = map[string]string{
	"two.yaml":      "kind: A\n---\nkind: B\n",
	"list.yaml":     "apiVersion: v1\nkind: List\nitems: [{kind: C}, {kind: D}]\n",
	"none.yaml":     "# nothing\n",
	"broken.yaml":   "kind: [\n",
	"scalar.yaml":   "kind: E\n---\njust text\n---\nkind: F\n",
	"badlist.yaml":  "apiVersion: v1\nkind: List\nitems: [1, {kind: G}]\n---\nkind: H\n",
	"twice.yaml":    "kind: H\nkind: I\n",
	"d/none.yaml":   "# nothing\n",
	"d/crd.yaml":    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n",
	"d/beta.yaml":   "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n",
	"e/other.yaml":  "apiVersion: example.com/v1\nkind: CustomResourceDefinition\n",
	"e/pod.yaml":    "apiVersion: apiextensions.k8s.io/v1\nkind: Pod\n",
	"empty.yaml":    "apiVersion: v1\nkind: List\nitems: []\n",
	"f/scalar.yaml": "just text\n",
	"g/none.yaml":   "# nothing\n",
}

const (
	empty    = "the file holds no document"
	missing  = "no such file or directory"
	noCRD    = "no CustomResourceDefinition"
	noItem   = "items[0]: expected an object, got integer, of a document"
	noObject = "expected an object, got string, of a document"
)

func writeTexts(t *testing.T) {
	t.Helper()
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	write(t, names...)
	for name, text := range texts {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// lines returns the kinds of objects, and errors. It stops after some of them.
func lines(all func(func(manifest.Object, error) bool), most int) (list []string) {
	for o, err := range all {
		line := fmt.Sprintf("%v %d", o.Content["kind"], len(o.Strict))
		if err != nil {
			line = "error " + filepath.ToSlash(err.Error())
			if o.Document != nil {
				line += ", of a document"
			}
		}
		if list = append(list, line); len(list) == most {
			break
		}
	}
	return list
}

// Objects of sources come in order, and an error is one of them. A walk stops
// where its caller does.
func TestObjectsOfSources(t *testing.T) {
	writeTexts(t)
	for _, c := range []struct{ paths, want []string }{
		{[]string{"two.yaml", "list.yaml"}, []string{"A 0", "B 0", "C 0", "D 0"}},
		{[]string{"none.yaml", "two.yaml"}, []string{"error none.yaml: " + empty, "A 0", "B 0"}},
		{[]string{"d/none.yaml", "empty.yaml", "two.yaml"},
			[]string{"error d/none.yaml: " + empty, "A 0", "B 0"}},
		{[]string{"broken.yaml", "two.yaml"},
			[]string{"error broken.yaml:2:1: yaml: did not find expected node content, of a document", "A 0", "B 0"}},
		{[]string{"scalar.yaml"}, []string{"E 0", "error scalar.yaml:3:1: " + noObject, "F 0"}},
		{[]string{"badlist.yaml"}, []string{"G 0", "error badlist.yaml:3:9: " + noItem, "H 0"}},
		{[]string{"twice.yaml"}, []string{"I 1"}},
		{[]string{"missing.yaml", "two.yaml"}, []string{"error missing.yaml: " + missing, "A 0", "B 0"}},
		{[]string{"d"}, []string{"CustomResourceDefinition 0", "CustomResourceDefinition 0"}},
	} {
		for most := 1; most <= len(c.want); most++ {
			got := lines(manifest.Objects(manifest.Find(c.paths, nil)), most)
			if diff := cmp.Diff(c.want[:most], got); diff != "" {
				t.Errorf("%v, %d: %s", c.paths, most, diff)
			}
		}
		got := lines(manifest.Objects(manifest.Find(c.paths, nil)), 100)
		if len(got) != len(c.want) {
			t.Errorf("%v: %q", c.paths, got)
		}
	}
}

// Parse yields what Objects does of one file, but no error without a document.
func TestParse(t *testing.T) {
	for text, want := range map[string][]string{
		texts["two.yaml"]:     {"A 0", "B 0"},
		texts["none.yaml"]:    nil,
		texts["scalar.yaml"]:  {"E 0", "error f:3:1: " + noObject, "F 0"},
		texts["badlist.yaml"]: {"G 0", "error f:3:9: " + noItem, "H 0"},
	} {
		for most := 1; most <= len(want)+1; most++ {
			got := lines(manifest.Parse("f", strings.NewReader(text)), most)
			if diff := cmp.Diff(want[:min(most, len(want))], got); diff != "" {
				t.Errorf("%s, %d: %s", text, most, diff)
			}
		}
	}
	in := io.MultiReader(strings.NewReader(texts["two.yaml"]), broken{})
	got := lines(manifest.Parse("f", in), 100)
	if diff := cmp.Diff([]string{"A 0", "B 0", "error f: unexpected EOF"}, got); diff != "" {
		t.Error(diff)
	}
}

// Other objects are left out. A path without a definition is an error, unless
// it has an empty list.
func TestDefinitions(t *testing.T) {
	writeTexts(t)
	const crd = "CustomResourceDefinition 0"
	for _, c := range []struct{ paths, want []string }{
		{[]string{"d"}, []string{crd, crd}},
		{[]string{"d", "d/crd.yaml"}, []string{crd, crd}},
		{[]string{"d/crd.yaml", "d"}, []string{crd, crd}},
		{[]string{"e", "d/crd.yaml"}, []string{"error e: " + noCRD, crd}},
		{[]string{"two.yaml"}, []string{"error two.yaml: " + noCRD}},
		{[]string{"none.yaml", "d/crd.yaml"}, []string{"error none.yaml: " + empty, crd}},
		{[]string{"empty.yaml"}, nil},
		{[]string{"g"}, []string{"error g: " + noCRD}},
		{[]string{"two.yaml", "./two.yaml"}, []string{"error two.yaml: " + noCRD}},
		{[]string{"none.yaml", "none.yaml"}, []string{"error none.yaml: " + empty}},
		{[]string{"e", "e/pod.yaml", "e/other.yaml"}, []string{"error e: " + noCRD}},
		{[]string{"-", "d/crd.yaml"}, []string{crd, crd}},
		{[]string{"broken.yaml", "d/crd.yaml"}, []string{"error broken.yaml:2:1: " +
			"yaml: did not find expected node content, of a document", crd}},
		{[]string{"f"}, []string{"error f/scalar.yaml:1:1: " + noObject}},
		{[]string{"missing", "d/crd.yaml"}, []string{"error missing: " + missing, crd}},
	} {
		for most := 1; most <= len(c.want)+1; most++ {
			beta := strings.NewReader(texts["d/beta.yaml"])
			got := lines(manifest.Definitions(c.paths, beta), most)
			if diff := cmp.Diff(c.want[:min(most, len(c.want))], got); diff != "" {
				t.Errorf("%v, %d: %s", c.paths, most, diff)
			}
		}
	}
	for path, want := range map[string]error{
		"e": manifest.ErrNoDefinition, "none.yaml": manifest.ErrEmpty,
	} {
		for _, err := range manifest.Definitions([]string{path}, nil) {
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", path, err, want)
			}
		}
	}
}

func TestExpand(t *testing.T) {
	write(t, "a.yaml", "b.yaml", "c[1].yaml", "d/e.yaml")
	for _, c := range []struct {
		paths, want []string
		err         string
	}{
		{[]string{"x", "?.yaml", "c[1].yaml", "d"},
			[]string{"x", "a.yaml", "b.yaml", "c[1].yaml", "d"}, ""},
		{[]string{"a.yaml", "z*"}, nil, "z*: no file matches"},
		{[]string{"[a-"}, nil, "[a-: syntax error in pattern"},
	} {
		got, err := manifest.Expand(c.paths)
		if diff := cmp.Diff(c.want, got); diff != "" || (c.err == "") != (err == nil) ||
			err != nil && err.Error() != c.err {
			t.Errorf("%v: %v, want %s: %s", c.paths, err, c.err, diff)
		}
	}
	got := names(manifest.Find([]string{"[a-", "a.yaml"}, nil))
	if diff := cmp.Diff([]string{"error [a-", "a.yaml"}, got); diff != "" {
		t.Error(diff)
	}
}
