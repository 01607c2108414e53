package merge

import (
	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/schema"
	"sigs.k8s.io/structured-merge-diff/v4/typed"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// Type compares and merges objects of one version of a CRD. It is immutable and
// safe for concurrent use. Types come from [Compile].
type Type struct {
	// schema is as the server publishes it. If items can omit keys, the schema
	// of parser also has the default absent (see omittedkeys.go).
	schema *schema.Schema
	parser typed.ParseableType
	omits  bool

	profile *profile.Profile
}

// Compile makes the type of a resource from the structural schema of its
// version, and adds apiVersion, kind and metadata. A nil schema stands for one
// that the server does not publish, because it is absent or not structural. The
// type of a field then follows from its value.
//
// structural.Kubernetes selects the minor whose server merges.
func Compile(s *structural.Schema, options ...structural.Option) *Type {
	minor, _ := structural.Common(options...)
	t := &Type{profile: profile.Named(string(minor))}
	published, filled := typesOf(s)
	if !t.profile.OmittedKeys {
		filled = published
	}
	t.schema, t.omits = published, published != filled
	root := rootName
	t.parser = typed.ParseableType{Schema: filled, TypeRef: schema.TypeRef{NamedType: &root}}
	return t
}

// SchemaYAML returns the type in the schema language of structured-merge-diff.
// The resource is the type named root.
func (t *Type) SchemaYAML() ([]byte, error) {
	return yaml.Marshal(t.schema)
}

// Changes are the differences between two objects, as sorted field paths.
type Changes struct {
	// Added are the fields and items that only the new object has, Removed
	// those that only the old object has, Modified those with another value.
	Added, Removed, Modified []string
	// Before has the old values of removed and modified paths, and After the
	// new values of added and modified ones. They are parts of the objects.
	Before, After map[string]any
}

// Empty reports whether there is no difference.
func (c Changes) Empty() bool {
	return len(c.Added)+len(c.Removed)+len(c.Modified) == 0
}

// Validate checks that an object fits the type: the types of its values, known
// fields, list items with their keys, no duplicates. The error is a
// [*TypeError]. The object is not changed.
func (t *Type) Validate(object map[string]any) error {
	_, err := t.typed(object)
	return err
}

// Compare returns the differences between an old and a new object. List items
// are matched by their keys, sets have no order, and atomic values differ as a
// whole. Neither object is changed. The error is a [*TypeError] about an object
// that does not fit the type; duplicates are allowed.
func (t *Type) Compare(old, updated map[string]any) (Changes, error) {
	a, err := t.typed(old, typed.AllowDuplicates)
	if err != nil {
		return Changes{}, err
	}
	b, err := t.typed(updated, typed.AllowDuplicates)
	if err != nil {
		return Changes{}, err
	}
	c, err := a.Compare(b)
	if err != nil {
		return Changes{}, err
	}
	return Changes{
		Added:    pathsOf(c.Added),
		Removed:  pathsOf(c.Removed),
		Modified: pathsOf(c.Modified),
		Before:   valuesAt(old, c.Removed, c.Modified),
		After:    valuesAt(updated, c.Added, c.Modified),
	}, nil
}

// Merge returns the live object merged with the applied one. Maps and list-maps
// are merged item by item, sets are united, and everything else is replaced.
// Nothing is removed. Neither argument is changed, and the result shares
// nothing with them. The error is a [*TypeError] about an object that does not
// fit the type; in the live object duplicates are allowed.
func (t *Type) Merge(live, applied map[string]any) (map[string]any, error) {
	a, err := t.typed(live, typed.AllowDuplicates)
	if err != nil {
		return nil, err
	}
	b, err := t.typed(applied)
	if err != nil {
		return nil, err
	}
	merged, err := a.Merge(b)
	if err != nil {
		return nil, err
	}
	return objectOf(merged), nil
}

// Fields returns the field set of an object: every leaf, and every item of a
// list-map or set. The object is not changed. The error is a [*TypeError].
func (t *Type) Fields(object map[string]any) (FieldSet, error) {
	v, err := t.typed(object)
	if err != nil {
		return FieldSet{}, err
	}
	set, err := v.ToFieldSet()
	if err != nil {
		return FieldSet{}, err
	}
	return FieldSet{withoutAbsent(set)}, nil
}

// check is Validate with duplicates allowed.
func (t *Type) check(object map[string]any) error {
	_, err := t.typed(object, typed.AllowDuplicates)
	return err
}

// typed checks an object against the type.
func (t *Type) typed(
	object map[string]any, options ...typed.ValidationOptions,
) (*typed.TypedValue, error) {
	if object == nil {
		object = map[string]any{}
	}
	if err := checkValues(object); err != nil {
		return nil, err
	}
	if t.omits && t.omitsAll(object, t.parser.TypeRef) {
		return nil, &TypeError{Problems: t.problems(object, options)}
	}
	v, err := t.parser.FromUnstructured(object, options...)
	if err != nil {
		if problems := t.problems(object, options); len(problems) > 0 {
			return nil, &TypeError{Problems: problems}
		}
		return nil, err
	}
	return v, nil
}

// objectOf returns a copy of the object in a typed value; null is an empty
// object.
func objectOf(v *typed.TypedValue) map[string]any {
	object, _ := v.AsValue().Unstructured().(map[string]any)
	if object == nil {
		return map[string]any{}
	}
	return jsonvalue.DeepCopyMap(object)
}

func pathsOf(set *fieldpath.Set) []string {
	return FieldSet{withoutAbsent(set)}.Paths()
}
