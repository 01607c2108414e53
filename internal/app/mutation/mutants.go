package mutation

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/spine"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// Mutant is a definition with one small change that tests should notice.
type Mutant struct {
	// File, Line and Column are the place of the change.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Name and Version name the definition and its changed version.
	Name    string `json:"name"`
	Version string `json:"version"`
	// Path is the path of the changed schema node, e.g.
	// openAPIV3Schema.properties[spec]. Keyword is the changed keyword.
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	// Change says what was changed, e.g. "maximum 10 is 11".
	Change string `json:"change"`
	// Visited reports whether a case has a value that the node describes. If no
	// case has, no case can notice the change.
	Visited bool `json:"visited"`
	// NoticedBy names the first case that is not as stated for the changed
	// definition. It is empty for a mutant that survives.
	NoticedBy string `json:"noticedBy,omitempty"`

	crd   *crdtest.CRD
	at    string // the keyword with its index, for the position
	spine string // the path of the node whose values the change affects
	steps []any  // leads to the schema node in the document
	edit  func(node map[string]any)
}

// document returns the definition's document with the change. It shares what
// did not change.
func (m *Mutant) document(of map[string]any) map[string]any {
	out, _ := edited(of, m.steps, m.edit).(map[string]any)
	return out
}

// edited returns a value in which the object at the end of some steps is
// edited. Objects and lists on the way are copied.
func edited(value any, steps []any, edit func(map[string]any)) any {
	if len(steps) == 0 {
		object, _ := value.(map[string]any)
		object = maps.Clone(object)
		edit(object)
		return object
	}
	switch v := value.(type) {
	case map[string]any:
		key, _ := steps[0].(string)
		out := maps.Clone(v)
		out[key] = edited(v[key], steps[1:], edit)
		return out
	case []any:
		i, _ := steps[0].(int)
		out := slices.Clone(v)
		out[i] = edited(v[i], steps[1:], edit)
		return out
	}
	return value
}

// mutator collects the mutants of one version of a definition.
type mutator struct {
	crd     *crdtest.CRD
	version string
	prefix  string // of the paths of nodes in the document
	mutants []*Mutant
}

// site is a schema node that can be changed.
type site struct {
	raw   map[string]any
	path  string
	spine string // the path of the nearest node outside junctors
	above string // the path of the node above that one
	steps []any
}

// below returns the site of a node below.
func (s site) below(raw any, suffix string, steps ...any) site {
	fields, _ := raw.(map[string]any)
	return site{fields, s.path + suffix, s.spine, s.above, append(slices.Clip(s.steps), steps...)}
}

// mutantsOf returns the mutants of a version, in the order of the schema.
func mutantsOf(crd *crdtest.CRD, version string) []*Mutant {
	i := slices.Index(crd.Versions(), version)
	versions, _ := jsonvalue.At(crd.Object(), "spec", "versions").([]any)
	raw, _ := jsonvalue.At(versions[i], "schema", spine.Root).(map[string]any)
	m := &mutator{crd: crd, version: version, prefix: fmt.Sprintf("spec.versions[%d].schema.", i)}
	steps := []any{"spec", "versions", i, "schema", spine.Root}
	m.node(site{raw, spine.Root, spine.Root, spine.Root, steps}, true)
	return m.mutants
}

// node adds the mutants of a node and of all nodes below. onSpine is false at
// and below a junctor.
func (m *mutator) node(s site, onSpine bool) {
	if s.raw == nil {
		return
	}
	if onSpine {
		s.above, s.spine = s.spine, s.path
	}
	m.addRules(s)
	m.addBounds(s)
	m.addLists(s)
	m.addDropped(s)
	m.addDefault(s)
	properties, _ := s.raw["properties"].(map[string]any)
	for _, name := range jsonvalue.SortedKeys(properties) {
		m.node(s.below(properties[name], ".properties["+name+"]", "properties", name), onSpine)
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		m.node(s.below(s.raw[keyword], "."+keyword, keyword), onSpine)
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := s.raw[keyword].([]any)
		for i, branch := range branches {
			m.node(s.below(branch, fmt.Sprintf(".%s[%d]", keyword, i), keyword, i), false)
		}
	}
	m.node(s.below(s.raw["not"], ".not", "not"), false)
}

// add adds a mutant that changes a keyword.
func (m *mutator) add(s site, keyword, change string, edit func(node map[string]any)) *Mutant {
	name, _, _ := strings.Cut(keyword, "[")
	added := &Mutant{
		Name: m.crd.Name(), Version: m.version, Path: s.path, Keyword: name, Change: change,
		crd: m.crd, at: keyword, spine: s.spine, steps: s.steps, edit: edit,
	}
	m.mutants = append(m.mutants, added)
	return added
}

// addRules drops and negates each rule.
func (m *mutator) addRules(s site) {
	const keyword = spine.RulesKeyword
	rules, _ := s.raw[keyword].([]any)
	for i := range rules {
		text, _ := jsonvalue.At(rules[i], "rule").(string)
		where := fmt.Sprintf("%s[%d].rule", keyword, i)
		short := strings.Join(strings.Fields(text), " ")
		m.add(s, where, "the rule is dropped: "+short, func(node map[string]any) {
			node[keyword] = slices.Delete(slices.Clone(rules), i, i+1)
		})
		m.add(s, where, "the rule is negated: "+short, func(node map[string]any) {
			changed := slices.Clone(rules)
			changed[i] = jsonvalue.With(rules[i], "!("+text+")", "rule")
			node[keyword] = changed
		})
	}
}

// bounds are the keywords whose value is a number to be moved.
var bounds = []string{
	"maximum", "minimum", "maxLength", "minLength", "maxItems", "minItems",
	"maxProperties", "minProperties",
}

// addBounds moves each bound by one, in both directions.
func (m *mutator) addBounds(s site) {
	for _, keyword := range bounds {
		value := s.raw[keyword]
		for _, by := range []int64{1, -1} {
			moved, ok := movedBy(value, by)
			isCount := keyword != "maximum" && keyword != "minimum"
			if count, _ := moved.(int64); ok && (!isCount || count >= 0) {
				m.add(s, keyword, fmt.Sprintf("%s %v is %v", keyword, value, moved),
					func(node map[string]any) { node[keyword] = moved })
			}
		}
	}
}

// movedBy returns a number that is greater by an integer. ok is false for other
// values, and where the number would not change.
func movedBy(value any, by int64) (moved any, ok bool) {
	switch v := value.(type) {
	case int64:
		if v == math.MaxInt64 || v == math.MinInt64 {
			return nil, false
		}
		return v + by, true
	case float64:
		return v + float64(by), v+float64(by) != v
	}
	return nil, false
}

// addLists drops each required field and each value of an enum.
func (m *mutator) addLists(s site) {
	for _, keyword := range []string{"required", "enum"} {
		items, _ := s.raw[keyword].([]any)
		for i, item := range items {
			change := fmt.Sprintf("%s lacks %s", keyword, spine.Text(item))
			m.add(s, fmt.Sprintf("%s[%d]", keyword, i), change, func(node map[string]any) {
				node[keyword] = slices.Delete(slices.Clone(items), i, i+1)
			})
		}
	}
}

// addDropped drops patterns and formats, and makes sets and list-maps atomic.
func (m *mutator) addDropped(s site) {
	for _, keyword := range []string{"pattern", "format", spine.ListTypeKeyword} {
		value, ok := s.raw[keyword]
		if !ok || !spine.Restricts(s.raw, keyword) {
			continue
		}
		m.add(s, keyword, fmt.Sprintf("%s %v is dropped", keyword, value),
			func(node map[string]any) {
				delete(node, keyword)
				if keyword == spine.ListTypeKeyword {
					delete(node, spine.ListMapKeysKeyword)
				}
			})
	}
}

// addDefault gives a default another value, or drops it if it is null, an
// object or a list.
func (m *mutator) addDefault(s site) {
	value, ok := s.raw["default"]
	if !ok {
		return
	}
	change, edit := fmt.Sprintf("default %s is dropped", spine.Text(value)),
		func(node map[string]any) { delete(node, "default") }
	if other := otherDefault(s.raw, value); other != nil {
		change = fmt.Sprintf("default %s is %s", spine.Text(value), spine.Text(other))
		edit = func(node map[string]any) { node["default"] = other }
	}
	m.add(s, "default", change, edit).spine = s.above // objects may lack the value
}

// otherDefault returns another value of the same type, nil if there is no
// simple one.
func otherDefault(raw map[string]any, value any) any {
	values, _ := raw["enum"].([]any)
	for _, other := range values {
		if !jsonvalue.Equal(other, value) {
			return other
		}
	}
	switch v := value.(type) {
	case bool:
		return !v
	case int64, float64:
		for _, by := range []int64{1, -1} {
			moved, ok := movedBy(v, by)
			if ok && spine.NewCheck(spine.Part(raw, bounds...)).Takes(moved) {
				return moved
			}
		}
	case string:
		for _, other := range []string{v + "x", "x"} {
			if spine.NewCheck(spine.Part(raw, spine.Keywords...)).Takes(other) {
				return other
			}
		}
	}
	return nil
}
