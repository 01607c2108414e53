package generate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/generate"
	"github.com/crdsem/crdsem/internal/unstructured"
)

// corpus returns the real definitions; the test is skipped where there are none.
func corpus(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("CRDSEM_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "corpus")
	}
	files, _ := filepath.Glob(filepath.Join(root, "*", "crds", "*.yaml"))
	if len(files) == 0 {
		t.Skip("no corpus: set CRDSEM_CORPUS")
	}
	return files
}

// schemaOnly takes out of a definition what decides besides the schema: its rules and, in its spec, subresources (a new object loses
// its status) and conversion.
func schemaOnly(document map[string]any) {
	withoutRules(document)
	spec, _ := document["spec"].(map[string]any)
	delete(spec, "subresources")
	delete(spec, "conversion")
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		delete(version, "subresources")
	}
}

func withoutRules(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["x-kubernetes-validations"].([]any); ok {
			delete(v, "x-kubernetes-validations")
		}
		for _, member := range v {
			withoutRules(member)
		}
	case []any:
		for _, item := range v {
			withoutRules(item)
		}
	}
}

// size counts the values in a value.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			n += size(member)
		}
	case []any:
		for _, item := range v {
			n += size(item)
		}
	}
	return n
}

// tally counts what was made of the corpus.
type tally struct {
	versions, valid, boundary, updates, broken     int
	noValid, noBoundary, noUpdate, noBroken        int
	values                                         int
	keywords                                       map[string]int
	versionsWithoutValid, versionsWithoutBreakages []string
}

// What is called valid is admitted by the whole way of a request, nothing pruned; what is called broken is refused at the told path.
func TestCorpus(t *testing.T) {
	count := tally{keywords: map[string]int{}}
	for _, file := range corpus(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		document, _, err := unstructured.DecodeObject(bytes.TrimPrefix(data, []byte("---\n")))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		schemaOnly(document)
		if data, err = json.Marshal(document); err != nil {
			t.Fatal(err)
		}
		def, err := crdsem.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, v := range def.Model().Versions() {
			if v.Served {
				count.version(t, filepath.Base(file)+" "+v.Name, data, def, v.Name)
			}
		}
	}
	t.Logf("%d versions: %d valid (%d not made), %d boundary (%d not made), %d updates (%d not made), %d broken (%d not made)",
		count.versions, count.valid, count.noValid, count.boundary, count.noBoundary, count.updates, count.noUpdate, count.broken, count.noBroken)
	t.Logf("broken keywords: %v", count.keywords)
	t.Logf("no valid object: %q; no broken one: %q", count.versionsWithoutValid, count.versionsWithoutBreakages)
	t.Logf("a valid object has %d values on average", count.values/max(1, count.valid))
	if count.valid < 99*count.noValid || count.broken < 99*count.noBroken || count.boundary < 99*count.noBoundary || count.updates < 19*count.noUpdate {
		t.Error("more than one in a hundred, or of the updates one in twenty, could not be made")
	}
	if count.values < 10*count.valid {
		t.Error("valid objects are next to empty")
	}
}

// seeds is how many objects of each sort are made for a version.
const seeds = 5

func (c *tally) version(t *testing.T, name string, data []byte, def *crdsem.Definition, version string) {
	c.versions++
	resources, err := generate.ParseResources(data, version)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	v, err := def.Version(version)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	valid, broken := c.valid, c.broken
	for seed := range uint64(seeds) {
		r := generate.New(seed)
		at := fmt.Sprintf("%s seed %d", name, seed)
		c.acceptable(t, at, resources, v, r)
		c.refusable(t, at, resources, v, r)
	}
	if c.valid == valid {
		c.versionsWithoutValid = append(c.versionsWithoutValid, name)
	}
	if c.broken == broken {
		c.versionsWithoutBreakages = append(c.versionsWithoutBreakages, name)
		c.noBroken -= seeds
		acceptsAnything(t, name, resources, v)
	}
}

// acceptsAnything asks whether a schema that no object could be made to break can be broken at all.
func acceptsAnything(t *testing.T, name string, resources *generate.Resources, v *crdsem.Version) {
	r := generate.New(1)
	for range 200 {
		object := resources.Wild(r)
		if result := v.Create(context.Background(), object); !result.Admitted() {
			t.Errorf("%s: nothing was found to break, but it refuses an object: %v %v", name, result.Err, result.Errors)
			return
		}
	}
}

// acceptable makes a valid object, a boundary one and an update, and asks for each whether it is admitted.
func (c *tally) acceptable(t *testing.T, at string, resources *generate.Resources, v *crdsem.Version, r *generate.Rand) {
	boundary, ok := resources.Boundary(r)
	if ok {
		c.boundary++
		admitted(t, at+" boundary", v.Create(context.Background(), boundary, crdsem.Strict), boundary)
	} else {
		c.noBoundary++
	}
	object, ok := resources.Valid(r)
	if !ok {
		c.noValid++
		return
	}
	c.valid++
	c.values += size(object)
	admitted(t, at+" valid", v.Create(context.Background(), object, crdsem.Strict), object)
	update, ok := resources.Update(r, object)
	if !ok {
		c.noUpdate++
		return
	}
	c.updates++
	admitted(t, at+" update", v.Update(context.Background(), update, object, crdsem.Strict), update)
}

func admitted(t *testing.T, at string, result *crdsem.Result, object map[string]any) {
	t.Helper()
	if !result.Admitted() || len(result.Pruned) > 0 {
		text, _ := json.Marshal(object)
		t.Errorf("%s: refused: %v %v, pruned %q\n%s", at, result.Err, result.Errors, result.Pruned, text)
	}
}

// refusable makes a broken object and asks whether it is refused where it is said to be broken.
func (c *tally) refusable(t *testing.T, at string, resources *generate.Resources, v *crdsem.Version, r *generate.Rand) {
	object, broken, ok := resources.Broken(r)
	if !ok {
		c.noBroken++
		return
	}
	c.broken++
	c.keywords[broken.Keyword]++
	result := v.Create(context.Background(), object)
	if !slices.ContainsFunc(result.Errors, func(err *field.Error) bool { return err.Field == broken.Path }) {
		text, _ := json.Marshal(object)
		t.Errorf("%s: %s at %q is not refused: %v %v\n%s", at, broken.Keyword, broken.Path, result.Err, result.Errors, text)
	}
}
