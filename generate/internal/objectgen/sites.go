package objectgen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// Site is a value of an object where a keyword can be broken, and how.
type Site struct {
	// Path is where the error will be, in the form of field paths, e.g.
	// spec.ports[0].name.
	Path    string
	Keyword string
	// Rule is the rule to break if the keyword is Rules.
	Rule structural.Rule
	// Value is the current value.
	Value any
	// IsSearched reports whether Break breaks the keyword by chance only, so
	// that the outcome must be looked at.
	IsSearched bool

	set     func(v any)
	replace func(r *rand.Rand, v any) any
}

// Break replaces the value by one that breaks the keyword.
func (s *Site) Break(r *rand.Rand) {
	s.Value = s.replace(r, s.Value)
	s.set(s.Value)
}

// replacement makes a value that breaks a keyword.
type replacement func(r *rand.Rand) any

// Sites lists the sites of an object, with the rules that are evaluated on a
// write. Breaking one changes the object.
func Sites(root Node, object any, event Event) []Site {
	l := siteList{event: event}
	l.visit(root, object, location{set: func(any) {}, isRoot: true})
	return l.sites
}

type siteList struct {
	event Event
	sites []Site
}

// location is where a value lies.
type location struct {
	// dotted is the path as errors about values write it, e.g. labels.a.
	dotted string
	// keyed is the path as errors of lists and rules write it, with the keys of
	// maps in brackets, e.g. labels[a].
	keyed          string
	set            func(v any)
	isRoot, isItem bool
}

func (l *siteList) visit(n Node, v any, at location) {
	if v == nil {
		return
	}
	add := func(keyword string, replace replacement) { l.add(v, at, keyword, replace) }
	l.addSearched(n, v, at)
	if n.intOrString() {
		add("x-kubernetes-int-or-string", neitherIntNorString)
		return
	}
	if enum := n.enum(); len(enum) > 0 {
		add("enum", func(*rand.Rand) any { return outside(n, enum) })
		return
	}
	switch v := v.(type) {
	case map[string]any:
		l.object(n, v, at)
	case []any:
		l.list(n, v, at)
	case string:
		stringSites(n, add)
	case int64, float64:
		numberSites(n, add)
	}
	if typ := n.typ(); typ != "" && !at.isRoot {
		add("type", func(r *rand.Rand) any { return ofOtherType(r, typ) })
		if at.isItem && rejectsNull(n) {
			add("nullable", func(*rand.Rand) any { return nil })
		}
	}
}

// add adds a site where the value is replaced.
func (l *siteList) add(v any, at location, keyword string, replace replacement) {
	l.sites = append(l.sites, Site{Path: at.dotted, Keyword: keyword, Value: v, set: at.set,
		replace: func(r *rand.Rand, _ any) any { return replace(r) }})
}

// addSearched adds the sites of junctors and rules.
func (l *siteList) addSearched(n Node, v any, at location) {
	change := func(h *Hints) func(r *rand.Rand, v any) any {
		return func(r *rand.Rand, v any) any {
			return (&Maker{Rand: r, Kind: Valid}).ChangeAlong(h, n, v)
		}
	}
	replace := change(junctorHints(n.schema))
	if n.intOrString() {
		replace = func(r *rand.Rand, _ any) any { return neitherIntNorString(r) }
	}
	for _, j := range junctorsOf(n.schema) {
		l.sites = append(l.sites, Site{Path: at.dotted, Keyword: j.keyword,
			Value: v, IsSearched: true, set: at.set, replace: replace})
	}
	for _, rule := range rulesOn(n, l.event) {
		along := change(RuleHints(rule.Rule))
		solve := func(r *rand.Rand, v any) any {
			if Chance(r, 0.5) {
				m := &Maker{Rand: r, Kind: Valid}
				if broken, ok := m.Solve(rule.Rule, false, n, v); ok {
					return broken
				}
			}
			return along(r, v)
		}
		l.sites = append(l.sites, Site{Path: at.keyed, Keyword: Rules, Rule: rule,
			Value: v, IsSearched: true, set: at.set, replace: solve})
	}
}

func neitherIntNorString(r *rand.Rand) any { return Pick[any](r, true, 0.5, []any{}) }

// outside returns a value of the node's type that its enum does not have.
func outside(n Node, enum []any) any {
	for _, v := range []any{"none of these", int64(987654), 98765.5, true, false} {
		if typeOf(v) == n.typ() && len(common(enum, []any{v})) == 0 {
			return v
		}
	}
	return "none of these"
}

// typeOf returns the type of a value as schemas name it.
func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case int64:
		return "integer"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case map[string]any:
		return "object"
	}
	return "array"
}

func ofOtherType(r *rand.Rand, typ string) any {
	switch typ {
	case "string":
		return Pick[any](r, int64(5), true, map[string]any{})
	case "array":
		return Pick[any](r, "a text", int64(5))
	}
	return Pick[any](r, "a text", []any{"a"})
}

func stringSites(n Node, add func(string, replacement)) {
	if least, ok := n.atLeast(minLength); ok && least > 0 && least < maxString {
		add("minLength", func(*rand.Rand) any { return strings.Repeat("x", least-1) })
	}
	if most, ok := n.atMost(maxLength); ok && most < maxString {
		add("maxLength", func(*rand.Rand) any { return strings.Repeat("x", most+1) })
	}
	if others := notMatching(n); len(others) > 0 {
		add("pattern", func(r *rand.Rand) any { return Pick(r, others...) })
	}
	if samples, _ := formatSamples(n.format()); len(samples.Others) > 0 {
		add("format", func(r *rand.Rand) any { return Pick(r, samples.Others...) })
	}
}

// notMatching returns strings that do not match the pattern of a node, nothing
// if it has no pattern.
func notMatching(n Node) (others []string) {
	for _, s := range []string{"", " ", "-", "A b", "a_B", "é", "_", "5", "x\ny", "/", "%%", "~!"} {
		if !n.matches(s) {
			others = append(others, s)
		}
	}
	return others
}

// beyondFormat holds values that do not fit the formats of integers.
var beyondFormat = map[string]int64{"int32": math.MaxInt32 + 1, "uint32": -1}

func numberSites(n Node, add func(string, replacement)) {
	v := n.schema.Values()
	if least := v.Minimum; least != nil && *least > -1<<53 {
		add("minimum", func(*rand.Rand) any { return toInt(math.Floor(*least) - 1) })
		if v.ExclusiveMinimum {
			add("exclusiveMinimum", func(*rand.Rand) any { return plain(*least) })
		}
	}
	if most := v.Maximum; most != nil && *most < 1<<53 {
		add("maximum", func(*rand.Rand) any { return toInt(math.Ceil(*most) + 1) })
		if v.ExclusiveMaximum {
			add("exclusiveMaximum", func(*rand.Rand) any { return plain(*most) })
		}
	}
	if step := n.multipleOf(); step > 1 && step < 1<<31 {
		add("multipleOf", func(*rand.Rand) any { return toInt(step) + 1 })
	}
	if beyond, ok := beyondFormat[n.format()]; ok && n.typ() == "integer" {
		add("format", func(*rand.Rand) any { return beyond })
	}
}

// plain returns a number as JSON decodes it: an int64 if it is one.
func plain(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		return int64(f)
	}
	return f
}

// object adds the sites of an object: its required members, its counts, and
// those below.
func (l *siteList) object(n Node, v map[string]any, at location) {
	for _, name := range missable(n, at.isRoot) {
		if _, has := v[name]; has {
			l.addRemoval(v, name, below(at.dotted, name), "required")
		}
	}
	if n.embedded() {
		for _, name := range []string{"apiVersion", "kind"} {
			l.addRemoval(v, name, below(at.keyed, name), "x-kubernetes-embedded-resource")
		}
	}
	l.counts(n, v, at)
	for _, name := range jsonvalue.SortedKeys(v) {
		if isTypeMeta(n, at.isRoot, name) {
			continue
		}
		child := location{dotted: below(at.dotted, name), keyed: below(at.keyed, name),
			set: func(x any) { v[name] = x }}
		if property, ok := n.Property(name); ok {
			l.visit(property, v[name], child)
		} else if additional, ok := n.Additional(); ok {
			child.keyed = at.keyed + "[" + name + "]"
			l.visit(additional, v[name], child)
		}
	}
}

// addRemoval adds a site where a member is removed.
func (l *siteList) addRemoval(v map[string]any, name, path, keyword string) {
	l.sites = append(l.sites, Site{Path: path, Keyword: keyword, Value: v[name],
		set:     func(any) { delete(v, name) },
		replace: func(*rand.Rand, any) any { return nil }})
}

// counts adds the sites of the number of an object's members.
func (l *siteList) counts(n Node, v map[string]any, at location) {
	if most, ok := n.atMost(maxProperties); ok && most <= maxAdded && hasAdditional(n) &&
		most*CountValues(v) < maxAddedValues*max(1, len(v)) {
		l.add(v, at, "maxProperties", func(*rand.Rand) any { return withMembers(v, most+1) })
	}
	if least, ok := n.atLeast(minProperties); ok && least > 0 && len(n.required()) == 0 {
		l.add(v, at, "minProperties", func(*rand.Rand) any { return map[string]any{} })
	}
}

// withMembers returns a copy of an object with members added until it has
// count.
func withMembers(v map[string]any, count int) map[string]any {
	out := jsonvalue.DeepCopyMap(v)
	var model any = "x"
	if names := jsonvalue.SortedKeys(v); len(names) > 0 {
		model = v[names[0]]
	}
	for i := 0; len(out) < count; i++ {
		out["k"+strconv.Itoa(i)] = jsonvalue.DeepCopy(model)
	}
	return out
}

// maxAddedValues is how many values may be added to exceed a limit.
const maxAddedValues = 1 << 16

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// list adds the sites of a list: its length, and those below.
func (l *siteList) list(n Node, v []any, at location) {
	most, ok := n.atMost(maxItems)
	if ok && len(v) > 0 && most <= maxAdded && most*CountValues(v[0]) < maxAddedValues {
		l.add(v, at, "maxItems", func(*rand.Rand) any { return withItems(v, most+1) })
	}
	if least, ok := n.atLeast(minItems); ok && least > 0 {
		l.add(v, at, "minItems", func(*rand.Rand) any {
			return append([]any{}, v[:min(len(v), least-1)]...)
		})
	}
	if len(v) > 0 && isSetOrMap(n) {
		repeated := at
		repeated.dotted = fmt.Sprintf("%s[%d]", at.keyed, len(v))
		l.add(v, repeated, "x-kubernetes-list-type", func(*rand.Rand) any {
			return withItems(v, len(v)+1)
		})
	}
	items, ok := n.Items()
	if !ok {
		return
	}
	for i := range v {
		index := fmt.Sprintf("[%d]", i)
		l.visit(items, v[i], location{dotted: at.dotted + index, keyed: at.keyed + index,
			set: func(x any) { v[i] = x }, isItem: true})
	}
}

// withItems returns a copy of a list with its first item repeated until it has
// at least length items.
func withItems(v []any, length int) []any {
	long := append([]any{}, v...)
	for len(long) < length {
		long = append(long, jsonvalue.DeepCopy(v[0]))
	}
	return long
}
