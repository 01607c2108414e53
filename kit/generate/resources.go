package generate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// Resources makes custom resources of one version of a definition. It is
// immutable and safe for concurrent use. Resources come from [NewResources] and
// [ParseResources].
type Resources struct {
	ctx       context.Context // of searches, nil for none
	budget    *Budget         // that searches share, nil for none
	identity  Identity
	version   *crdsem.Version
	hasStatus bool // the status is a subresource

	// main is the part of the schema that creates and updates write, status the
	// part that status updates write.
	main, status                           objectgen.Node
	createPlaces, mainPlaces, statusPlaces func() *objectgen.Places
}

// Identity says what resource an object is.
type Identity struct {
	// Group, Version and Kind make apiVersion and kind, e.g. example.com, v1
	// and Widget.
	Group, Version, Kind string
	// Namespaced reports whether objects have a namespace.
	Namespaced bool
}

// ParseResources is NewResources for a CustomResourceDefinition as JSON or
// YAML.
func ParseResources(crd []byte, version string) (*Resources, error) {
	def, err := crdsem.Parse(crd)
	if err != nil {
		return nil, err
	}
	return NewResources(def, version)
}

// NewResources returns a Resources for one version of a definition. An empty
// version stands for the storage version. It fails if the definition does not
// serve the version or has no schema for it.
func NewResources(def *crdsem.Definition, version string) (*Resources, error) {
	model := def.Model()
	declared, err := versionOf(model, version)
	if err != nil {
		return nil, err
	}
	s := &Resources{
		identity: Identity{
			Group: model.Group(), Version: declared.Name, Kind: model.Names().Kind,
			Namespaced: model.Scope() == definition.Namespaced,
		},
		hasStatus: declared.HasStatus,
	}
	if s.version, err = def.Version(declared.Name); err != nil {
		return nil, err
	}
	s.main = objectgen.NodeOf(s.version.Schema())
	if s.hasStatus {
		s.main = objectgen.PartOf(s.version.Schema(), objectgen.WithoutStatus)
		s.status = objectgen.PartOf(s.version.Schema(), objectgen.StatusOnly)
	}
	s.createPlaces = placesOf(s.main, objectgen.OnCreate)
	s.mainPlaces = placesOf(s.main, objectgen.OnUpdate)
	s.statusPlaces = placesOf(s.status, objectgen.OnUpdate)
	return s, nil
}

// placesOf returns a function that lists the places of a schema once.
func placesOf(root objectgen.Node, event objectgen.Event) func() *objectgen.Places {
	return sync.OnceValue(func() *objectgen.Places { return objectgen.NewPlaces(root, event) })
}

// versionOf finds a version that has a schema.
func versionOf(model *definition.Model, name string) (*definition.Version, error) {
	if model.Group() == "" || model.Names().Kind == "" {
		return nil, errors.New("not a CustomResourceDefinition: it has no group or no kind")
	}
	found := model.Version(name)
	if name == "" {
		found = model.StorageVersion()
	}
	switch {
	case found == nil && name == "":
		return nil, errors.New("no version is stored")
	case found == nil:
		return nil, fmt.Errorf("there is no version %q", name)
	case found.Schema() == nil:
		return nil, fmt.Errorf("version %q has no schema", found.Name)
	}
	return found, nil
}

// Within returns Resources whose searches end with a context. Their error is
// then the context's.
func (s *Resources) Within(ctx context.Context) *Resources {
	bounded := *s
	bounded.ctx = ctx
	return &bounded
}

// Identity returns what resource the objects are.
func (s *Resources) Identity() Identity { return s.identity }

// Keywords lists the keywords that Broken can break, in order.
func (s *Resources) Keywords() []string { return slices.Clone(s.createPlaces().Keywords) }

// The effort of a search: how many objects are made, and how often each is
// repaired.
const (
	maxAttempts       = 12
	maxWantedAttempts = 4 // with a particular node: another place may be easier
)

// Valid makes a valid object. It fails with an *UnmadeError if it finds none.
func (s *Resources) Valid(r *rand.Rand) (map[string]any, error) {
	m := &objectgen.Maker{Rand: r, Kind: objectgen.Valid}
	return s.create(m, s.creation(m), nil)
}

// Boundary makes a boundary object. It fails with an *UnmadeError if it finds
// none.
func (s *Resources) Boundary(r *rand.Rand) (map[string]any, error) {
	m := &objectgen.Maker{Rand: r, Kind: objectgen.Boundary}
	return s.create(m, s.creation(m), nil)
}

// create makes objects until one is admitted, each with fewer optional fields
// than the one before. It prefers an object that has a wanted node.
func (s *Resources) create(
	m *objectgen.Maker, q *request, wanted objectgen.NodePath,
) (map[string]any, error) {
	if q.effort.isOver() {
		return nil, q.unmade(m, &UnmadeError{Wanted: "valid object"})
	}
	var near nearest
	var other map[string]any // admitted, without the wanted node
	attempts, sparse := maxAttempts, 0.0
	if wanted != nil {
		attempts, sparse = maxWantedAttempts, 0.5
	}
	for attempt := range attempts {
		m.Sparse = sparse + (1-sparse)*float64(attempt)/float64(attempts-1)
		object, isObject := m.New(q.schema, wanted).(map[string]any)
		if !isObject {
			continue
		}
		result := settle(m, object, q, wanted)
		switch {
		case result.Admitted() && wanted.In(object):
			return object, nil
		case result.Admitted():
			other = object
		}
		near.see(result)
		if q.exhausted() {
			break
		}
	}
	if other != nil {
		return other, nil
	}
	return nil, q.unmade(m, near.unmade("valid object"))
}

// Update makes a valid new state of a valid object: a few of its values are
// changed or, if none can be, its labels. It fails with an *UnmadeError if the
// server rejects even that. The old object is not changed.
func (s *Resources) Update(r *rand.Rand, old map[string]any) (map[string]any, error) {
	q := s.replacement(old)
	if changed := changeAnywhere(r, q, old); changed != nil {
		return changed, nil
	}
	labelled := jsonvalue.DeepCopyMap(old)
	addLabel(labelled)
	result := q.send(q.effort.context(), labelled)
	if !result.Admitted() {
		return nil, q.unmade(&objectgen.Maker{}, (&nearest{result}).unmade("update"))
	}
	return labelled, nil
}

// UpdateStatus makes an object for the status subresource of a valid object,
// with a valid status that differs from the old one. It fails with an
// *UnmadeError if it finds none, or if the status is no subresource. The old
// object is not changed.
func (s *Resources) UpdateStatus(r *rand.Rand, old map[string]any) (map[string]any, error) {
	if err := s.checkStatus(); err != nil {
		return nil, err
	}
	q := s.statusReplacement(old)
	if changed := changeAnywhere(r, q, old); changed != nil {
		return changed, nil
	}
	return nil, q.unmade(&objectgen.Maker{}, &UnmadeError{Wanted: "status that differs"})
}

// checkStatus returns an error if there is no status to write.
func (s *Resources) checkStatus() error {
	switch {
	case !s.hasStatus:
		return &UnmadeError{Wanted: "status", Err: errors.New("it is no subresource")}
	case len(s.status.PropertyNames()) == 0:
		return &UnmadeError{Wanted: "status", Err: errors.New("the schema has none")}
	}
	return nil
}

// changeAnywhere returns a copy of an object with a few values changed so that
// the request is admitted; nil if it found none.
func changeAnywhere(r *rand.Rand, q *request, old map[string]any) map[string]any {
	for attempt := range 2 * maxAttempts {
		m := q.maker(r, objectgen.Valid)
		m.Sparse = float64(attempt) / (2 * maxAttempts)
		changed := jsonvalue.DeepCopyMap(old)
		for range objectgen.Between(r, 1, 3) {
			if another, ok := m.Change(q.schema, changed).(map[string]any); ok {
				changed = another
			}
		}
		if settle(m, changed, q, nil).Admitted() && !jsonvalue.EqualNumbers(changed, old) {
			return changed
		}
		if q.exhausted() {
			break
		}
	}
	return nil
}

// addLabel gives an object a label that it did not have.
func addLabel(object map[string]any) {
	labels := memberObject(memberObject(object, "metadata"), "labels")
	for i := 0; ; i++ {
		if name := "label-" + strconv.Itoa(i); labels[name] == nil {
			labels[name] = "changed"
			return
		}
	}
}

// memberObject returns a member that is an object; it adds an empty one if
// it is missing.
func memberObject(object map[string]any, name string) map[string]any {
	member, ok := object[name].(map[string]any)
	if !ok {
		member = map[string]any{}
		object[name] = member
	}
	return member
}

// identify gives an object its apiVersion, kind and metadata. It keeps a name
// that every resource may have, and makes one otherwise.
func (s *Resources) identify(m *objectgen.Maker, object map[string]any) {
	object["apiVersion"] = s.identity.Group + "/" + s.identity.Version
	object["kind"] = s.identity.Kind
	metadata := map[string]any{}
	if had, ok := object["metadata"].(map[string]any); ok {
		metadata["name"] = had["name"]
	}
	if name, _ := metadata["name"].(string); !isName(name) {
		metadata["name"] = s.newName(m)
	}
	if s.identity.Namespaced {
		metadata["namespace"] = "default"
	}
	object["metadata"] = metadata
}

// newName makes the name of an object. If the schema restricts names, it is one
// that the schema allows.
func (s *Resources) newName(m *objectgen.Maker) string {
	metadata, _ := s.main.Property("metadata")
	if schema, ok := metadata.Property("name"); ok {
		for range maxAttempts {
			if name, _ := m.Below(schema, nil, 0).(string); isName(name) {
				return name
			}
		}
	}
	prefix := objectgen.Pick(m.Rand, "a", "example", "my-object", "x.y")
	return prefix + "-" + strconv.Itoa(m.Rand.IntN(1e6))
}

// isName reports whether a string is a name that every resource may have: a
// DNS subdomain that is not long.
func isName(s string) bool {
	return len(s) <= 63 && len(validation.IsDNS1123Subdomain(s)) == 0
}
