package edit

import (
	"strings"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// schemaText is the schema of a definition as its lines say it. It is there
// while the definition is typed and does not compile.
type schemaText struct {
	children map[int][]wayKey // by the id of the key or item above
	keys     map[int]wayKey   // by id
	// byID is the node of each item of x-kubernetes-validations.
	byID map[int]int
	// lists are the keys of the lists that items are in.
	lists map[int]int
}

func newSchemaText(w *way) *schemaText {
	s := &schemaText{map[int][]wayKey{}, map[int]wayKey{}, map[int]int{}, w.items}
	for _, k := range w.keys {
		s.keys[k.id] = k
		s.children[k.parent] = append(s.children[k.parent], k)
	}
	for item, list := range w.items {
		if k := s.keys[list]; k.key == "x-kubernetes-validations" {
			s.byID[item] = k.parent
		}
	}
	return s
}

// child returns the key below some keys of a node.
func (s *schemaText) child(id int, names ...string) (key wayKey, ok bool) {
	for _, name := range names {
		ok = false
		for _, k := range s.children[id] {
			if k.key == name {
				key, ok, id = k, true, k.id
				break
			}
		}
		if !ok {
			return wayKey{}, false
		}
	}
	return key, ok
}

// celType is the type of an expression. The zero value is not known.
type celType struct {
	name string // as CEL writes it, e.g. list; object for an object with fields
	node int    // the schema node, 0 without one
	elem *celType
}

func (t celType) element() celType {
	if t.elem == nil {
		return celType{}
	}
	return *t.elem
}

// optionalType is the name of the type of optional values, whose element is
// what they hold.
const optionalType = "optional_type"

// held returns the type of what an optional value holds, and that of any other
// value itself.
func (t celType) held() celType {
	if t.name == optionalType {
		return t.element()
	}
	return t
}

// selected returns the type of a field or an element, which of returns. That of
// an optional value is optional, too.
func (t celType) selected(isOptional bool, of func(celType) celType) celType {
	inner := of(t.held())
	if isOptional || t.name == optionalType {
		return celType{name: optionalType, elem: &inner}
	}
	return inner
}

// String returns the type as CEL writes it.
func (t celType) String() string {
	switch {
	case t.name == "":
		return "dyn"
	case t.name == "list" && t.elem != nil:
		return "list(" + t.elem.String() + ")"
	case t.name == "map" && t.elem != nil:
		return "map(string, " + t.elem.String() + ")"
	case t.name == optionalType && t.elem != nil:
		return optionalType + "(" + t.elem.String() + ")"
	}
	return t.name
}

// word returns the plain value of a keyword of a node.
func (s *schemaText) word(id int, name string) string {
	if k, ok := s.child(id, name); ok {
		return strings.Trim(strings.TrimSpace(strings.SplitN(k.value, " #", 2)[0]), `"'`)
	}
	return ""
}

// formats are the types of strings with a format.
var formats = map[string]string{
	"date": "timestamp", "date-time": "timestamp", "datetime": "timestamp", "duration": "duration",
	"byte": "bytes",
}

// scalars are the types of scalars.
var scalars = map[string]string{"integer": "int", "number": "double", "boolean": "bool"}

// typeAt returns the type of the values of a node.
func (s *schemaText) typeAt(id int) celType {
	if id < 0 || s.word(id, "x-kubernetes-int-or-string") == "true" {
		return celType{node: id}
	}
	t := celType{name: scalars[s.word(id, "type")], node: id}
	switch s.word(id, "type") {
	case "string":
		if t.name = formats[s.word(id, "format")]; t.name == "" {
			t.name = "string"
		}
	case "array":
		t.name = "list"
		if items, ok := s.child(id, "items"); ok {
			elem := s.typeAt(items.id)
			t.elem = &elem
		}
	case "object":
		t.name = "object"
		if values, ok := s.child(id, "additionalProperties"); ok {
			elem := s.typeAt(values.id)
			t.name, t.elem = "map", &elem
		}
	}
	return t
}

// field returns the type of a field, given its name in CEL.
func (s *schemaText) field(t celType, name string) celType {
	if t.name == "map" {
		return t.element()
	}
	if t.name != "object" {
		return celType{}
	}
	if k, ok := s.child(t.node, "properties", celsyntax.Field(name)); ok {
		return s.typeAt(k.id)
	}
	return celType{}
}
