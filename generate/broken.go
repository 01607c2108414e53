package generate

import (
	"strings"

	"github.com/crdsem/crdsem"
)

// Broken makes an object that keeps a schema and breaks one keyword of it; ok is false
// where it found nothing that can be broken. The schema is not changed. Junctors and
// rules are not broken: that takes a look at the outcome, as Resources has it.
func Broken(r *Rand, schema map[string]any) (object any, broken Breakage, ok bool) {
	o := &objects{r: r, kind: valid}
	object = o.value(schema, 0)
	var sites []site
	for _, s := range sitesOf(schema, object, onCreate) {
		if !s.searched {
			sites = append(sites, s)
		}
	}
	if len(sites) == 0 {
		return object, Breakage{}, false
	}
	s := sites[r.Intn(len(sites))]
	v := s.replace(r, s.value)
	s.set(v)
	return object, s.breakage.typed(v), true
}

// Broken makes a new object that breaks one keyword: the server refuses it with an
// error of the told type at the told path. All else is valid, but what follows from the
// breakage, and but where no valid object has the keyword. Of several keywords one is
// broken; if none is given, any that the schema has (see Keywords). It fails with an
// *UnmadeError where it found no such object.
func (s *Resources) Broken(r *Rand, keywords ...string) (object map[string]any, broken Breakage, err error) {
	o := &objects{r: r, kind: valid}
	q := s.creation(o)
	return s.breaking(o, q, keywords, func(toward route) (map[string]any, error) {
		fresh := &objects{r: r, kind: valid}
		return s.made(fresh, q, toward)
	})
}

// BrokenUpdate makes a new state of a valid object that breaks one keyword, or a rule
// that compares both. It is otherwise like Broken. The old object is not changed.
func (s *Resources) BrokenUpdate(r *Rand, old map[string]any, keywords ...string) (object map[string]any, broken Breakage, err error) {
	return s.breakingChange(r, s.replacement(old), old, keywords)
}

// BrokenStatus makes an object for the status subresource that breaks one keyword of
// the status. It is otherwise like BrokenUpdate.
func (s *Resources) BrokenStatus(r *Rand, old map[string]any, keywords ...string) (object map[string]any, broken Breakage, err error) {
	if err := s.noStatus(); err != nil {
		return nil, Breakage{}, err
	}
	return s.breakingChange(r, s.statusReplacement(old), old, keywords)
}

// breakingChange breaks a changed object.
func (s *Resources) breakingChange(r *Rand, q *request, old map[string]any, keywords []string) (map[string]any, Breakage, error) {
	o := &objects{r: r, kind: valid}
	return s.breaking(o, q, keywords, func(toward route) (map[string]any, error) {
		return changedToward(o, q, old, toward), nil
	})
}

// changedToward returns a new state of an object that has the node that a route leads
// to, or the old state where the request does not admit that.
func changedToward(o *objects, q *request, old map[string]any, toward route) map[string]any {
	if len(toward) == 0 || o.r.chance(0.3) {
		return Clone(old).(map[string]any)
	}
	changed := Clone(old).(map[string]any)
	o.sparse = 0.8
	o.extend(q.schema, changed, toward)
	if settled(o, changed, q).Admitted() {
		return changed
	}
	return Clone(old).(map[string]any)
}

// extend gives an object the node that a route leads to.
func (o *objects) extend(n node, v map[string]any, toward route) {
	for len(toward) > 0 {
		name, isMember := strings.CutPrefix(toward[0], memberStep)
		properties, _ := n["properties"].(node)
		property, ok := properties[name].(node)
		if !isMember || !ok {
			return
		}
		toward = toward[1:]
		member, isMap := v[name].(map[string]any)
		if !isMap {
			o.route = toward
			v[name] = o.value(property, 2)
			o.route = nil
			return
		}
		n, v = property, member
	}
}

// maxBreaks is how often a keyword of one object is broken before another object is made.
const maxBreaks = 6

// breaking makes objects and breaks them until the server says so.
func (s *Resources) breaking(o *objects, q *request, keywords []string, base func(toward route) (map[string]any, error)) (map[string]any, Breakage, error) {
	wanted := "object that can be broken"
	if len(keywords) == 0 {
		keywords = q.places().keywords
	} else {
		wanted = "object that breaks " + strings.Join(keywords, ", ")
	}
	var err error
	for attempt := range 2 * maxAttempts {
		if len(keywords) == 0 || q.exhausted() {
			break
		}
		of, ok := q.places().target(o.r, pick(o.r, keywords...))
		if !ok {
			continue
		}
		var object map[string]any
		errors := justThere
		if attempt >= maxAttempts {
			errors = elsewhereToo
		}
		if object, err = base(of.toward); err != nil && errors == elsewhereToo {
			object, err = base(nil) // what is wanted lies where no valid object has anything
		}
		if err != nil {
			continue
		}
		if errors == elsewhereToo && !has(object, of.toward) {
			o.values = 0
			o.extend(q.schema, object, of.toward)
		}
		if object, broken, ok := breakOne(o, q, object, of, errors); ok {
			return object, broken, nil
		}
	}
	if err != nil {
		return nil, Breakage{}, err
	}
	return nil, Breakage{}, &UnmadeError{Wanted: wanted}
}

// spread says where an object that is broken may have errors.
type spread int

const (
	justThere    spread = iota // where the breakage lies
	elsewhereToo               // anywhere
)

// breakOne breaks something of a valid object, which it does not change.
func breakOne(o *objects, q *request, valid map[string]any, of target, errors spread) (map[string]any, Breakage, bool) {
	for range maxBreaks {
		object := Clone(valid).(map[string]any)
		chosen, ok := anySite(o.r, sitesOf(q.schema, object, q.places().counted), of)
		if !ok {
			return nil, Breakage{}, false
		}
		steps := 1
		if chosen.searched {
			steps = 4
		}
		for range steps {
			chosen.value = chosen.replace(o.r, chosen.value)
			chosen.set(chosen.value)
			result := q.try(object)
			if broken, told := chosen.told(result); told && (errors == elsewhereToo || onlyAt(result, broken.Path)) {
				return object, broken, true
			}
			if chosen.searched && !result.Admitted() && len(result.Explanations) == 0 {
				break // it lost its shape
			}
		}
	}
	return nil, Breakage{}, false
}

// onlyAt reports whether all errors lie at a path or below it.
func onlyAt(result *crdsem.Result, path string) bool {
	for _, err := range result.Errors {
		at := placeOf(err)
		if rest, ok := strings.CutPrefix(at, path); strings.HasPrefix(err.Detail, unevaluated) || ok && (rest == "" || path == "" || rest[0] == '.' || rest[0] == '[') {
			continue
		}
		return false
	}
	return true
}

// anySite returns one of the sites of what is to be broken.
func anySite(r *Rand, sites []site, of target) (chosen site, ok bool) {
	var found []site
	for i := range sites {
		if sites[i].breakage.Keyword == of.keyword && sites[i].rule.text == of.rule {
			found = append(found, sites[i])
		}
	}
	if len(found) == 0 {
		return site{}, false
	}
	return found[r.Intn(len(found))], true
}
