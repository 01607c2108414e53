package upgrade

import (
	"context"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/generate"
	"github.com/crdsem/crdsem/generate/schemagen"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// withoutAlternatives leaves out alternatives that are not shown where another
// one is.
func withoutAlternatives(changes []Change) []Change {
	isShown := map[[3]string]bool{}
	key := func(c *Change) [3]string { return [3]string{c.versions(), c.Path, c.Keyword} }
	for i := range changes {
		if changes[i].Witness != nil {
			isShown[key(&changes[i])] = true
		}
	}
	return slices.DeleteFunc(changes, func(c Change) bool {
		return c.target.isAlternative && c.Witness == nil && isShown[key(&c)]
	})
}

// maker makes objects that have a certain node.
type maker interface {
	IsStatus() bool
	Valid() (map[string]any, error)
	Boundary() (map[string]any, error)
	Broken(keyword, rule string) (map[string]any, error)
	BrokenUpdate(keyword, rule string) (old, object map[string]any, err error)
}

// candidate is an object that may show a change, and for an update the object
// that it replaces.
type candidate struct{ object, old map[string]any }

// witnessSearch looks for an object that shows one change.
type witnessSearch struct {
	ctx    context.Context
	change *Change
	random *rand.Rand
	left   int // tries
	tries  int

	admits, refuses *crdsem.Version // for ChangesStorage: the old and the new
	valid, broken   maker           // of the versions that admit and refuse
	at              *regexp.Regexp  // matches paths of errors at the change
}

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
	w := &witnessSearch{
		ctx: ctx, change: c, random: rand.New(rand.NewPCG(o.seed, 0)), left: o.tries,
		at: pathPattern(c.Path),
	}
	var err error
	if w.admits, err = admits.def.Version(from); err != nil {
		return nil, err
	}
	if w.refuses, err = refuses.def.Version(to); err != nil {
		return nil, err
	}
	if c.Keyword == "properties" && c.Class == ChangesStorage && c.Old == nil {
		admits = refuses // the field is new
	}
	if w.valid, err = w.makerOf(admits, from); err != nil {
		return nil, err
	}
	w.broken, err = w.makerOf(refuses, to)
	return w, err
}

func (w *witnessSearch) makerOf(s *side, version string) (maker, error) {
	resources, err := generate.NewResources(s.def, version)
	if err != nil {
		return nil, err
	}
	node := w.change.target.node
	switch w.change.Keyword {
	case "maxItems", "x-kubernetes-list-type", "x-kubernetes-list-map-keys":
		node = append(slices.Clone(node), itemStep) // a list is broken by its items
	}
	return resources.Search(w.random, node), nil
}

// pathPattern matches the paths of errors at a field or below it.
func pathPattern(path string) *regexp.Regexp {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(path), `\[\*\]`, `(\[[^]]*\]|\.[^.\[]+)`)
	if path == "" {
		return regexp.MustCompile(``)
	}
	return regexp.MustCompile(`^(<nil>\.?)?` + quoted + `($|[.\[])`)
}

// run returns a shrunk witness, nil if none is found in the tries that are
// left.
func (w *witnessSearch) run() *Witness {
	for round := 0; w.left > 0 && w.ctx.Err() == nil; round++ {
		before := w.left
		for _, c := range w.candidates(round) {
			if w.left == 0 {
				return nil
			}
			if w.shows(c) {
				return w.shrunk(c)
			}
		}
		if w.left == before {
			w.left-- // nothing could be made
		}
	}
	return nil
}

// candidates returns objects that may show the change: objects that one side
// admits, some at its limits, some with a hint in the place of a value, and
// objects that break the keyword on the other side.
func (w *witnessSearch) candidates(round int) []candidate {
	if w.isTransition() {
		old, object, err := w.broken.BrokenUpdate(w.change.Keyword, w.change.target.rule)
		if err != nil {
			return nil
		}
		return []candidate{{object, old}}
	}
	var list []candidate
	add := func(object map[string]any, err error) {
		if err == nil && object != nil {
			list = append(list, candidate{object: object})
		}
	}
	if w.change.Class != ChangesStorage {
		add(w.broken.Broken(w.brokenKeyword(), w.change.target.rule))
	}
	if round%2 == 0 {
		add(w.valid.Boundary())
	} else {
		add(w.valid.Valid())
	}
	if len(list) > 0 {
		for _, object := range w.planted(list[len(list)-1].object, round) {
			add(object, nil)
		}
	}
	return list
}

// isTransition reports whether the change is that of a transition rule, which
// only an update can show.
func (w *witnessSearch) isTransition() bool {
	return strings.Contains(w.change.target.rule, "oldSelf")
}

// brokenKeyword returns the keyword whose breaking may show the change.
func (w *witnessSearch) brokenKeyword() string {
	switch keyword := w.change.Keyword; keyword {
	case "exclusiveMaximum":
		return "maximum"
	case "exclusiveMinimum":
		return "minimum"
	case "x-kubernetes-list-map-keys":
		return "x-kubernetes-list-type"
	case "properties": // a field that is checked on one side only
		return "type"
	default:
		return keyword
	}
}

// planted returns copies of an object with a hint as the value at the change,
// and one without the value.
func (w *witnessSearch) planted(object map[string]any, round int) []map[string]any {
	node := w.change.target.node
	if len(node) == 0 {
		return nil
	}
	var list []map[string]any
	if hints := w.change.target.hints; len(hints) > 0 {
		hint := hints[round%len(hints)]
		copied := jsonvalue.DeepCopyMap(object)
		if replaceAt(copied, node, func(v any) (any, bool) { return withHint(v, hint), true }) {
			list = append(list, copied)
		}
	}
	copied := jsonvalue.DeepCopyMap(object)
	if replaceAt(copied, node, func(any) (any, bool) { return nil, false }) {
		list = append(list, copied)
	}
	return list
}

// withHint returns a copy of a hint, or the value with an unknown field.
func withHint(v, hint any) any {
	if _, ok := hint.(unknownField); !ok {
		return jsonvalue.DeepCopy(hint)
	}
	object, ok := v.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	object["unknown"] = "x"
	return object
}

// replaceAt replaces every value at a node, or removes it if keep is false. It
// reports whether there was a place for one.
func replaceAt(v any, node []string, replace func(any) (value any, keep bool)) bool {
	step, rest := node[0], node[1:]
	found := false
	switch v := v.(type) {
	case map[string]any:
		name, isMember := strings.CutPrefix(step, memberStep)
		for key, member := range v {
			if isMember && key != name {
				continue
			}
			if len(rest) > 0 {
				found = replaceAt(member, rest, replace) || found
				continue
			}
			found = true
			if value, keep := replace(member); keep {
				v[key] = value
			} else {
				delete(v, key)
			}
		}
		if isMember && len(rest) == 0 && !found {
			if value, keep := replace(nil); keep {
				v[name], found = value, true
			}
		}
	case []any:
		for i := range v {
			if len(rest) > 0 {
				found = replaceAt(v[i], rest, replace) || found
			} else if value, keep := replace(v[i]); keep {
				v[i], found = value, true
			}
		}
	}
	return found
}

// verdicts are the judgements of both versions on one object.
type verdicts struct{ admits, refuses *crdsem.Result }

// judge asks both versions.
func (w *witnessSearch) judge(c candidate) verdicts {
	return verdicts{w.ask(w.admits, c), w.ask(w.refuses, c)}
}

func (w *witnessSearch) ask(version *crdsem.Version, c candidate) *crdsem.Result {
	if w.change.From != "" {
		c.object, c.old = in(version, c.object), in(version, c.old)
	}
	request := crdsem.Request{Object: c.object, Old: c.old}
	if w.valid.IsStatus() {
		request.Subresource = crdsem.SubresourceStatus
		if c.old == nil {
			request.Old = jsonvalue.DeepCopyMap(c.object)
			delete(request.Old, "status")
		}
	}
	return version.Do(w.ctx, request)
}

// in returns an object in another version. Without conversion only its
// apiVersion changes.
func in(version *crdsem.Version, object map[string]any) map[string]any {
	apiVersion, _ := object["apiVersion"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	return withVersion(object, group, version.Name())
}

func withVersion(object map[string]any, group, version string) map[string]any {
	if object == nil {
		return nil
	}
	object = maps.Clone(object)
	object["apiVersion"] = group + "/" + version
	return object
}

// shows reports whether an object shows the change.
func (w *witnessSearch) shows(c candidate) bool {
	w.left--
	w.tries++
	return w.isShownBy(c)
}

// isShownBy reports whether an object shows the change. In the first half of
// the tries it does so with fields that both sides know, unless the change is
// about a new field.
func (w *witnessSearch) isShownBy(c candidate) bool {
	v := w.judge(c)
	if !v.admits.Admitted() {
		return false
	}
	if w.change.Class == ChangesStorage {
		return v.refuses.Admitted() && !jsonvalue.EqualNumbers(
			valuesAt(v.admits.Object, w.change.target.node),
			valuesAt(v.refuses.Object, w.change.target.node))
	}
	return w.isBlamed(v.refuses.Errors) &&
		(w.left <= w.tries || w.change.Keyword == "properties" || !w.isOfUnknown(c, v))
}

// isOfUnknown reports whether the object is refused for fields that the old
// definition prunes: what it stores is admitted.
func (w *witnessSearch) isOfUnknown(c candidate, v verdicts) bool {
	if w.change.Class != Stricter || c.old != nil {
		return false
	}
	stored := jsonvalue.DeepCopyMap(v.admits.Object)
	forgetServer(stored)
	return w.ask(w.refuses, candidate{object: stored}).Admitted()
}

// isBlamed reports whether findings are about the change. In the first half of
// the tries nothing else may be wrong.
func (w *witnessSearch) isBlamed(errs field.ErrorList) bool {
	found := false
	for _, err := range errs {
		switch {
		case w.at.MatchString(err.Field) && isAbout(w.change.Keyword, err):
			found = true
		case err.Origin == unevaluated:
		case w.left > w.tries:
			return false
		}
	}
	return found
}

// valuesAt returns the values at a node, in the order of the object's keys and
// items.
func valuesAt(v any, node []string) any {
	if len(node) == 0 {
		return v
	}
	step, rest := node[0], node[1:]
	switch v := v.(type) {
	case map[string]any:
		if name, ok := strings.CutPrefix(step, memberStep); ok {
			member, has := v[name]
			if !has {
				return nil
			}
			if len(rest) == 0 {
				return []any{member}
			}
			return valuesAt(member, rest)
		}
		all := map[string]any{}
		for key, member := range v {
			if found := valuesAt(member, rest); found != nil {
				all[key] = found
			}
		}
		return all
	case []any:
		var all []any
		for _, item := range v {
			if found := valuesAt(item, rest); found != nil {
				all = append(all, found)
			}
		}
		return all
	}
	return nil
}

// shrunk returns the witness of the smallest object that shows the change. The
// object that it replaces is not shrunk.
func (w *witnessSearch) shrunk(c candidate) *Witness {
	small, _ := schemagen.Shrink(c.object, func(v any) bool {
		object, ok := v.(map[string]any)
		return ok && w.isShownBy(candidate{object, c.old})
	}).(map[string]any)
	if w.change.From != "" {
		small, c.old = in(w.admits, small), in(w.admits, c.old)
	}
	v := w.judge(candidate{small, c.old})
	old, changed := v.admits, v.refuses
	if w.change.Class == Looser {
		old, changed = changed, old
	}
	witness := &Witness{
		Object: small, Replaces: c.old, Status: w.valid.IsStatus(),
		Old: message(old), New: message(changed),
		OfUnknown: w.isOfUnknown(candidate{small, c.old}, v),
	}
	if w.change.Class == ChangesStorage {
		witness.StoredOld = single(valuesAt(old.Object, w.change.target.node))
		witness.StoredNew = single(valuesAt(changed.Object, w.change.target.node))
	}
	return witness
}

// single returns the only value of a list of one, and other lists as they are.
// An empty list is nothing.
func single(v any) any {
	list, ok := v.([]any)
	switch {
	case ok && len(list) == 0:
		return nil
	case len(list) == 1:
		return list[0]
	}
	return v
}

// message returns the server's message, empty for an admitted object.
func message(result *crdsem.Result) string {
	if err := result.Err(); err != nil {
		return err.Error()
	}
	return ""
}
