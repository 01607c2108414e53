package generate

import (
	"math/rand/v2"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
	"github.com/crdsem/crdsem/structural"
)

// Object makes a valid object for a schema. A nil schema asks nothing: it
// stands for any value.
func Object(r *rand.Rand, schema *structural.Schema) any {
	return newObject(r, objectgen.Valid, schema)
}

// Boundary makes a boundary object for a schema, which may be nil.
func Boundary(r *rand.Rand, schema *structural.Schema) any {
	return newObject(r, objectgen.Boundary, schema)
}

// Wild makes an object that follows a schema at some places only. A nil schema
// stands for any value.
func Wild(r *rand.Rand, schema *structural.Schema) any {
	return newObject(r, objectgen.Wild, schema)
}

func newObject(r *rand.Rand, kind objectgen.Kind, schema *structural.Schema) any {
	m := &objectgen.Maker{Rand: r, Kind: kind}
	return m.New(objectgen.NodeOf(schema), nil)
}

// Update returns a new state of an object: a few of its values are changed,
// most of them to values that the schema allows. The old object is not changed.
func Update(r *rand.Rand, schema *structural.Schema, old any) any {
	object := jsonvalue.DeepCopy(old)
	switch r.IntN(8) {
	case 0:
		return object
	case 1:
		return Mutate(r, object)
	}
	m := &objectgen.Maker{Rand: r, Kind: objectgen.Pick(r, objectgen.Valid, objectgen.Wild)}
	for range objectgen.Between(r, 1, 3) {
		object = m.Change(objectgen.NodeOf(schema), object)
	}
	return object
}

// Broken makes an object that keeps a schema but for one keyword; ok is false
// if it found no keyword to break. Junctors and rules are not broken, because
// that needs a look at the outcome: see [Resources.Broken].
func Broken(r *rand.Rand, schema *structural.Schema) (object any, broken Breakage, ok bool) {
	object = Object(r, schema)
	var sites []objectgen.Site
	for _, s := range (&objectgen.Maker{Rand: r}).Sites(
		objectgen.NodeOf(schema), object, objectgen.OnCreate) {
		if !s.IsSearched {
			sites = append(sites, s)
		}
	}
	if len(sites) == 0 {
		return object, Breakage{}, false
	}
	site := objectgen.Pick(r, sites...)
	site.Break(r)
	return object, Breakage{
		Path: site.Path(), Keyword: site.Keyword,
		Type: objectgen.ErrorType(site.Keyword, site.Value),
	}, true
}

// Breakage says what is broken in an object.
type Breakage struct {
	// Path is the field path of the broken value: names joined by dots, with
	// indexes and the keys of maps in brackets, e.g. spec.ports[0].name. It is
	// empty for the root.
	Path string `json:"path"`
	// Keyword is the keyword of the schema that is broken there, e.g.
	// minLength.
	Keyword string `json:"keyword"`
	// Rule is the expression of the broken rule, if the keyword is
	// x-kubernetes-validations.
	Rule string `json:"rule,omitempty"`
	// Type is the type of the error that the server answers with.
	Type field.ErrorType `json:"type,omitempty"`
}

// Among reports whether one of the errors is about the breakage: it is at the
// path, has the type, and its text fits the keyword. The server reports errors
// of junctors and of the formats of numbers at the root. They count for the
// path that their text names.
func (b Breakage) Among(errs field.ErrorList) bool {
	for _, err := range errs {
		if objectgen.ErrorPath(err) == b.Path && err.Type == b.Type &&
			strings.Contains(err.Detail, objectgen.Phrase(b.Keyword)) {
			return true
		}
	}
	return false
}
