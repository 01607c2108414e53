package merge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/schema"
	"sigs.k8s.io/structured-merge-diff/v4/typed"
	"sigs.k8s.io/structured-merge-diff/v4/value"
)

// checker finds all problems of an object, in order. The merge library decides
// whether there are any, but it visits fields at random and stops at some.
type checker struct {
	schema          *schema.Schema
	allowDuplicates bool
	needsAllKeys    bool // an item may not omit some of its keys
	problems        []Problem
}

// problems returns all problems, sorted by path.
func (t *Type) problems(object map[string]any, options []typed.ValidationOptions) []Problem {
	c := &checker{
		schema:          t.schema,
		allowDuplicates: slices.Contains(options, typed.AllowDuplicates),
		needsAllKeys:    !t.profile.OmittedKeys,
	}
	c.check(object, t.parser.TypeRef, "")
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
	return c.problems
}

func (c *checker) report(path, format string, args ...any) {
	c.problems = append(c.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

// check checks one value.
func (c *checker) check(v any, ref schema.TypeRef, path string) {
	atom, ok := c.schema.Resolve(ref)
	if !ok {
		c.report(path, "schema error: no type found matching: %v", ref)
		return
	}
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	isScalar := v != nil && !isList && !isObject
	switch {
	case isScalar && atom.Scalar != nil:
		c.checkScalar(v, *atom.Scalar, path)
	case isList && atom.List != nil:
		c.checkList(list, atom.List, path)
	case isObject && atom.Map != nil:
		c.checkObject(object, atom.Map, path)
	case v == nil:
	case atom.Map != nil:
		c.report(path, "expected map, got %v", value.NewValueInterface(v))
	case atom.Scalar != nil:
		c.checkScalar(v, *atom.Scalar, path)
	default:
		c.report(path, "expected list, got %v", value.NewValueInterface(v))
	}
}

func (c *checker) checkScalar(v any, want schema.Scalar, path string) {
	switch v.(type) {
	case int64, float64:
		if want == schema.Numeric || want == schema.Untyped {
			return
		}
	case string:
		if want == schema.String || want == schema.Untyped {
			return
		}
	case bool:
		if want == schema.Boolean || want == schema.Untyped {
			return
		}
	}
	switch want {
	case schema.Numeric:
		c.report(path, "expected numeric (int or float), got %T", v)
	case schema.String:
		c.report(path, "expected string, got %#v", value.NewValueInterface(v))
	case schema.Boolean:
		c.report(path, "expected boolean, got %v", value.NewValueInterface(v))
	default:
		c.report(path, "expected any scalar, got %v", value.NewValueInterface(v))
	}
}

func (c *checker) checkObject(object map[string]any, m *schema.Map, path string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at := path + fieldpath.PathElement{FieldName: &name}.String()
		ref := m.ElementType
		if f, known := m.FindField(name); known {
			ref = f.Type
		} else if ref == (schema.TypeRef{}) {
			c.report(at, "field not declared in schema")
			continue
		}
		c.check(object[name], ref, at)
	}
}

func (c *checker) checkList(list []any, l *schema.List, path string) {
	seen := fieldpath.MakePathElementSet(len(list))
	for i, item := range list {
		element := fieldpath.PathElement{Index: &i}
		if l.ElementRelationship == schema.Associative {
			var problem string
			if element, problem = c.element(item, l); problem != "" {
				c.report(path, "element %v: %v", i, problem)
				continue
			}
			if seen.Has(element) && !c.allowDuplicates {
				c.report(path, "duplicate entries for key %v", element.String())
			}
			seen.Insert(element)
		}
		c.check(item, l.ElementType, path+element.String())
	}
}

// element returns the path element of an item of a set or list-map, or the
// problem if it has none.
func (c *checker) element(item any, l *schema.List) (fieldpath.PathElement, string) {
	if len(l.Keys) > 0 {
		return c.keyed(item, l)
	}
	problem := ""
	switch item.(type) {
	case map[string]any:
		problem = "associative list without keys has an element that's a map type"
	case []any:
		problem = "not supported: associative list with lists as elements"
	case nil:
		problem = "associative list without keys has an element that's an explicit null"
	}
	if problem != "" {
		return fieldpath.PathElement{}, problem
	}
	v := value.NewValueInterface(item)
	return fieldpath.PathElement{Value: &v}, ""
}

const keysOmitted = "associative list with keys has an element that omits all key fields %q " +
	"(and doesn't have default values for any key fields)"

const keyOmitted = "associative list with keys has an element that omits key field %q " +
	"(and doesn't have default value)"

// keyed returns the path element of an item of a list-map, or the problem if it
// has none.
func (c *checker) keyed(item any, l *schema.List) (fieldpath.PathElement, string) {
	object, ok := item.(map[string]any)
	switch {
	case item == nil:
		return fieldpath.PathElement{}, "associative list with keys may not have a null element"
	case !ok:
		return fieldpath.PathElement{}, "associative list with keys may not have non-map elements"
	}
	keys := value.FieldList{}
	for _, name := range l.Keys {
		v, found := object[name]
		if !found {
			v = defaultOf(c.schema, l, name)
		}
		switch {
		case found || v != nil:
			keys = append(keys, value.Field{Name: name, Value: value.NewValueInterface(v)})
		case c.needsAllKeys:
			return fieldpath.PathElement{}, fmt.Sprintf(keyOmitted, name)
		}
	}
	if len(keys) == 0 {
		return fieldpath.PathElement{}, fmt.Sprintf(keysOmitted, l.Keys)
	}
	keys.Sort()
	return fieldpath.PathElement{Key: &keys}, ""
}
