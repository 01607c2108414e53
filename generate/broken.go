package generate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Breakage says what is broken in an object.
type Breakage struct {
	// Path is where the broken value lies, in the form of field paths: names joined
	// by points, indexes and the keys of maps in brackets. It is empty for the root.
	Path string `json:"path"`
	// Keyword is the keyword of the schema that is broken there.
	Keyword string `json:"keyword"`
}

// Broken makes a valid object and breaks one keyword of it; ok is false where it
// found nothing that can be broken. The schema is not changed.
func Broken(r *Rand, schema map[string]any) (object any, broken Breakage, ok bool) {
	o := &objects{r: r, kind: valid}
	object = o.value(schema, 0)
	sites := sitesOf(schema, object, "", func(any) {}, nil)
	if len(sites) == 0 {
		return object, Breakage{}, false
	}
	s := sites[r.Intn(len(sites))]
	if s.replace != nil {
		s.set(s.replace(r))
	}
	return object, s.breakage, true
}

// site is a place of an object where a keyword can be broken, and how.
type site struct {
	breakage Breakage
	set      func(v any)
	replace  func(r *Rand) any
}

// sitesOf lists the sites of a value and of what is below it.
func sitesOf(n node, v any, path string, set func(any), sites []site) []site {
	add := func(keyword string, replace func(r *Rand) any) {
		sites = append(sites, site{Breakage{path, keyword}, set, replace})
	}
	if n["x-kubernetes-int-or-string"] == true || v == nil {
		return sites
	}
	if enum := list(n["enum"]); len(enum) > 0 {
		add("enum", func(*Rand) any { return outside(n, enum) })
		return sites
	}
	switch v := v.(type) {
	case map[string]any:
		sites = objectSites(n, v, path, set, sites)
	case []any:
		sites = listSites(n, v, path, set, sites)
	case string:
		stringSites(n, add)
	case int64, float64:
		numberSites(n, add)
	}
	if kind, ok := n["type"].(string); ok && path != "" {
		add("type", func(r *Rand) any { return ofOtherType(r, kind) })
	}
	return sites
}

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

func stringSites(n node, add func(string, func(*Rand) any)) {
	if least, ok := count(n, "minLength"); ok && least > 0 {
		add("minLength", func(*Rand) any { return "" })
	}
	if most, ok := count(n, "maxLength"); ok && most < 1<<12 {
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

func numberSites(n node, add func(string, func(*Rand) any)) {
	if isNumber(n["minimum"]) && number(n["minimum"]) > math.MinInt32 {
		add("minimum", func(*Rand) any { return toInt(math.Floor(number(n["minimum"])) - 1) })
	}
	if isNumber(n["maximum"]) && number(n["maximum"]) < math.MaxInt32 {
		add("maximum", func(*Rand) any { return toInt(math.Ceil(number(n["maximum"])) + 1) })
	}
	if step := number(n["multipleOf"]); step > 1 && step < 1<<31 {
		add("multipleOf", func(*Rand) any { return toInt(step) + 1 })
	}
}

// objectSites lists the sites of a map: its required members, and those below.
func objectSites(n node, v map[string]any, path string, set func(any), sites []site) []site {
	properties, _ := n["properties"].(node)
	for _, name := range list(n["required"]) {
		s, ok := name.(string)
		property, _ := properties[s].(node)
		if _, there := v[s]; ok && there && property["default"] == nil && !identifies(n, path, s) {
			sites = append(sites, site{Breakage{below(path, s), "required"}, func(any) { delete(v, s) }, func(*Rand) any { return nil }})
		}
	}
	if most, ok := count(n, "maxProperties"); ok && most < 64 && n["additionalProperties"] != nil {
		sites = append(sites, site{Breakage{path, "maxProperties"}, set, func(*Rand) any { return crowded(v, most+1) }})
	}
	if least, ok := count(n, "minProperties"); ok && least > 0 && len(list(n["required"])) == 0 {
		sites = append(sites, site{Breakage{path, "minProperties"}, set, func(*Rand) any { return map[string]any{} }})
	}
	for _, name := range names(v) {
		if identifies(n, path, name) {
			continue
		}
		member := func(x any) { v[name] = x }
		if property, ok := properties[name].(node); ok {
			sites = sitesOf(property, v[name], below(path, name), member, sites)
		} else if additional, ok := n["additionalProperties"].(node); ok {
			sites = sitesOf(additional, v[name], below(path, name), member, sites)
		}
	}
	return sites
}

// identifies reports whether a member says what resource an object is: a server looks
// at it before it validates.
func identifies(n node, path, name string) bool {
	return (path == "" || n["x-kubernetes-embedded-resource"] == true) && (name == "apiVersion" || name == "kind" || name == "metadata")
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

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// listSites lists the sites of a list: its length, and those below.
func listSites(n node, v []any, path string, set func(any), sites []site) []site {
	if most, ok := count(n, "maxItems"); ok && len(v) > 0 && most < 64 {
		sites = append(sites, site{Breakage{path, "maxItems"}, set, func(*Rand) any {
			long := append([]any{}, v...)
			for len(long) <= most {
				long = append(long, Clone(v[0]))
			}
			return long
		}})
	}
	if least, ok := count(n, "minItems"); ok && least > 0 {
		sites = append(sites, site{Breakage{path, "minItems"}, set, func(*Rand) any { return []any{} }})
	}
	if kind := n["x-kubernetes-list-type"]; len(v) > 0 && (kind == "set" || kind == "map") {
		sites = append(sites, site{Breakage{fmt.Sprintf("%s[%d]", path, len(v)), "x-kubernetes-list-type"}, set, func(*Rand) any {
			return append(append([]any{}, v...), Clone(v[0]))
		}})
	}
	items, ok := n["items"].(node)
	if !ok {
		return sites
	}
	for i := range v {
		sites = sitesOf(items, v[i], fmt.Sprintf("%s[%d]", path, i), func(x any) { v[i] = x }, sites)
	}
	return sites
}
