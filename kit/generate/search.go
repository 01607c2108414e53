package generate

import (
	"context"
	"math/rand/v2"

	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// Search makes objects that have a certain node of the schema, e.g. to show
// what a keyword of the node refuses. Values come from [Resources.Search]. Only
// one goroutine at a time may use a Search.
type Search struct {
	resources *Resources
	random    *rand.Rand
	node      objectgen.NodePath
	isStatus  bool
	effort    *effort
}

// Search returns a search for objects that have a node. The node is a step to
// each child: ".name" to a property, "[]" to items, "{}" to the values of a
// map, e.g. [".spec", ".ports", "[]"]. A node of the status subresource is
// written with a status update. The same source gives the same objects.
//
// The search ends with the context, and once it has judged a number of objects.
func (s *Resources) Search(
	ctx context.Context, r *rand.Rand, node []string, most int,
) *Search {
	isStatus := s.hasStatus && len(node) > 0 && node[0] == objectgen.MemberStep+"status"
	return &Search{s.Within(ctx), r, node, isStatus, &effort{
		ctx: s.budget.context(ctx), left: most, budget: s.budget,
	}}
}

// Judged returns how many objects were judged.
func (s *Search) Judged() int { return s.effort.judged }

// bounded bounds a request.
func (s *Search) bounded(q *request) *request {
	q.effort = s.effort
	return q
}

// IsStatus reports whether the objects are for the status subresource.
func (s *Search) IsStatus() bool { return s.isStatus }

// Valid makes an object that is admitted and has the node, if one is found.
func (s *Search) Valid() (map[string]any, error) { return s.make(objectgen.Valid) }

// Boundary makes an object like Valid, with values at the limits of the schema.
func (s *Search) Boundary() (map[string]any, error) { return s.make(objectgen.Boundary) }

func (s *Search) make(kind objectgen.Kind) (map[string]any, error) {
	m := &objectgen.Maker{Rand: s.random, Kind: kind, Context: s.effort.ctx}
	if !s.isStatus {
		return s.resources.create(m, s.bounded(s.resources.creation(m)), s.node)
	}
	b, err := s.statusBreaker()
	if err != nil {
		return nil, err
	}
	b.m = m
	for range maxWantedAttempts {
		object := b.extend(s.node)
		if settle(m, object, b.q, s.node).Admitted() && s.node.In(object) {
			return object, nil
		}
		if b.q.exhausted() {
			break
		}
	}
	return nil, b.q.unmade(m, &UnmadeError{Wanted: "valid object"})
}

// Broken makes an object that breaks a keyword at the node, or a rule if the
// keyword is x-kubernetes-validations.
func (s *Search) Broken(keyword, rule string) (map[string]any, error) {
	b := s.resources.creationBreaker(s.random)
	s.bounded(b.q)
	if s.isStatus {
		var err error
		if b, err = s.statusBreaker(); err != nil {
			return nil, err
		}
	}
	return s.broken(b, keyword, rule)
}

// BrokenUpdate makes an object and a new state of it that breaks a keyword or a
// rule at the node. The rule may compare the two.
func (s *Search) BrokenUpdate(keyword, rule string) (old, object map[string]any, err error) {
	m := &objectgen.Maker{Rand: s.random, Kind: objectgen.Valid}
	wanted := s.node
	if s.isStatus {
		wanted = nil
	}
	if old, err = s.resources.create(m, s.bounded(s.resources.creation(m)), wanted); err != nil {
		return nil, nil, err
	}
	q := s.resources.replacement(old)
	if s.isStatus {
		b := changeBreaker(s.random, s.bounded(s.resources.statusReplacement(old)), old)
		old = b.extend(s.node)
		q = s.resources.statusReplacement(old)
	}
	object, err = s.broken(changeBreaker(s.random, s.bounded(q), old), keyword, rule)
	return old, object, err
}

func (s *Search) broken(b *breaker, keyword, rule string) (map[string]any, error) {
	target := objectgen.Target{Keyword: keyword, Rule: rule, Path: s.node}
	object, _, err := b.search("object that breaks "+keyword,
		func() (objectgen.Target, bool) { return target, true })
	return object, err
}

// statusBreaker returns a breaker of the status of a new object.
func (s *Search) statusBreaker() (*breaker, error) {
	m := &objectgen.Maker{Rand: s.random, Kind: objectgen.Valid}
	old, err := s.resources.create(m, s.bounded(s.resources.creation(m)), nil)
	if err != nil {
		return nil, err
	}
	return changeBreaker(s.random, s.bounded(s.resources.statusReplacement(old)), old), nil
}
