package generate

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Resources makes whole custom resources of one version: with apiVersion, kind and
// a name. What it calls valid, the server admits as it is, nothing of it pruned: by the
// schema, by its rules and by all else that is asked of a resource. What it calls
// broken, the server refuses at the told path. The server is the facade's, so nothing is
// called. It is immutable and safe for concurrent use.
type Resources struct {
	identity  Identity
	version   *crdsem.Version
	hasStatus bool // the status is a subresource

	main, status             node // what a create or update, and what a status update is to keep
	mainPlaces, statusPlaces func() *places
	createPlaces             func() *places
}

// NewResources returns what makes the objects of a schema, an openAPIV3Schema as
// decoded JSON, without subresources. The schema is kept and must not be changed any
// more. It fails where a server could not serve the schema.
func NewResources(schema map[string]any, of Identity) (*Resources, error) {
	scope := "Cluster"
	if of.Namespaced {
		scope = "Namespaced"
	}
	plural := strings.ToLower(of.Kind) + "s"
	document, err := json.Marshal(node{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": node{"name": plural + "." + of.Group},
		"spec": node{"group": of.Group, "scope": scope, "names": node{"kind": of.Kind, "plural": plural}, "versions": []any{
			node{"name": of.Version, "served": true, "storage": true, "schema": node{"openAPIV3Schema": schema}},
		}},
	})
	if err != nil {
		return nil, err
	}
	return newResources(document, schema, of)
}

// ParseResources returns what makes the objects of one version of a
// CustomResourceDefinition, given as JSON or YAML; an empty version stands for the
// one that is stored. It fails if the text is no definition, or does not serve such a
// version or has no schema for it.
func ParseResources(crd []byte, version string) (*Resources, error) {
	document, _, err := jsonvalue.DecodeObject(crd)
	if err != nil {
		return nil, err
	}
	spec, _ := document["spec"].(map[string]any)
	declared, _ := spec["names"].(map[string]any)
	of := Identity{Namespaced: spec["scope"] == "Namespaced"}
	of.Group, _ = spec["group"].(string)
	of.Kind, _ = declared["kind"].(string)
	if of.Group == "" || of.Kind == "" {
		return nil, errors.New("not a CustomResourceDefinition: it has no group or no kind")
	}
	schema, err := schemaOf(spec, version, &of)
	if err != nil {
		return nil, err
	}
	return newResources(crd, schema, of)
}

// newResources compiles a definition, the schema of which is known.
func newResources(crd []byte, schema node, of Identity) (*Resources, error) {
	def, err := crdsem.Parse(crd)
	if err != nil {
		return nil, err
	}
	s := &Resources{identity: of, main: schema}
	if s.version, err = def.Version(of.Version); err != nil {
		return nil, err
	}
	for _, v := range def.Model().Versions() {
		s.hasStatus = s.hasStatus || v.Name == of.Version && v.HasStatus
	}
	if s.hasStatus {
		s.main, s.status = splitStatus(schema)
	}
	s.createPlaces = sync.OnceValue(func() *places { return placesIn(s.main, onCreate) })
	s.mainPlaces = sync.OnceValue(func() *places { return placesIn(s.main, onUpdate) })
	s.statusPlaces = sync.OnceValue(func() *places { return placesIn(s.status, onUpdate) })
	return s, nil
}

// splitStatus returns a schema without its status, and with nothing but that.
func splitStatus(schema node) (main, status node) {
	main, status = maps.Clone(schema), maps.Clone(schema)
	delete(status, "required")
	properties, _ := schema["properties"].(node)
	rest := maps.Clone(properties)
	delete(rest, "status")
	main["properties"], status["properties"] = rest, node{}
	if of, ok := properties["status"].(node); ok {
		status["properties"] = node{"status": of}
	} else if schema["x-kubernetes-preserve-unknown-fields"] == true {
		status["properties"] = node{"status": node{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}
	}
	return main, status
}

// Identity returns what resource the objects are of.
func (s *Resources) Identity() Identity { return s.identity }

// Keywords lists the keywords that Broken can break, in order.
func (s *Resources) Keywords() []string { return slices.Clone(s.createPlaces().keywords) }

// How often an object is made anew, and repaired, before Resources gives up.
const (
	maxAttempts    = 12
	towardAttempts = 4
	maxRepairs     = 40
	maxErrors      = 512 // an object with more is not worth repairing
	repairsAtOnce  = 32
)

// Valid makes a valid object. It fails with an *UnmadeError where it found none, as for
// a schema that no object keeps.
func (s *Resources) Valid(r *Rand) (map[string]any, error) {
	o := &objects{r: r, kind: valid}
	return s.made(o, s.creation(o), nil)
}

// Boundary makes a boundary object; it fails like Valid.
func (s *Resources) Boundary(r *Rand) (map[string]any, error) {
	o := &objects{r: r, kind: boundary}
	return s.made(o, s.creation(o), nil)
}

// Wild makes an object with apiVersion, kind and a name that follows the schema at
// some places only.
func (s *Resources) Wild(r *Rand) map[string]any {
	o := &objects{r: r, kind: wild}
	object, _ := o.value(s.main, 0).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	delete(object, "metadata")
	s.identify(o, object)
	return object
}

// Update makes a valid new state of a valid object: a few of its values are changed, or,
// where none can be, its labels. It fails with an *UnmadeError where the server takes
// not even that. The old object is not changed.
func (s *Resources) Update(r *Rand, old map[string]any) (map[string]any, error) {
	q := s.replacement(old)
	if changed := changedAnywhere(r, q, old); changed != nil {
		return changed, nil
	}
	labelled, _ := Clone(old).(map[string]any)
	label(labelled)
	result := q.send(labelled)
	if !result.Admitted() {
		return nil, (&nearest{result}).unmade("update")
	}
	return labelled, nil
}

// UpdateStatus makes an object for the status subresource of a valid object, with a
// valid status that differs from the old one. It fails with an *UnmadeError where it
// found none, or the status is no subresource. The old object is not changed.
func (s *Resources) UpdateStatus(r *Rand, old map[string]any) (map[string]any, error) {
	if err := s.noStatus(); err != nil {
		return nil, err
	}
	if changed := changedAnywhere(r, s.statusReplacement(old), old); changed != nil {
		return changed, nil
	}
	return nil, &UnmadeError{Wanted: "status that differs"}
}

func (s *Resources) noStatus() error {
	switch {
	case !s.hasStatus:
		return &UnmadeError{Wanted: "status", Err: errors.New("it is no subresource")}
	case len(s.status["properties"].(node)) == 0:
		return &UnmadeError{Wanted: "status", Err: errors.New("the schema has none")}
	}
	return nil
}

// changedAnywhere changes values of an object so that the request is admitted; it
// returns nil where it found no way.
func changedAnywhere(r *Rand, q *request, old map[string]any) map[string]any {
	for attempt := range 2 * maxAttempts {
		o := &objects{r: r, kind: valid, sparse: float64(attempt) / (2 * maxAttempts)}
		changed, _ := Clone(old).(map[string]any)
		for range r.between(1, 3) {
			if another, ok := o.changed(q.schema, changed, 0).(map[string]any); ok {
				changed = another
			}
		}
		if settled(o, changed, q).Admitted() && !jsonvalue.EqualNumbers(changed, old) {
			return changed
		}
		if q.exhausted() {
			break
		}
	}
	return nil
}

// label gives an object a label that it did not have.
func label(object map[string]any) {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	labels, ok := metadata["labels"].(map[string]any)
	if !ok {
		labels = map[string]any{}
		metadata["labels"] = labels
	}
	for i := 0; ; i++ {
		if name := "label-" + strconv.Itoa(i); labels[name] == nil {
			labels[name] = "changed"
			return
		}
	}
}

// made makes objects until one is admitted: each more sparse than the one before, and
// changed where the server refuses it. It prefers one that has the node that a route
// leads to.
func (s *Resources) made(o *objects, q *request, toward route) (map[string]any, error) {
	var near nearest
	var other map[string]any
	attempts, sparse := maxAttempts, 0.0
	if toward != nil {
		attempts, sparse = towardAttempts, 0.5 // another route may be easier
	}
	for attempt := range attempts {
		o.sparse, o.values = sparse+(1-sparse)*float64(attempt)/float64(attempts-1), 0
		o.route, o.toward = toward, toward
		object, isMap := o.value(q.schema, 0).(map[string]any)
		o.route = nil
		if !isMap {
			continue
		}
		result := settled(o, object, q)
		switch {
		case result.Admitted() && has(object, toward):
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
	return nil, near.unmade("valid object")
}

// has reports whether a value has a node that a route leads to.
func has(v any, toward route) bool {
	if len(toward) == 0 {
		return v != nil
	}
	step, rest := toward[0], toward[1:]
	switch v := v.(type) {
	case map[string]any:
		if name, ok := strings.CutPrefix(step, memberStep); ok {
			return has(v[name], rest)
		}
		for _, member := range v {
			if has(member, rest) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return has(item, rest) })
	}
	return false
}
