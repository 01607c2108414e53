package upgrade

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

// candidate is an object that may show a change, and for an update the object
// that it replaces.
type candidate struct{ object, old map[string]any }

// witnessSearch looks for an object that shows one change.
type witnessSearch struct {
	ctx    context.Context
	change *Change
	judged int // objects
	// judgedBuilt is how many of the built objects were judged.
	judgedBuilt int
	most        int

	admits, refuses *crdsem.Version  // for ChangesStorage: the old and the new
	before, after   *generate.Search // make objects of these versions
	// bases make the objects that others are built from.
	bases struct{ before, after *generate.Search }
	built []candidate
	at    *regexp.Regexp // matches paths of errors at the change
}

// newSearch returns the search for a witness of a change. It fails if no
// objects can be made.
func (r *Report) newSearch(
	ctx context.Context, c *Change, o options,
) (*witnessSearch, error) {
	from, to := c.Version, c.Version
	admits, refuses := r.old, r.changed
	switch {
	case c.From != "":
		from, admits = c.From, r.writtenBy(c.From)
	case c.Class == Looser:
		admits, refuses = refuses, admits
	}
	w := &witnessSearch{ctx: ctx, change: c, most: o.tries, at: pathPattern(c.Path)}
	var err error
	if w.before, w.admits, err = w.makerOf(admits, from, o); err != nil {
		return nil, err
	}
	if w.after, w.refuses, err = w.makerOf(refuses, to, o); err != nil {
		return nil, err
	}
	o.tries = DefaultTries
	if w.bases.before, _, err = w.makerOf(admits, from, o); err != nil {
		return nil, err
	}
	if w.bases.after, _, err = w.makerOf(refuses, to, o); err != nil {
		return nil, err
	}
	w.built = r.built(w, o)
	return w, nil
}

// makerOf returns a version, and what makes its objects.
func (w *witnessSearch) makerOf(
	s *side, name string, o options,
) (*generate.Search, *crdsem.Version, error) {
	resources, err := s.resources(name)
	if err != nil {
		return nil, nil, err
	}
	version, err := s.def.Version(name)
	if err != nil {
		return nil, nil, err
	}
	const mostLevels = 32
	if len(w.change.target.node) > mostLevels {
		return nil, nil, errTooLarge
	}
	node := w.change.target.node
	switch w.change.Keyword {
	case "maxItems", "x-kubernetes-list-type", "x-kubernetes-list-map-keys":
		node = append(slices.Clone(node), itemStep) // a list is broken by its items
	}
	random := rand.New(rand.NewPCG(o.seed, 0))
	return resources.Search(w.ctx, random, node, o.tries), version, nil
}

var errTooLarge = errors.New("objects of the definition may be too large to be made")

// isTooLarge reports whether a schema asks for objects that take long to make
// and to judge, e.g. for lists of a billion items.
func isTooLarge(s *structural.Schema) bool {
	const mostItems, mostText, mostRepeats = 1 << 10, 1 << 16, 1 << 11
	isLarge := false
	structural.Visit(s, structural.Visitor{Spine: func(n *structural.Schema) {
		v := n.Values()
		isLarge = isLarge || valueOr(v.MinItems, 0) > mostItems ||
			valueOr(v.MinProperties, 0) > mostItems || valueOr(v.MinLength, 0) > mostText ||
			len(v.Enum) > mostText || relang.Size(v.Pattern) > mostRepeats
	}})
	return isLarge
}

// pathPattern matches the paths of errors at a field or below it.
func pathPattern(path string) *regexp.Regexp {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(path), `\[\*\]`, `(\[[^]]*\]|\.[^.\[]+)`)
	if path == "" {
		return regexp.MustCompile(``)
	}
	return regexp.MustCompile(`^(<nil>\.?)?` + quoted + `($|[.\[])`)
}

// maxRounds is how often objects are made for one change.
const maxRounds = 6

// run returns a shrunk witness, nil if none is found.
func (w *witnessSearch) run() *Witness {
	for _, c := range w.built {
		if w.ctx.Err() != nil {
			return nil
		}
		w.judgedBuilt++
		if w.isShownBy(c) {
			return w.shrunk(c)
		}
	}
	for round := range maxRounds {
		for _, c := range w.candidates(round) {
			if w.judged == w.most || w.ctx.Err() != nil {
				return nil
			}
			w.judged++
			if !w.isShownBy(c) && w.isFailing(c) {
				c = w.minimal(c, w.isFailing) // without what else fails
			}
			if w.isShownBy(c) {
				return w.shrunk(c)
			}
		}
	}
	return nil
}

// verdicts are the judgements of both versions on one object.
type verdicts struct{ admits, refuses *crdsem.Result }

// judge asks both versions.
func (w *witnessSearch) judge(c candidate) verdicts {
	return verdicts{w.ask(w.admits, c), w.ask(w.refuses, c)}
}

// ask sends a candidate to a version: as a create, as an update if it replaces
// an object, or as an update of the status if the search is about the status.
func (w *witnessSearch) ask(
	version *crdsem.Version, c candidate, options ...crdsem.Option,
) *crdsem.Result {
	if w.change.From != "" {
		c.object, c.old = in(version, c.object), in(version, c.old)
	}
	request := crdsem.Request{Object: c.object, Old: c.old}
	if w.before.IsStatus() {
		request.Subresource = crdsem.SubresourceStatus
		if c.old == nil {
			request.Old = jsonvalue.DeepCopyMap(c.object)
			delete(request.Old, "status")
		}
	}
	return version.Do(w.ctx, request.With(options...))
}

// in returns an object in another version. Without conversion only its
// apiVersion changes.
func in(version *crdsem.Version, object map[string]any) map[string]any {
	return withVersion(object, typemeta.Of(object).Group, version.Name())
}

func withVersion(object map[string]any, group, version string) map[string]any {
	if object == nil {
		return nil
	}
	object = maps.Clone(object)
	object["apiVersion"] = group + "/" + version
	return object
}

// isShownBy reports whether an object shows the change and nothing else. The
// definition that admits it knows all its fields: no client has a reason to
// send others, and no stored object has them.
func (w *witnessSearch) isShownBy(c candidate) bool {
	v := w.judge(c)
	if !v.admits.Admitted() {
		return false
	}
	if w.change.Class == ChangesStorage {
		return v.refuses.Admitted() && w.isStoredOtherwise(v)
	}
	isBlamed := w.isBlamed(v.refuses.Errors) || w.isOfDefault(v)
	return len(v.admits.Pruned) == 0 && isBlamed && w.isRule(c, onlyRule) &&
		(!w.change.target.isIndirect || c.old != nil || w.isStoredOtherwise(v)) &&
		w.isOnlyKeyword(v) &&
		(c.old == nil || w.ask(w.admits, candidate{object: c.old}).Admitted())
}

// isOnlyKeyword reports whether the values at the change break no other keyword
// of the node.
func (w *witnessSearch) isOnlyKeyword(v verdicts) bool {
	others := w.change.target.others
	return others == nil || !slices.ContainsFunc(
		valuesAt(v.refuses.Object, w.change.target.node), func(value any) bool {
			return !others.accepts(value)
		})
}

// isFailing reports whether an object breaks the rule of the change, perhaps
// among others.
func (w *witnessSearch) isFailing(c candidate) bool {
	return w.change.target.rule != "" && w.ask(w.admits, c).Admitted() && w.isRule(c, someRule)
}

// isStoredOtherwise reports whether the values at the change differ.
func (w *witnessSearch) isStoredOtherwise(v verdicts) bool {
	return !jsonvalue.EqualNumbers(valuesAt(v.admits.Object, w.change.target.node),
		valuesAt(v.refuses.Object, w.change.target.node))
}

// isBlamed reports whether there are findings, and all are about the change.
// Findings of the branches of a junctor come with one of the junctor.
func (w *witnessSearch) isBlamed(errs field.ErrorList) bool {
	found, isJunctor := false, slices.Contains(junctors, w.change.Keyword)
	isOfBranch := w.change.target.isIndirect && slices.ContainsFunc(errs,
		func(err *field.Error) bool { return strings.HasPrefix(err.Origin, "VAL-09") })
	for _, err := range errs {
		isHere := w.at.MatchString(placeOf(err))
		switch {
		case err.Origin == unevaluated:
		case w.change.target.isIndirect && isOfOthers(err):
			found = true
		case isHere && isAbout(w.change.Keyword, err):
			found = true
		case isOfBranch: // of a branch, which comes with the junctor's
		case w.change.target.isOfParent && w.isAround(err): // the field is missing there, too
		case !isJunctor || !isHere:
			return false
		}
	}
	return found
}

// isOfDefault reports whether the findings are about values that only the new
// definition has at the change: its default.
func (w *witnessSearch) isOfDefault(v verdicts) bool {
	errs := v.refuses.Errors
	return w.change.Keyword == "default" && w.change.New != nil && !w.change.target.isIndirect &&
		len(errs) > 0 && w.isStoredOtherwise(v) &&
		!slices.ContainsFunc(errs, func(err *field.Error) bool {
			isValue := strings.HasPrefix(err.Origin, "VAL-") ||
				strings.HasPrefix(err.Origin, "FMT-")
			return err.Origin != unevaluated && (!isValue || !w.at.MatchString(placeOf(err)))
		})
}

// isAround reports whether an error is that of a junctor of an object around
// the change.
func (w *witnessSearch) isAround(err *field.Error) bool {
	return strings.HasPrefix(err.Origin, "VAL-09") &&
		pathPattern(placeOf(err)).MatchString(w.change.Path)
}

// isOfOthers reports whether an error is that of a rule, of a junctor, of a
// number of properties, or of a list type, which look at values below.
func isOfOthers(err *field.Error) bool {
	return strings.HasPrefix(err.Origin, "CEL-") || strings.HasPrefix(err.Origin, "VAL-09") ||
		err.Origin == "VAL-080" || err.Origin == "VAL-081" ||
		strings.HasPrefix(err.Origin, "LST-") ||
		strings.HasPrefix(err.Origin, "PIPE-040")
}

// placeOf returns the field of an error. That of a junctor or of the range of
// numbers is in its detail, below the field of the error if that has one: a
// status is judged alone. That of a forbidden field is its value.
func placeOf(err *field.Error) string {
	if err.Origin == "VAL-054" {
		return err.Detail[strings.LastIndex(err.Detail, " ")+1:]
	}
	if name, isText := err.BadValue.(string); isText && err.Origin == "VAL-082" {
		return strings.TrimPrefix(strings.TrimPrefix(err.Field, noField)+"."+name, ".")
	}
	if !strings.HasPrefix(err.Origin, "VAL-09") {
		return err.Field
	}
	_, rest, _ := strings.Cut(err.Detail, `"`)
	place, _, _ := strings.Cut(rest, `"`)
	switch {
	case err.Field == "" || err.Field == noField || place == "":
		return strings.TrimPrefix(err.Field, noField) + place
	case strings.HasPrefix(place, "["):
		return err.Field + place
	}
	return err.Field + "." + place
}

// noField is the field of errors of the whole object.
const noField = "<nil>"

// which says which rules may fail.
type which int

const (
	onlyRule which = iota // that of the change
	someRule              // that of the change, and others
)

// isRule reports whether the rule of the change fails, if it is one.
func (w *witnessSearch) isRule(c candidate, which which) bool {
	rule := w.change.target.rule
	if rule == "" {
		return true
	}
	found := false
	for _, x := range w.ask(w.refuses, c, crdsem.NameFailures()).Explanations {
		if x.Rule == rule {
			found = true
		} else if which == onlyRule {
			return false
		}
	}
	return found || which == onlyRule
}

// minimal returns the smallest objects for which shows is true, as far as a
// number of looks finds them.
func (w *witnessSearch) minimal(c candidate, shows func(candidate) bool) candidate {
	left := 300 // looks
	small := func(object map[string]any, with func(map[string]any) candidate) map[string]any {
		shrunk, _ := generate.ShrinkWithin(left, object, func(v any) bool {
			left--
			object, ok := v.(map[string]any)
			return ok && shows(with(object))
		}).(map[string]any)
		return shrunk
	}
	c.object = small(c.object, func(o map[string]any) candidate { return candidate{o, c.old} })
	if c.old != nil {
		c.old = small(c.old, func(o map[string]any) candidate { return candidate{c.object, o} })
	}
	return c
}

// shrunk returns the witness of the smallest objects that show the change.
func (w *witnessSearch) shrunk(c candidate) *Witness {
	c = w.minimal(c, w.isShownBy)
	if w.change.From != "" {
		c = candidate{in(w.admits, c.object), in(w.admits, c.old)}
	}
	v := w.judge(c)
	old, changed := v.admits, v.refuses
	if w.change.Class == Looser {
		old, changed = changed, old
	}
	witness := &Witness{
		Object: c.object, Replaces: c.old, Status: w.before.IsStatus(),
		Old: message(old), New: message(changed),
	}
	if w.change.Class == ChangesStorage {
		witness.StoredOld = valuesAt(old.Object, w.change.target.node)
		witness.StoredNew = valuesAt(changed.Object, w.change.target.node)
	}
	return witness
}

// message returns the server's message, empty for an admitted object.
func message(result *crdsem.Result) string {
	if err := result.Err(); err != nil {
		return err.Error()
	}
	return ""
}
