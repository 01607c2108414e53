package validation_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"sigs.k8s.io/yaml"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// corpus is real definitions and the objects of theirs.
type corpus struct {
	schemas map[string][]byte // by apiVersion, kind and file
	objects []corpusObject
}

type corpusObject struct {
	name, schema string
	object       map[string]any
}

func corpusDir() string {
	if dir := os.Getenv("CRDSEM_CORPUS"); dir != "" {
		return dir
	}
	return "../../../../shared/corpus"
}

type definition struct {
	Spec struct {
		Group    string
		Names    struct{ Kind string }
		Versions []struct {
			Name   string
			Schema struct{ OpenAPIV3Schema json.RawMessage }
		}
	}
}

// loadCorpus reads the corpus once; without one it skips the test.
func loadCorpus(t testing.TB) *corpus {
	t.Helper()
	if _, err := os.Stat(corpusDir()); err != nil {
		t.Skip("no corpus: set CRDSEM_CORPUS")
	}
	c, err := readCorpus()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var readCorpus = sync.OnceValues(func() (*corpus, error) {
	c := &corpus{schemas: map[string][]byte{}}
	byKind := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(corpusDir(), "*/crds/*.yaml"))
	for _, file := range files {
		if err := c.addDefinition(file, byKind); err != nil {
			return nil, err
		}
	}
	files, _ = filepath.Glob(filepath.Join(corpusDir(), "*/objects/*.yaml"))
	for _, file := range files {
		object, err := readYAML(file)
		if err != nil {
			return nil, err
		}
		apiVersion, _ := object["apiVersion"].(string)
		kind, _ := object["kind"].(string)
		if schema, ok := byKind[apiVersion+" "+kind]; ok {
			c.objects = append(c.objects, corpusObject{strings.TrimPrefix(file, corpusDir()), schema, object})
		}
	}
	return c, nil
})

func (c *corpus) addDefinition(file string, byKind map[string]string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if text, err = yaml.YAMLToJSON(text); err != nil {
		return err
	}
	var d definition
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	for _, v := range d.Spec.Versions {
		kind := d.Spec.Group + "/" + v.Name + " " + d.Spec.Names.Kind
		key := kind + " " + filepath.Base(file)
		c.schemas[key] = v.Schema.OpenAPIV3Schema
		if byKind[kind] == "" || !strings.Contains(filepath.Base(file), "--") {
			byKind[kind] = key
		}
	}
	return nil
}

func readYAML(file string) (map[string]any, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if text, err = yaml.YAMLToJSON(text); err != nil {
		return nil, err
	}
	var object map[string]any
	return object, utiljson.Unmarshal(text, &object)
}

// admitted is an object pruned and defaulted, as validation sees it.
func (s *subject) admitted(object map[string]any) map[string]any {
	object = deepCopy(object).(map[string]any)
	pruning.Prune(object, s.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.structural)
	defaulting.Default(object, s.structural)
	return object
}

// Every object of the corpus, and mutated copies, have the same errors in both implementations.
func TestCorpus(t *testing.T) {
	c := loadCorpus(t)
	g := generator{rand.New(rand.NewPCG(seed(t), 1))}
	copies := max(1, cases(t)/3000)
	subjects := map[string]*subject{}
	valid, compared := 0, 0
	for _, o := range c.objects {
		s := subjects[o.schema]
		if s == nil {
			var err error
			if s, err = newSubject(c.schemas[o.schema]); err != nil {
				t.Fatalf("%s: %v", o.schema, err)
			}
			subjects[o.schema] = s
		}
		object := s.admitted(o.object)
		if s.ours.Validate(object) == nil {
			valid++
		}
		for i := range copies + 1 {
			changed := object
			if i > 0 {
				changed, _ = g.changed(object, pick(g, 1, 2, 4)).(map[string]any)
			}
			compared++
			if c, realErrs, ours := s.difference(changed, object); c != nil {
				t.Fatalf("%s: %s differs\nobject %s\nreal %q\nours %q", o.name, c.name, encode(t, changed), realErrs, ours)
			}
		}
	}
	t.Logf("%d objects of %d schemas, %d valid, %d compared", len(c.objects), len(subjects), valid, compared)
}
