package generate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// site is a place of an object where a keyword can be broken, and how.
type site struct {
	breakage Breakage
	rule     rule // if the keyword is x-kubernetes-validations
	value    any
	set      func(v any)
	replace  func(r *Rand, v any) any
	searched bool // whether what replaces the value breaks the keyword by chance only
}

// siteList lists the sites of an object.
type siteList struct {
	rules counted
	sites []site
}

// location is where a value lies.
type location struct {
	dotted string // its path as errors about values write it
	keyed  string // as those about lists and rules do: the keys of maps in brackets
	set    func(v any)
	root   bool
	item   bool
}

// sitesOf lists the sites of an object and of what is below it.
func sitesOf(schema node, object any, rules counted) []site {
	l := siteList{rules: rules}
	l.visit(schema, object, location{set: func(any) {}, root: true})
	return l.sites
}

func (l *siteList) visit(n node, v any, at location) {
	if v == nil {
		return
	}
	add := func(keyword string, replace func(r *Rand) any) { l.add(v, at, keyword, replace) }
	l.search(n, v, at)
	if n["x-kubernetes-int-or-string"] == true {
		add("x-kubernetes-int-or-string", neitherIntNorString)
		return
	}
	if enum := list(n["enum"]); len(enum) > 0 {
		add("enum", func(*Rand) any { return outside(n, enum) })
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
	if kind, ok := n["type"].(string); ok && !at.root {
		add("type", func(r *Rand) any { return ofOtherType(r, kind) })
		if at.item && n["nullable"] != true && n["default"] == nil {
			add("nullable", func(*Rand) any { return nil })
		}
	}
}

// add adds a site where the value is replaced.
func (l *siteList) add(v any, at location, keyword string, replace func(r *Rand) any) {
	l.sites = append(l.sites, site{breakage: Breakage{Path: at.dotted, Keyword: keyword}, value: v, set: at.set,
		replace: func(r *Rand, _ any) any { return replace(r) }})
}

// search adds the sites of junctors and rules.
func (l *siteList) search(n node, v any, at location) {
	nudge := func(h *hints) func(r *Rand, v any) any {
		return func(r *Rand, v any) any { return (&objects{r: r, kind: valid}).nudged(n, v, h) }
	}
	replace := nudge(junctorHints(n))
	if n["x-kubernetes-int-or-string"] == true {
		replace = func(r *Rand, _ any) any { return neitherIntNorString(r) }
	}
	for _, keyword := range junctors {
		if n[keyword] != nil {
			l.sites = append(l.sites, site{breakage: Breakage{Path: at.dotted, Keyword: keyword}, value: v, set: at.set, replace: replace, searched: true})
		}
	}
	for _, of := range rulesOf(n, l.rules) {
		l.sites = append(l.sites, site{breakage: Breakage{Path: at.keyed, Keyword: "x-kubernetes-validations", Rule: of.text}, rule: of, value: v, set: at.set,
			replace: nudge(ruleHints(of.text)), searched: true})
	}
}

func neitherIntNorString(r *Rand) any { return pick[any](r, true, 0.5, []any{}) }

// outside returns a value of the node's type that is none of the enum's.
func outside(n node, enum []any) any {
	for _, v := range []any{"none of these", int64(987654), 98765.5, true, false} {
		if typeOf(v) == n["type"] && len(common(enum, []any{v})) == 0 {
			return v
		}
	}
	return "none of these"
}

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

func ofOtherType(r *Rand, kind string) any {
	switch kind {
	case "string":
		return pick[any](r, int64(5), true, map[string]any{})
	case "array":
		return pick[any](r, "a text", int64(5))
	}
	return pick[any](r, "a text", []any{"a"})
}

// maxText is the greatest limit of a length that is broken.
const maxText = 1 << 17

func stringSites(n node, add func(string, func(*Rand) any)) {
	if least, ok := count(n, "minLength"); ok && least > 0 && least < maxText {
		add("minLength", func(*Rand) any { return strings.Repeat("x", least-1) })
	}
	if most, ok := count(n, "maxLength"); ok && most < maxText {
		add("maxLength", func(*Rand) any { return strings.Repeat("x", most+1) })
	}
	if others := notMatching(n); len(others) > 0 {
		add("pattern", func(r *Rand) any { return others[r.Intn(len(others))] })
	}
	for _, f := range formats {
		if f.format == n["format"] && len(f.others) > 0 {
			add("format", func(r *Rand) any { return f.others[r.Intn(len(f.others))] })
		}
	}
}

// notMatching returns texts that do not match the pattern of a node: none where it has
// no pattern, or all match.
func notMatching(n node) []string {
	if _, ok := n["pattern"].(string); !ok {
		return nil
	}
	var others []string
	for _, s := range []string{"", " ", "-", "A b", "a_B", "é", "_", "5", "x\ny", "/", "%%", "~!"} {
		if !matches(n, s) {
			others = append(others, s)
		}
	}
	return others
}

// integerFormats are values that do not fit the formats of integers.
var integerFormats = map[any]int64{"int32": math.MaxInt32 + 1, "uint32": -1}

func numberSites(n node, add func(string, func(*Rand) any)) {
	least, most := n["minimum"], n["maximum"]
	if isNumber(least) && number(least) > -1<<53 {
		add("minimum", func(*Rand) any { return toInt(math.Floor(number(least)) - 1) })
		if n["exclusiveMinimum"] == true {
			add("exclusiveMinimum", func(*Rand) any { return least })
		}
	}
	if isNumber(most) && number(most) < 1<<53 {
		add("maximum", func(*Rand) any { return toInt(math.Ceil(number(most)) + 1) })
		if n["exclusiveMaximum"] == true {
			add("exclusiveMaximum", func(*Rand) any { return most })
		}
	}
	if step := number(n["multipleOf"]); step > 1 && step < 1<<31 {
		add("multipleOf", func(*Rand) any { return toInt(step) + 1 })
	}
	if beyond, ok := integerFormats[n["format"]]; ok && n["type"] == "integer" {
		add("format", func(*Rand) any { return beyond })
	}
}

// object lists the sites of a map: its required members, and those below.
func (l *siteList) object(n node, v map[string]any, at location) {
	without := func(name, keyword string) {
		path := below(at.dotted, name)
		if keyword == "x-kubernetes-embedded-resource" {
			path = below(at.keyed, name)
		}
		l.sites = append(l.sites, site{breakage: Breakage{Path: path, Keyword: keyword}, value: v[name],
			set: func(any) { delete(v, name) }, replace: func(*Rand, any) any { return nil }})
	}
	for _, name := range requiredOf(n, at.root) {
		if _, there := v[name]; there {
			without(name, "required")
		}
	}
	if n["x-kubernetes-embedded-resource"] == true {
		without("apiVersion", "x-kubernetes-embedded-resource")
		without("kind", "x-kubernetes-embedded-resource")
	}
	if most, ok := count(n, "maxProperties"); ok && most <= maxCount && n["additionalProperties"] != nil && most*valuesIn(v) < maxCrowd*max(1, len(v)) {
		l.add(v, at, "maxProperties", func(*Rand) any { return crowded(v, most+1) })
	}
	if least, ok := count(n, "minProperties"); ok && least > 0 && len(list(n["required"])) == 0 {
		l.add(v, at, "minProperties", func(*Rand) any { return map[string]any{} })
	}
	properties, _ := n["properties"].(node)
	for _, name := range names(v) {
		if identifies(n, at.root, name) {
			continue
		}
		child := location{dotted: below(at.dotted, name), keyed: below(at.keyed, name), set: func(x any) { v[name] = x }}
		if property, ok := properties[name].(node); ok {
			l.visit(property, v[name], child)
		} else if additional, ok := n["additionalProperties"].(node); ok {
			child.keyed = at.keyed + "[" + name + "]"
			l.visit(additional, v[name], child)
		}
	}
}

// identifies reports whether a member says what resource an object is: a server looks
// at it before it validates.
func identifies(n node, root bool, name string) bool {
	return (root || n["x-kubernetes-embedded-resource"] == true) && (name == "apiVersion" || name == "kind" || name == "metadata")
}

// crowded returns a map with members added until it has so many.
func crowded(v map[string]any, length int) map[string]any {
	out, _ := Clone(v).(map[string]any)
	var model any = "x"
	for _, name := range names(v) {
		model = v[name]
		break
	}
	for i := 0; len(out) < length; i++ {
		out["k"+strconv.Itoa(i)] = Clone(model)
	}
	return out
}

// maxCrowd is how many values may be made to exceed a limit.
const maxCrowd = 1 << 16

// valuesIn counts the values in a value.
func valuesIn(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			n += valuesIn(member)
		}
	case []any:
		for _, item := range v {
			n += valuesIn(item)
		}
	}
	return n
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// list lists the sites of a list: its length, and those below.
func (l *siteList) list(n node, v []any, at location) {
	if most, ok := count(n, "maxItems"); ok && len(v) > 0 && most <= maxCount && most*valuesIn(v[0]) < maxCrowd {
		l.add(v, at, "maxItems", func(*Rand) any {
			long := append([]any{}, v...)
			for len(long) <= most {
				long = append(long, Clone(v[0]))
			}
			return long
		})
	}
	if least, ok := count(n, "minItems"); ok && least > 0 {
		l.add(v, at, "minItems", func(*Rand) any { return append([]any{}, v[:min(len(v), least-1)]...) })
	}
	if kind := n["x-kubernetes-list-type"]; len(v) > 0 && (kind == "set" || kind == "map") {
		doubled := at
		doubled.dotted = fmt.Sprintf("%s[%d]", at.keyed, len(v))
		l.add(v, doubled, "x-kubernetes-list-type", func(*Rand) any { return append(append([]any{}, v...), Clone(v[0])) })
	}
	items, ok := n["items"].(node)
	if !ok {
		return
	}
	for i := range v {
		index := fmt.Sprintf("[%d]", i)
		l.visit(items, v[i], location{dotted: at.dotted + index, keyed: at.keyed + index, set: func(x any) { v[i] = x }, item: true})
	}
}
