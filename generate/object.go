package generate

import (
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// kind is what sort of object is made.
type kind int

const (
	valid    kind = iota // keeps the schema
	boundary             // keeps it, at its limits
	wild                 // keeps it where it happens to
)

// maxNesting bounds how deep an object nests, whatever its schema.
const maxNesting = 12

// Object makes a valid object for a schema: see the package's terms. The schema is
// not changed.
func Object(r *Rand, schema map[string]any) any {
	return (&objects{r: r, kind: valid}).value(schema, 0)
}

// Boundary makes a boundary object for a schema. The schema is not changed.
func Boundary(r *Rand, schema map[string]any) any {
	return (&objects{r: r, kind: boundary}).value(schema, 0)
}

// Wild makes an object that follows a schema at some places only. The schema is not
// changed.
func Wild(r *Rand, schema map[string]any) any {
	return (&objects{r: r, kind: wild}).value(schema, 0)
}

// objects makes the values of one object.
type objects struct {
	r      *Rand
	kind   kind
	sparse float64 // at least so probable is it that what is optional is left out
	route  route   // leads to a node that the value is to have
	toward route   // the same from the root, while the object is repaired
	values int     // how many values were made since the object was begun
}

// child makes the value of a child of a node.
func (o *objects) child(n node, step string, depth int) any {
	whole := o.route
	o.route = nil
	if len(whole) > 0 && whole[0] == step {
		o.route = whole[1:]
	}
	v := o.value(n, depth)
	o.route = whole
	return v
}

// on reports whether the route leads to a child.
func (o *objects) on(step string) bool { return len(o.route) > 0 && o.route[0] == step }

// How many values an object may have: from the first limit on there are no more of what
// may be left out, and from the second on everything is empty, so that no schema makes
// an object grow without bounds.
const (
	manyValues    = 1 << 10
	tooManyValues = 1 << 14
)

// value makes a value for a node.
func (o *objects) value(n node, depth int) any {
	o.values++
	if o.kind == wild && o.r.chance(0.08) {
		return Value(o.r)
	}
	n = o.merged(n)
	if enum, ok := n["enum"].([]any); ok && len(enum) > 0 && (o.kind != wild || o.r.chance(0.8)) {
		return Clone(enum[o.r.Intn(len(enum))])
	}
	if n["nullable"] == true && len(o.route) == 0 && o.r.chance(0.15) {
		return nil
	}
	if n["x-kubernetes-int-or-string"] == true {
		return o.intOrString(n)
	}
	switch n["type"] {
	case "object":
		return o.object(n, depth)
	case "array":
		return o.array(n, depth)
	case "string":
		return o.text(n)
	case "integer":
		return o.integer(n)
	case "number":
		return o.number(n)
	case "boolean":
		return o.r.chance(0.5)
	}
	if n["properties"] != nil {
		return o.object(n, depth)
	}
	return o.anything()
}

// anything makes a value where the schema asks nothing: no null but in a wild object,
// for a server drops a null that is not allowed.
func (o *objects) anything() any {
	for {
		if v := Value(o.r); v != nil || o.kind == wild {
			return v
		}
	}
}

// merged returns a node with what allOf and a branch of anyOf or oneOf ask of it.
// It returns n itself where nothing is asked.
func (o *objects) merged(n node) node {
	var asked []any
	if all, ok := n["allOf"].([]any); ok {
		asked = append(asked, all...)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, ok := n[keyword].([]any); ok && len(branches) > 0 {
			asked = append(asked, branches[o.r.Intn(len(branches))])
		}
	}
	if len(asked) == 0 || n["x-kubernetes-int-or-string"] == true {
		return n
	}
	out := node{}
	for name, v := range n {
		if name != "allOf" && name != "anyOf" && name != "oneOf" {
			out[name] = v
		}
	}
	for _, branch := range asked {
		if b, ok := branch.(node); ok {
			merge(out, o.merged(b))
		}
	}
	return out
}

// merge adds to a node what a branch asks, the stricter of two limits where it can
// tell. It changes n but nothing below it.
func merge(n, branch node) {
	for _, name := range names(branch) {
		have, ok := n[name]
		if !ok {
			n[name] = branch[name]
			continue
		}
		switch name {
		case "required":
			n[name] = append(append([]any{}, list(have)...), list(branch[name])...)
		case "properties":
			n[name] = mergeProperties(have, branch[name])
		case "minimum", "minLength", "minItems", "minProperties":
			if number(branch[name]) > number(have) {
				n[name] = branch[name]
			}
		case "maximum", "maxLength", "maxItems", "maxProperties":
			if number(branch[name]) < number(have) {
				n[name] = branch[name]
			}
		case "enum":
			if both := common(list(have), list(branch[name])); len(both) > 0 {
				n[name] = both
			}
		case "items":
			if a, ok := have.(node); ok {
				if b, ok := branch[name].(node); ok {
					n[name] = mergedPair(a, b)
				}
			}
		}
	}
}

func mergedPair(a, b node) node {
	out := node{}
	for name, v := range a {
		out[name] = v
	}
	merge(out, b)
	return out
}

func mergeProperties(have, asked any) node {
	out := node{}
	if properties, ok := have.(node); ok {
		for name, property := range properties {
			out[name] = property
		}
	}
	properties, _ := asked.(node)
	for _, name := range names(properties) {
		b, ok := properties[name].(node)
		if !ok {
			continue
		}
		a, _ := out[name].(node)
		out[name] = mergedPair(a, b)
	}
	return out
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func common(a, b []any) []any {
	var both []any
	for _, x := range a {
		for _, y := range b {
			if jsonvalue.EqualNumbers(x, y) {
				both = append(both, x)
				break
			}
		}
	}
	return both
}

// object makes a map for a node with properties or additionalProperties.
func (o *objects) object(n node, depth int) any {
	out := map[string]any{}
	if (depth > maxNesting || o.values > tooManyValues) && len(o.route) == 0 {
		return out
	}
	properties, _ := n["properties"].(node)
	required := map[string]bool{}
	for _, name := range list(n["required"]) {
		if s, ok := name.(string); ok {
			required[s] = true
		}
	}
	for _, name := range names(properties) {
		property, ok := properties[name].(node)
		if !ok || (!required[name] && !o.on(memberStep+name) && o.r.chance(o.leaveOut(depth))) || (o.kind == wild && o.r.chance(0.05)) {
			continue
		}
		out[name] = o.child(property, memberStep+name, depth+1)
	}
	for _, name := range names(asAny(required)) {
		if _, ok := out[name]; !ok && o.kind != wild && properties[name] == nil {
			out[name] = o.extra(n, depth)
		}
	}
	o.addExtras(out, n, depth)
	if n["x-kubernetes-embedded-resource"] == true {
		o.addResource(out)
	}
	o.fitCount(out, n, properties, required)
	return out
}

func asAny(set map[string]bool) map[string]any {
	out := make(map[string]any, len(set))
	for name := range set {
		out[name] = true
	}
	return out
}

// leaveOut is the probability that an optional property is left out. Deep in an
// object it grows, so that recursion through big schemas ends soon.
func (o *objects) leaveOut(depth int) float64 {
	if o.values > manyValues {
		return 1
	}
	if depth > 5 {
		return max(o.sparse, 0.85)
	}
	return max(o.sparse, 0.15+0.1*float64(depth))
}

// extra makes a value for a name that is no property.
func (o *objects) extra(n node, depth int) any {
	if schema, ok := n["additionalProperties"].(node); ok {
		return o.child(schema, keyStep, depth+1)
	}
	return o.anything()
}

// addExtras adds names that are no properties: what additionalProperties allows,
// and what is unknown where it is kept or, seldom, where it is not.
func (o *objects) addExtras(out map[string]any, n node, depth int) {
	additional := n["additionalProperties"]
	unknown := 0.0
	switch {
	case additional != nil && additional != false:
		many := o.r.Intn(4)
		if o.on(keyStep) {
			many = max(many, 1)
		}
		for range many {
			out[pick(o.r, "k", "key", "a", "x/y", "", "é", "b.c")] = o.extra(n, depth)
		}
		return
	case n["x-kubernetes-preserve-unknown-fields"] == true:
		unknown = 0.5
	case o.kind == wild:
		unknown = 0.15
	}
	if o.r.chance(unknown) {
		out[pick(o.r, "unknown", "u v", "é", "u.v")] = Value(o.r)
	}
}

// addResource makes a map a resource.
func (o *objects) addResource(out map[string]any) {
	out["apiVersion"] = pick(o.r, "v1", "apps/v1")
	out["kind"] = pick(o.r, "Pod", "Deployment")
	metadata := map[string]any{"name": "embedded"}
	if o.r.chance(0.3) {
		metadata["labels"] = map[string]any{"a": "b"}
	}
	if o.kind == wild && o.r.chance(0.3) {
		metadata[pick(o.r, "unknown", "labels", "name", "generation", "creationTimestamp")] = Value(o.r)
	}
	out["metadata"] = metadata
	if o.kind == wild && o.r.chance(0.15) {
		out[pick(o.r, "apiVersion", "kind", "metadata")] = Value(o.r)
	}
}

// fitCount brings a map to its number of members where it can.
func (o *objects) fitCount(out map[string]any, n node, properties node, required map[string]bool) {
	if o.kind == wild {
		return
	}
	most, bounded := count(n, "maxProperties")
	for _, name := range names(out) {
		if bounded && len(out) > most && !required[name] && !o.on(memberStep+name) {
			delete(out, name)
		}
	}
	least, _ := count(n, "minProperties")
	for _, name := range names(properties) {
		property, ok := properties[name].(node)
		if _, there := out[name]; ok && !there && len(out) < least {
			out[name] = o.value(property, maxNesting)
		}
	}
	if additional := n["additionalProperties"]; additional == nil || additional == false {
		return
	}
	for i := 0; len(out) < min(least, 100); i++ {
		out["k"+string(rune('a'+i%26))+string(rune('a'+i/26))] = o.extra(n, maxNesting)
	}
}

// array makes a list.
func (o *objects) array(n node, depth int) any {
	items, _ := n["items"].(node)
	least, _ := count(n, "minItems")
	most, bounded := count(n, "maxItems")
	length := least + o.r.Intn(3)
	if depth > 5 || o.values > manyValues {
		length = least
	}
	if o.on(itemStep) {
		length = max(length, 1)
	}
	if bounded {
		length = min(length, most)
		if o.kind == boundary && o.values < manyValues {
			length = pick(o.r, least, min(most, least+20))
		}
	}
	if o.kind == wild && o.r.chance(0.2) {
		length = o.r.Intn(6)
	}
	out := []any{}
	for range 4 * length {
		if len(out) == length || o.values > tooManyValues {
			break
		}
		item := o.child(items, itemStep, depth+1)
		if o.kind == wild || !o.collides(n, out, item) {
			out = append(out, item)
		}
	}
	return out
}

// collides reports whether a list that is a set or map has an item already.
func (o *objects) collides(n node, items []any, item any) bool {
	switch n["x-kubernetes-list-type"] {
	case "set":
		return slices.ContainsFunc(items, func(other any) bool { return jsonvalue.EqualNumbers(item, other) })
	case "map":
		keys := list(n["x-kubernetes-list-map-keys"])
		return slices.ContainsFunc(items, func(other any) bool { return sameKeys(keys, n["items"], item, other) })
	}
	return false
}

// sameKeys compares two items of a list map. A key that is left out counts as its
// default.
func sameKeys(keys []any, items, a, b any) bool {
	schema, _ := items.(node)
	properties, _ := schema["properties"].(node)
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	for _, key := range keys {
		name, _ := key.(string)
		property, _ := properties[name].(node)
		of := func(item map[string]any) any {
			if v, ok := item[name]; ok {
				return v
			}
			return property["default"]
		}
		if !jsonvalue.EqualNumbers(of(x), of(y)) {
			return false
		}
	}
	return true
}
