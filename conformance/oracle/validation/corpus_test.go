package validation_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// realCases holds the schemas and objects of real definitions.
type realCases struct {
	schemas map[string][]byte // by definition and version
	objects []realObject
}

type realObject struct {
	path, schema string
	object       map[string]any
}

// loadReal reads the corpus. Without a corpus it skips the test.
func loadReal(t testing.TB) *realCases {
	t.Helper()
	real := &realCases{schemas: map[string][]byte{}}
	for _, s := range corpus.Schemas(t) {
		real.schemas[s.Definition+" "+s.Version] = s.Text
	}
	for _, o := range corpus.Objects(t) {
		schema := o.Definition + " " + o.Version
		if real.schemas[schema] == nil {
			continue // no definition has its version
		}
		text, err := yaml.YAMLToJSON(o.Text)
		if err != nil {
			t.Fatalf("%s: %v", o.Path, err)
		}
		var object map[string]any
		if err := utiljson.Unmarshal(text, &object); err != nil {
			t.Fatalf("%s: %v", o.Path, err)
		}
		real.objects = append(real.objects, realObject{o.Path, schema, object})
	}
	return real
}

// admitted returns an object pruned and defaulted, as validation sees it.
func (s *subject) admitted(object map[string]any) map[string]any {
	object = deepCopy(object).(map[string]any)
	pruning.Prune(object, s.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.structural)
	defaulting.Default(object, s.structural)
	return object
}

// Every object of the corpus, and mutated copies, have the same errors in both
// implementations.
func TestCorpus(t *testing.T) {
	real := loadReal(t)
	g := generator{rand.New(rand.NewPCG(seed(t), 1))}
	copies := max(1, cases(t)/3000)
	subjects := map[string]*subject{}
	valid, compared := 0, 0
	for _, o := range real.objects {
		s := subjects[o.schema]
		if s == nil {
			var err error
			if s, err = newSubject(real.schemas[o.schema]); err != nil {
				t.Fatalf("%s: %v", o.schema, err)
			}
			subjects[o.schema] = s
		}
		object := s.admitted(o.object)
		if s.ours.Validate(context.Background(), object) == nil {
			valid++
		}
		for i := range copies + 1 {
			changed := object
			if i > 0 {
				changed, _ = g.changed(object, pick(g, 1, 2, 4)).(map[string]any)
			}
			compared++
			if c, realErrs, ours := s.difference(changed, object); c != nil {
				t.Fatalf("%s: %s differs\nobject %s\nreal %q\nours %q", o.path, c.name,
					encode(t, changed), realErrs, ours)
			}
		}
	}
	t.Logf("%d objects of %d schemas, %d valid, %d compared", len(real.objects), len(subjects),
		valid, compared)
}
