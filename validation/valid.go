package validation

// valid reports whether a value passes all checks of the node and of the nodes
// below. It allocates nothing. It is false, too, once the watch has ended the
// walk.
func (n *node) valid(value any, w *watch) bool {
	if n.tautology {
		return true
	}
	if !w.step() {
		return false
	}
	switch v := value.(type) {
	case string:
		if n.kinds&kindString == 0 || n.strings != nil && !n.strings.validWithin(v, w) {
			return false
		}
	case map[string]any:
		if n.kinds&kindObject == 0 || n.objects != nil && !n.objects.valid(v, w) {
			return false
		}
	case []any:
		if n.kinds&kindList == 0 || n.lists != nil && !n.lists.valid(v, w) {
			return false
		}
	case int64:
		if n.kinds&kindInt == 0 || n.numbers != nil && !n.numbers.validInt(v) {
			return false
		}
	case float64:
		if !n.acceptsFloat(v) || n.numbers != nil && !n.numbers.validFloat(v) {
			return false
		}
	case bool:
		if n.kinds&kindBool == 0 {
			return false
		}
	case nil:
		return n.kinds&kindNull != 0 && n.enum == nil
	default:
		if n.kinds != allKinds {
			return false
		}
	}
	return (n.enum == nil || n.enum.validWithin(value, w)) &&
		(n.junctors == nil || n.junctors.valid(value, w))
}

// accepts reports whether a value passes the type check. It agrees with
// typeRule.check and is faster.
func (n *node) accepts(value any) bool {
	switch v := value.(type) {
	case string:
		return n.kinds&kindString != 0
	case map[string]any:
		return n.kinds&kindObject != 0
	case []any:
		return n.kinds&kindList != 0
	case int64:
		return n.kinds&kindInt != 0
	case float64:
		return n.acceptsFloat(v)
	case bool:
		return n.kinds&kindBool != 0
	case nil:
		return n.kinds&kindNull != 0
	default:
		return n.kinds == allKinds
	}
}

func (n *node) acceptsFloat(f float64) bool {
	return n.kinds&kindFloat != 0 || n.kinds&kindIntegral != 0 && n.types.isInteger(f)
}

func (l *listRule) valid(items []any, w *watch) bool {
	if size := int64(len(items)); size < l.min || size > l.max {
		return false
	}
	if l.items != nil && !l.items.tautology {
		for _, item := range items {
			if !l.items.valid(item, w) {
				return false
			}
		}
	}
	return !l.unique || !hasDuplicates(items, deepItems{}, &indexes{}, w)
}

func (o *objectRule) valid(fields map[string]any, w *watch) bool {
	w.left -= len(o.required) + len(fields)
	if size := int64(len(fields)); size < o.min || size > o.max {
		return false
	}
	for _, name := range o.required {
		if _, ok := fields[name]; !ok {
			return false
		}
	}
	if o.closed || o.additional != nil && !o.additional.tautology {
		return o.validFields(fields, w)
	}
	if o.fallible <= len(fields) {
		return o.validDeclared(fields, w)
	}
	for name, value := range fields {
		if n, ok := o.field(name); ok && !n.valid(value, w) {
			return false
		}
	}
	return true
}

// validFields reports whether every field is valid. Undeclared fields can fail,
// too.
func (o *objectRule) validFields(fields map[string]any, w *watch) bool {
	for name, value := range fields {
		n, declared := o.field(name)
		if !declared {
			if o.closed {
				return false
			}
			n = o.additional
		}
		if !n.valid(value, w) {
			return false
		}
	}
	return true
}

// validDeclared reports whether the declared fields are valid. It looks them up
// in the object, which has more fields than there are fallible properties.
func (o *objectRule) validDeclared(fields map[string]any, w *watch) bool {
	for i := range o.fields {
		f := &o.fields[i]
		if f.node.tautology {
			continue
		}
		if value, ok := fields[f.name]; ok && !f.node.valid(value, w) {
			return false
		}
	}
	return true
}

func (j *junctorRule) valid(value any, w *watch) bool {
	for _, branch := range j.allOf {
		if !branch.valid(value, w) {
			return false
		}
	}
	if len(j.anyOf) > 0 && !anyValid(j.anyOf, value, w) {
		return false
	}
	if len(j.oneOf) > 0 && !oneValid(j.oneOf, value, w) {
		return false
	}
	return j.not == nil || !j.not.valid(value, w)
}

func anyValid(branches []*node, value any, w *watch) bool {
	for _, branch := range branches {
		if branch.valid(value, w) {
			return true
		}
	}
	return false
}

func oneValid(branches []*node, value any, w *watch) bool {
	passed := 0
	for _, branch := range branches {
		if branch.valid(value, w) {
			passed++
			if passed > 1 {
				return false
			}
		}
	}
	return passed == 1
}
