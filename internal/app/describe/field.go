package describe

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/nearest"
	"github.com/crdsem/crdsem/structural"
)

// Field is a field of a definition with the way to it. The root has no name.
type Field struct {
	Path, Name string
	Schema     *structural.Schema
	Required   bool

	isPart bool // an item of a list or a value of a map
	above  []Field
}

// meta is a field that is not declared.
type meta struct{ name, typ, text string }

// typeMeta are the fields of every object, which a schema need not declare.
var typeMeta = []meta{
	{"apiVersion", "string", "The group and version of the object."},
	{"kind", "string", "The kind of the object."},
	{"metadata", "Object", "Kubernetes' standard metadata: name, namespace, labels, annotations."},
}

// Find returns the field at a path, e.g. spec.ports.name. An index, [] or *
// need not be written. Brackets hold an index, keys of an item, or a name with
// its dots: spec.labels[a.b]. The error suggests names like the one that is
// unknown.
func Find(root *structural.Schema, path string) (Field, error) {
	at := Field{Schema: root}
	rest := splitPath(path)
	for len(rest) > 0 {
		next, used, ok := at.step(rest)
		if p, isNamed := at.ofValues(rest[0]); isNamed {
			next, used, ok = p, 1, true
		}
		if !ok {
			return at, at.unknown(rest[0].name)
		}
		at, rest = next, rest[used:]
	}
	return at, nil
}

// pathStep is a name of a path, or what it has in brackets.
type pathStep struct {
	name      string
	inBracket bool
}

// splitPath returns the steps of a path.
func splitPath(path string) (steps []pathStep) {
	for path != "" {
		text, rest, isClosed := strings.Cut(path[1:], "]")
		if path[0] == '[' && isClosed {
			path = rest
			steps = append(steps, pathStep{strings.Trim(text, `"'`), true})
			continue
		}
		end := len(path)
		if at := strings.IndexAny(path[1:], ".["); at >= 0 {
			end = at + 1
		}
		if name := strings.TrimPrefix(path[:end], "."); name != "" {
			steps = append(steps, pathStep{name: name})
		}
		path = path[end:]
	}
	return steps
}

// step goes to the field that the first steps lead to: more than one if the
// name of a property has dots.
func (f Field) step(steps []pathStep) (next Field, used int, ok bool) {
	first := steps[0]
	if first.inBracket && f.Schema.Items() != nil {
		return f.below("[]", f.Name, f.Schema.Items()), 1, true
	}
	f = f.item()
	name, names := "", 0
	for i, s := range steps {
		if s.inBracket && i > 0 {
			break
		}
		name = strings.TrimPrefix(name+"."+s.name, ".")
		if p := f.Schema.Property(name); p != nil {
			next, names = f.property(name, p), i+1
		}
		if s.inBracket {
			break
		}
	}
	if names > 0 {
		return next, names, true
	}
	if s := f.Schema.AdditionalSchema(); s != nil {
		return f.below(".*", "*", s), 1, true
	}
	return f, 1, first.inBracket
}

// ofValues returns the field of that name of the values of a map, however deep
// these are in maps and lists: a key need not be written, as for kubectl.
func (f Field) ofValues(s pathStep) (p Field, ok bool) {
	in := f.item()
	if s.inBracket || in.Schema.AdditionalSchema() == nil || in.Schema.Property(s.name) != nil {
		return f, false
	}
	for p := range f.fields() {
		if p.Name == s.name {
			return p, true
		}
	}
	return f, false
}

// item returns the innermost item of a list; other fields as they are.
func (f Field) item() Field {
	for f.Schema.Items() != nil {
		f = f.below("[]", f.Name, f.Schema.Items())
	}
	return f
}

func (f Field) below(way, name string, s *structural.Schema) Field {
	return Field{
		Path: strings.TrimPrefix(f.Path+way, "."), Name: name, Schema: s,
		isPart: true, above: append(slices.Clip(f.above), f),
	}
}

func (f Field) property(name string, s *structural.Schema) Field {
	p := f.below("."+name, name, s)
	p.isPart = false
	p.Required = slices.Contains(f.Schema.Values().Required, name)
	return p
}

// unknown returns the error for a name that the field does not have.
func (f Field) unknown(name string) error {
	in := f.item().Schema
	names, place := in.PropertyNames(), f.place()
	if at := slices.IndexFunc(typeMeta, func(t meta) bool { return t.name == name }); at >= 0 &&
		(f.Path == "" || in.EmbeddedResource()) {
		return fmt.Errorf("%s: every resource has it, and no definition describes it: %s", name,
			typeMeta[at].text)
	}
	if near := nearest.Names(name, names, 3); len(near) > 0 {
		return fmt.Errorf("%s has no field %q; did you mean %s?",
			place, name, strings.Join(near, ", "))
	}
	if in.PreservesUnknownFields() {
		return fmt.Errorf("%s does not declare %q; it keeps all fields that it is given", place,
			name)
	}
	if len(names) == 0 {
		return fmt.Errorf("%s has no fields", place)
	}
	return fmt.Errorf("%s has no field %q; it has %s", place, name, strings.Join(names, ", "))
}

// fields iterates over the declared fields directly below a field, through the
// items of lists and the values of maps.
func (f Field) fields() iter.Seq[Field] {
	f = f.item()
	for f.Schema.AdditionalSchema() != nil && !f.Schema.HasProperties() {
		f = f.below(".*", "*", f.Schema.AdditionalSchema()).item()
	}
	return func(yield func(Field) bool) {
		for name, s := range f.Schema.Properties() {
			if !yield(f.property(name, s)) {
				return
			}
		}
	}
}

// all iterates over the fields below a field, parents first. Items of lists and
// values of maps are among them if they have facts or rules.
func (f Field) all() iter.Seq[Field] {
	return func(yield func(Field) bool) { f.walk(yield) }
}

func (f Field) walk(yield func(Field) bool) bool {
	for _, child := range f.children() {
		hasMore := len(Facts(child.Schema)) > 0 || len(child.Schema.Rules()) > 0 ||
			child.Schema.Description() != ""
		if (!child.isPart || hasMore) && !yield(child) {
			return false
		}
		if !child.walk(yield) {
			return false
		}
	}
	return true
}

// children returns the nodes directly below a field.
func (f Field) children() []Field {
	var children []Field
	for name, s := range f.Schema.Properties() {
		children = append(children, f.property(name, s))
	}
	if s := f.Schema.Items(); s != nil {
		children = append(children, f.below("[]", f.Name, s))
	}
	if s := f.Schema.AdditionalSchema(); s != nil {
		children = append(children, f.below(".*", "*", s))
	}
	return children
}
