package validation

import (
	"fmt"
	"slices"
)

// collector collects the errors of one value in the server's order. It runs
// only on values that are not valid.
//
// Its methods return match counts: how many checks ran or passed, as
// kube-openapi counts them (Result.MatchCount). Branches of anyOf and oneOf are
// compared by their match counts (VAL-098), and nothing else depends on them.
type collector struct {
	findings
	// steps is the path from the validated value to the current one.
	steps []step
	// names is a stack of sorted names of fields.
	names []string
}

// path returns the current path as errors show it.
func (c *collector) path() string { return pathOf(c.steps) }

// node adds the errors of a value. With a correlation, the errors of an
// unchanged value are ratcheted (RAT-001). Without one, old is nil and nothing
// is ratcheted.
func (c *collector) node(n *node, value any, old *correlation) (matches int) {
	if !c.watch.step() {
		return 0
	}
	mark := len(c.errors)
	matches = c.checks(n, value, old)
	if old != nil && len(c.errors) > mark && old.Equal() {
		c.ratchet(mark)
	}
	return matches
}

// checks runs the checks of a node in their fixed order (VAL-003).
func (c *collector) checks(n *node, value any, old *correlation) (matches int) {
	ok := n.accepts(value)
	if !ok {
		_, expected, actual := n.types.check(value)
		c.typeInvalid(n.types.rule(value, expected), c.path(), expected, actual)
	}
	if value == nil {
		c.enum(n, value)
		if ok {
			return 1
		}
		return 0
	}
	const always = 4 // the node, its junctor check and the latter's own count, its enum check
	matches = always
	if n.types.applies() {
		matches++
		if ok {
			matches++
		}
	}
	if n.junctors != nil {
		matches += c.junctors(n.junctors, value)
	}
	switch v := value.(type) {
	case string:
		matches += c.strings(n, v)
	case int64, float64:
		matches += 2
		if n.numbers != nil {
			c.numbers(n.numbers, value)
		}
	case []any:
		matches += 2
		if n.lists != nil {
			matches += c.items(n.lists, v, old)
		}
	}
	c.enum(n, value)
	if v, ok := value.(map[string]any); ok {
		matches++
		if n.objects != nil {
			matches += c.fields(n.objects, v, old)
		}
	}
	return matches
}

func (c *collector) enum(n *node, value any) {
	if n.enum != nil && (value == nil || !n.enum.validWithin(value, &c.watch)) {
		c.notSupported(c.path(), value, n.enum)
	}
}

// strings adds the errors of a string: at most one of its lengths and its
// pattern (VAL-041), then that of its format.
func (c *collector) strings(n *node, s string) (matches int) {
	matches = 1
	r := n.strings
	if r == nil {
		return matches
	}
	c.watch.left -= len(s) / perLook
	switch {
	case r.tooLong(s):
		c.tooLong(c.path(), r.max)
	case r.tooShort(s):
		c.tooShort(c.path(), s, r.min)
	case r.pattern != nil && !r.pattern.matches(s):
		path := c.path()
		rule, shown := r.pattern.shown()
		c.invalid(rule, path, s, fmt.Sprintf("%s in body should match '%s'", path, shown))
	}
	if r.format != nil {
		matches++
		if !r.format.valid(s) {
			c.typeInvalid(formatRule(n.types.format), c.path(), n.types.format, s)
		}
	}
	return matches
}

func (c *collector) items(l *listRule, items []any, old *correlation) (matches int) {
	if l.items != nil {
		for i, item := range items {
			matches += c.item(l, i, item, old)
		}
	}
	if count := len(items); int64(count) < l.min {
		c.tooFew(c.path(), count, l.min, countedItems)
	}
	if count := len(items); int64(count) > l.max {
		c.tooMany(c.path(), count, l.max, countedItems)
	}
	if l.unique && hasDuplicates(items, deepItems{}, &indexes{}, &c.watch) {
		path := c.path()
		c.invalid("VAL-071", path, nil, path+" in body shouldn't contain duplicates")
	}
	return matches
}

func (c *collector) item(l *listRule, i int, item any, old *correlation) (matches int) {
	c.steps = append(c.steps, step{index: i})
	if child, ok := oldItem(old, i); ok {
		matches = c.node(l.items, item, &child)
	} else {
		matches = c.node(l.items, item, nil)
	}
	c.leave()
	return matches
}

func (c *collector) leave() { c.steps = c.steps[:len(c.steps)-1] }

// fields adds the errors of an object in the order of VAL-080, with fields in
// the order of their names.
func (c *collector) fields(o *objectRule, fields map[string]any, old *correlation) (matches int) {
	c.watch.left -= len(o.fields) + len(fields)
	if count := len(fields); int64(count) < o.min {
		c.tooFew(c.path(), count, o.min, countedProperties)
	}
	if count := len(fields); int64(count) > o.max {
		c.tooMany(c.path(), count, o.max, countedProperties)
	}
	if o.closed || o.additional != nil {
		matches += c.undeclared(o, fields, old)
	}
	matches += c.declared(o, fields, old)
	for _, name := range o.required {
		if _, ok := fields[name]; !ok {
			c.required(c.path(), name)
		}
	}
	return matches
}

// declared checks the declared properties of an object. It goes through the
// shorter of the two lists.
func (c *collector) declared(o *objectRule, fields map[string]any, old *correlation) (matches int) {
	if len(o.fields) <= 4*len(fields) {
		for i := range o.fields {
			f := &o.fields[i]
			if value, ok := fields[f.name]; ok {
				matches += c.field(f.node, value, step{name: f.name, index: -1}, old)
			}
		}
		return matches
	}
	names, mark := c.sortedNames(fields)
	for _, name := range names {
		if n, ok := o.field(name); ok {
			matches += c.field(n, fields[name], step{name: name, index: -1}, old)
		}
	}
	c.names = c.names[:mark]
	return matches
}

// undeclared checks the fields of an object that are not declared.
func (c *collector) undeclared(o *objectRule, fields map[string]any, old *correlation) int {
	matches := 0
	names, mark := c.sortedNames(fields)
	for _, name := range names {
		if _, declared := o.field(name); declared {
			continue
		}
		if o.closed {
			path := c.path()
			c.invalid("VAL-082", path, name, path+"."+name+" in body is a forbidden property")
			continue
		}
		at := step{name: name, index: -1, additional: true}
		matches += c.field(o.additional, fields[name], at, old)
	}
	c.names = c.names[:mark]
	return matches
}

// sortedNames returns the names of an object's fields in byte order. They lie
// on a stack; the caller cuts it back to the mark afterwards.
func (c *collector) sortedNames(fields map[string]any) (names []string, mark int) {
	mark = len(c.names)
	for name := range fields {
		c.names = append(c.names, name)
	}
	names = c.names[mark:]
	slices.Sort(names)
	return names, mark
}

// field adds the errors of a field. The errors of kind and apiVersion at the
// top are never ratcheted (RAT-032).
func (c *collector) field(n *node, value any, place step, old *correlation) (matches int) {
	isType := (place.name == "kind" || place.name == "apiVersion") && isEmptyPath(c.steps)
	c.steps = append(c.steps, place)
	if child, ok := oldField(old, place.name); ok && !isType {
		matches = c.node(n, value, &child)
	} else {
		matches = c.node(n, value, nil)
	}
	c.leave()
	return matches
}
