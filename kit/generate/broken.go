package generate

import (
	"math/rand/v2"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
	"github.com/crdsem/crdsem/structural"
)

// Broken makes a new object that breaks one keyword: the server rejects it with
// an error of the returned type at the returned path. Everything else is valid,
// except for consequences of the breakage, and except where no valid object has
// the keyword.
//
// One of the given keywords is broken; without any, one that the schema has
// (see [Resources.Keywords]). Broken fails with an *UnmadeError if it finds no
// such object.
func (s *Resources) Broken(
	r *rand.Rand, keywords ...string,
) (object map[string]any, broken Breakage, err error) {
	return s.creationBreaker(r).searchAny(keywords)
}

// creationBreaker returns a breaker of objects that are created.
func (s *Resources) creationBreaker(r *rand.Rand) *breaker {
	m := &objectgen.Maker{Rand: r, Kind: objectgen.Valid}
	b := &breaker{m: m, q: s.creation(m)}
	b.base = func(wanted objectgen.NodePath) (map[string]any, error) {
		other := b.q.maker(r, objectgen.Valid)
		object, err := s.create(other, b.q, wanted)
		m.Reached = m.Reached || other.Reached
		return object, err
	}
	return b
}

// BrokenUpdate makes a new state of a valid object that breaks one keyword, or
// a rule that compares it with the old object. It is like Broken otherwise. The
// old object is not changed.
func (s *Resources) BrokenUpdate(
	r *rand.Rand, old map[string]any, keywords ...string,
) (object map[string]any, broken Breakage, err error) {
	return changeBreaker(r, s.replacement(old), old).searchAny(keywords)
}

// BrokenStatus makes an object for the status subresource that breaks one
// keyword of the status. It is like BrokenUpdate otherwise.
func (s *Resources) BrokenStatus(
	r *rand.Rand, old map[string]any, keywords ...string,
) (object map[string]any, broken Breakage, err error) {
	if err := s.checkStatus(); err != nil {
		return nil, Breakage{}, err
	}
	return changeBreaker(r, s.statusReplacement(old), old).searchAny(keywords)
}

// changeBreaker returns a breaker of new states of an object.
func changeBreaker(r *rand.Rand, q *request, old map[string]any) *breaker {
	b := &breaker{m: q.maker(r, objectgen.Valid), q: q}
	b.base = func(wanted objectgen.NodePath) (map[string]any, error) {
		return b.extended(old, wanted), nil
	}
	return b
}

// breaker searches for an object that breaks a keyword.
type breaker struct {
	m *objectgen.Maker
	q *request
	// base returns a valid object to break, if possible one with a wanted node.
	base func(wanted objectgen.NodePath) (map[string]any, error)
}

// extended returns a new state of an object that has a wanted node, or the old
// state if the request does not admit the new one.
func (b *breaker) extended(old map[string]any, wanted objectgen.NodePath) map[string]any {
	changed := jsonvalue.DeepCopyMap(old)
	if len(wanted) == 0 || objectgen.Chance(b.m.Rand, 0.3) {
		return changed
	}
	b.m.Sparse = 0.8
	b.m.Extend(b.q.schema, changed, wanted)
	if settle(b.m, changed, b.q, nil).Admitted() {
		return changed
	}
	return jsonvalue.DeepCopyMap(old)
}

// extend returns the base with a node added, even if the server rejects it.
func (b *breaker) extend(wanted objectgen.NodePath) map[string]any {
	object, err := b.base(nil)
	if err != nil {
		return nil
	}
	b.m.Extend(b.q.schema, object, wanted)
	b.q.restore(object)
	return object
}

// tolerance is where a broken object may have errors.
type tolerance int

const (
	// onlyThere accepts errors at the breakage and below it.
	onlyThere tolerance = iota
	// anywhere accepts errors elsewhere too: no valid object may have the node.
	anywhere
)

// searchAny breaks one of the keywords, or one that the schema has.
func (b *breaker) searchAny(keywords []string) (map[string]any, Breakage, error) {
	wanted := "object that breaks " + strings.Join(keywords, ", ")
	if len(keywords) == 0 {
		keywords = b.q.places().Keywords
		wanted = "object that can be broken"
	}
	if len(keywords) == 0 {
		return nil, Breakage{}, &UnmadeError{Wanted: wanted}
	}
	return b.search(wanted, func() (objectgen.Target, bool) {
		return b.q.places().Target(b.m.Rand, objectgen.Pick(b.m.Rand, keywords...))
	})
}

// search makes objects and breaks them until the server rejects one for the
// breakage. The first half of the attempts accepts no errors elsewhere. Each
// attempt asks for its target; ok is false without one.
func (b *breaker) search(
	wanted string, next func() (target objectgen.Target, ok bool),
) (map[string]any, Breakage, error) {
	var err error
	for attempt := range 2 * maxAttempts {
		if b.q.exhausted() {
			break
		}
		target, ok := next()
		if !ok {
			continue
		}
		allowed := onlyThere
		if attempt >= maxAttempts {
			allowed = anywhere
		}
		var object map[string]any
		if object, err = b.prepare(target, allowed); err != nil {
			continue
		}
		if object, broken, ok := b.breakOne(object, target, allowed); ok {
			return object, broken, nil
		}
	}
	if err != nil {
		return nil, Breakage{}, err
	}
	return nil, Breakage{}, b.q.unmade(b.m, &UnmadeError{Wanted: wanted})
}

// prepare returns an object in which a target can be broken. It is valid unless
// errors are allowed anywhere.
func (b *breaker) prepare(
	target objectgen.Target, allowed tolerance,
) (object map[string]any, err error) {
	object, err = b.base(target.Path)
	if allowed == onlyThere {
		return object, err
	}
	if err != nil {
		object, err = b.base(nil)
	}
	if err == nil && !target.Path.In(object) {
		b.m.Extend(b.q.schema, object, target.Path)
	}
	return object, err
}

const (
	maxBreaks = 6 // how often one object is broken before another is made
	maxSteps  = 4 // how often a value is changed to break a junctor or rule
)

// breakOne breaks a target in copies of an object. It returns false if the
// server rejects none for that.
func (b *breaker) breakOne(
	base map[string]any, target objectgen.Target, allowed tolerance,
) (map[string]any, Breakage, bool) {
	for range maxBreaks {
		if b.q.exhausted() {
			break
		}
		object := jsonvalue.DeepCopyMap(base)
		site, ok := b.site(object, target)
		if !ok {
			break
		}
		steps := 1
		if site.IsSearched {
			steps = maxSteps
		}
		for range steps {
			site.Break(b.m.Rand)
			result := b.q.try(object)
			broken, ok := confirm(&site, result)
			if ok && (allowed == anywhere || onlyAt(result, broken.Path)) {
				return object, broken, true
			}
			if site.IsSearched && !result.Admitted() && len(result.Explanations) == 0 {
				break // it breaks something else
			}
		}
	}
	return nil, Breakage{}, false
}

// site returns one of the sites of a target; ok is false without any.
func (b *breaker) site(
	object map[string]any, target objectgen.Target,
) (site objectgen.Site, ok bool) {
	var found []objectgen.Site
	for _, s := range b.m.Sites(b.q.schema, object, b.q.places().Event) {
		if s.Keyword == target.Keyword && s.Rule.Rule == target.Rule {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return objectgen.Site{}, false
	}
	return objectgen.Pick(b.m.Rand, found...), true
}

// onlyAt reports whether all errors are at a path or below it.
func onlyAt(result *crdsem.Result, path string) bool {
	for _, err := range result.Errors {
		rest, ok := strings.CutPrefix(objectgen.ErrorPath(err), path)
		isBelow := ok && (rest == "" || path == "" || rest[0] == '.' || rest[0] == '[')
		if !isBelow && !isUnevaluated(err) {
			return false
		}
	}
	return true
}

// confirm returns the breakage of a site as the verdict has it; ok is false if
// the verdict has no error about it.
func confirm(site *objectgen.Site, result *crdsem.Result) (broken Breakage, ok bool) {
	broken = Breakage{Path: site.Path(), Keyword: site.Keyword, Rule: site.Rule.Rule}
	if site.Keyword != objectgen.Rules {
		broken.Type = objectgen.ErrorType(site.Keyword, site.Value)
		return broken, broken.Among(result.Errors)
	}
	for i := range result.Explanations {
		failed := &result.Explanations[i]
		at := strings.TrimPrefix(failed.Field, "<nil>")
		if failed.Rule != site.Rule.Rule || at != broken.Path {
			continue
		}
		if err := errorOf(site.Rule, result.Errors, broken.Path); err != nil {
			broken.Path, broken.Type = objectgen.ErrorPath(err), err.Type
			return broken, true
		}
	}
	return Breakage{}, false
}

// errorOf returns the error of a rule at a path or below it, or nil.
func errorOf(rule structural.Rule, errs field.ErrorList, path string) *field.Error {
	text := strings.TrimSpace(rule.Message)
	if text == "" {
		text = strings.TrimSpace(rule.Rule)
	}
	for _, err := range errs {
		if !strings.HasPrefix(objectgen.ErrorPath(err), path) || isUnevaluated(err) {
			continue
		}
		if len(errs) == 1 || strings.Contains(err.Detail, text) {
			return err
		}
	}
	return nil
}
