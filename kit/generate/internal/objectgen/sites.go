package objectgen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// Site is a value of an object where a keyword can be broken, and how.
type Site struct {
	Keyword string
	// Rule is the rule to break if the keyword is Rules.
	Rule structural.Rule
	// Value is the current value.
	Value any
	// IsSearched reports whether Break breaks the keyword by chance only, so
	// that the outcome must be looked at.
	IsSearched bool

	at      *location
	isKeyed bool // the path has the keys of maps in brackets
	set     func(v any)
	replace func(r *rand.Rand, v any) any
}

// Path is where the error will be, in the form of field paths, e.g.
// spec.ports[0].name.
func (s *Site) Path() string { return s.at.path(s.isKeyed) }

// Break replaces the value by one that breaks the keyword.
func (s *Site) Break(r *rand.Rand) {
	s.Value = s.replace(r, s.Value)
	s.set(s.Value)
}

// replacement makes a value that breaks a keyword.
type replacement func(r *rand.Rand) any

// Sites lists the sites of an object, with the rules that are evaluated on a
// write. Breaking one changes the object. It lists as many as the budget of the
// maker allows.
func (m *Maker) Sites(root Node, object any, event Event) []Site {
	m.start()
	l := siteList{m: m, event: event}
	l.visit(root, object, &location{set: func(any) {}})
	return l.sites
}

type siteList struct {
	m     *Maker
	event Event
	sites []Site
}

// location is where a value lies: at a member or an item of another location.
// The root has no parent.
type location struct {
	parent *location
	name   string
	index  int
	kind   locationKind
	set    func(v any)
}

type locationKind uint8

const (
	atField locationKind = iota
	atKey                // of a map
	atItem
)

func (at *location) isRoot() bool { return at.parent == nil }
func (at *location) isItem() bool { return at.kind == atItem }

// below returns the location of a member.
func (at *location) below(name string, kind locationKind) *location {
	return &location{parent: at, name: name, kind: kind}
}

// path returns the path as errors about values write it, e.g. labels.a; keyed
// as errors of lists and rules write it, with the keys of maps in brackets,
// e.g. labels[a].
func (at *location) path(keyed bool) string {
	var way []*location
	for l := at; l.parent != nil; l = l.parent {
		way = append(way, l)
	}
	var path strings.Builder
	for _, l := range slices.Backward(way) {
		switch {
		case l.kind == atItem:
			fmt.Fprintf(&path, "[%d]", l.index)
		case l.kind == atKey && keyed:
			path.WriteString("[" + l.name + "]")
		case path.Len() == 0:
			path.WriteString(l.name)
		default:
			path.WriteString("." + l.name)
		}
	}
	return path.String()
}

func (l *siteList) visit(n Node, v any, at *location) {
	if v == nil || l.m.isSpent() {
		return
	}
	l.m.values++
	add := func(keyword string, replace replacement) { l.add(v, at, keyword, replace) }
	l.addSearched(n, v, at)
	if n.intOrString() {
		add("x-kubernetes-int-or-string", neitherIntNorString)
		return
	}
	if enum := l.m.enum(n); len(enum) > 0 {
		add("enum", func(*rand.Rand) any { return outside(n, enum) })
		return
	}
	switch v := v.(type) {
	case map[string]any:
		l.object(n, v, at)
	case []any:
		l.list(n, v, at)
	case string:
		l.m.stringSites(n, add)
	case int64, float64:
		numberSites(n, add)
	}
	if typ := n.typ(); typ != "" && !at.isRoot() {
		add("type", func(r *rand.Rand) any { return ofOtherType(r, typ) })
		if at.isItem() && rejectsNull(n) {
			add("nullable", func(*rand.Rand) any { return nil })
		}
	}
}

// add adds a site where the value is replaced.
func (l *siteList) add(v any, at *location, keyword string, replace replacement) {
	l.sites = append(l.sites, Site{at: at, Keyword: keyword, Value: v, set: at.set,
		replace: func(r *rand.Rand, _ any) any { return replace(r) }})
}

// addSearched adds the sites of junctors and rules.
func (l *siteList) addSearched(n Node, v any, at *location) {
	change := func(h *Hints) func(r *rand.Rand, v any) any {
		return func(r *rand.Rand, v any) any {
			return (&Maker{Rand: r, Kind: Valid, Context: l.m.Context}).ChangeAlong(h, n, v)
		}
	}
	replace := change(junctorHints(n.schema))
	if n.intOrString() {
		replace = func(r *rand.Rand, _ any) any { return neitherIntNorString(r) }
	}
	for _, j := range junctorsOf(n.schema) {
		l.sites = append(l.sites, Site{at: at, Keyword: j.keyword,
			Value: v, IsSearched: true, set: at.set, replace: replace})
	}
	for _, rule := range rulesOn(n, l.event) {
		along := change(RuleHints(rule.Rule))
		solve := func(r *rand.Rand, v any) any {
			if Chance(r, 0.5) {
				m := &Maker{Rand: r, Kind: Valid, Context: l.m.Context}
				if broken, ok := m.Solve(rule.Rule, false, n, v); ok {
					return broken
				}
			}
			return along(r, v)
		}
		l.sites = append(l.sites, Site{at: at, isKeyed: true, Keyword: Rules,
			Rule: rule, Value: v, IsSearched: true, set: at.set, replace: solve})
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

func (m *Maker) stringSites(n Node, add func(string, replacement)) {
	if least, ok := n.atLeast(minLength); ok && least > 0 && least < maxString {
		add("minLength", func(*rand.Rand) any { return strings.Repeat("x", least-1) })
	}
	if most, ok := n.atMost(maxLength); ok && most < maxString {
		add("maxLength", func(*rand.Rand) any { return strings.Repeat("x", most+1) })
	}
	if others := m.notMatching(n); len(others) > 0 {
		add("pattern", func(r *rand.Rand) any { return Pick(r, others...) })
	}
	if samples, _ := formatSamples(n.format()); len(samples.Others) > 0 {
		add("format", func(r *rand.Rand) any { return Pick(r, samples.Others...) })
	}
}

// notMatching returns strings that do not match the pattern of a node, nothing
// if it has no pattern.
func (m *Maker) notMatching(n Node) (others []string) {
	for _, s := range []string{"", " ", "-", "A b", "a_B", "é", "_", "5", "x\ny", "/", "%%", "~!"} {
		if !m.matches(n, s) {
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
func (l *siteList) object(n Node, v map[string]any, at *location) {
	for _, name := range missable(n, at.isRoot()) {
		if _, has := v[name]; has {
			l.addRemoval(v, at.below(name, atField), "required")
		}
	}
	if n.embedded() {
		for _, name := range []string{"apiVersion", "kind"} {
			l.addRemoval(v, at.below(name, atField), embeddedKeyword)
		}
	}
	l.counts(n, v, at)
	for _, name := range jsonvalue.SortedKeys(v) {
		if isTypeMeta(n, at.isRoot(), name) {
			continue
		}
		child := at.below(name, atField)
		child.set = func(x any) { v[name] = x }
		if property, ok := n.Property(name); ok {
			l.visit(property, v[name], child)
		} else if additional, ok := n.Additional(); ok {
			child.kind = atKey
			l.visit(additional, v[name], child)
		}
	}
}

// addRemoval adds a site where a member is removed.
func (l *siteList) addRemoval(v map[string]any, at *location, keyword string) {
	l.sites = append(l.sites, Site{at: at, Keyword: keyword, Value: v[at.name],
		isKeyed: keyword == embeddedKeyword,
		set:     func(any) { delete(v, at.name) },
		replace: func(*rand.Rand, any) any { return nil }})
}

// counts adds the sites of the number of an object's members.
func (l *siteList) counts(n Node, v map[string]any, at *location) {
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

// list adds the sites of a list: its length, and those below.
func (l *siteList) list(n Node, v []any, at *location) {
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
		repeated := &location{parent: at, index: len(v), kind: atItem, set: at.set}
		l.add(v, repeated, "x-kubernetes-list-type", func(*rand.Rand) any {
			return withItems(v, len(v)+1)
		})
		l.sites[len(l.sites)-1].isKeyed = true
	}
	items, ok := n.Items()
	if !ok {
		return
	}
	for i := range v {
		l.visit(items, v[i], &location{parent: at, index: i, kind: atItem,
			set: func(x any) { v[i] = x }})
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
