package structural

import "slices"

// facts tell a walk which whole subtrees it can skip. They are about a node and
// all spine nodes below it.
type facts struct {
	defaults, nullDefaults, rules, embedded, listTypes, nullable bool
}

// HasDefaults reports whether a spine node below this one has a default. The
// node's own default does not count, because the parent applies it.
func (s *Schema) HasDefaults() bool { return s.orEmpty().below.defaults }

// DefaultedProperties returns the names of the declared properties that have a
// default, in byte order.
func (s *Schema) DefaultedProperties() []string { return s.orEmpty().defaulted }

// HasNullDefaults reports whether the default of a spine node below this one is
// null or contains a null.
func (s *Schema) HasNullDefaults() bool { return s.orEmpty().below.nullDefaults }

// HasRules reports whether this node or a spine node below it has validation
// rules.
func (s *Schema) HasRules() bool { return s.orEmpty().below.rules }

// HasEmbeddedResources reports whether this node or a spine node below it is an
// embedded resource.
func (s *Schema) HasEmbeddedResources() bool { return s.orEmpty().below.embedded }

// HasListTypes reports whether this node or a spine node below it is a list of
// type set or map.
func (s *Schema) HasListTypes() bool { return s.orEmpty().below.listTypes }

// HasNullable reports whether this node or a spine node below it is nullable.
func (s *Schema) HasNullable() bool { return s.orEmpty().below.nullable }

// summarize returns the facts of a node, from its keywords and the facts of its
// children.
func summarize(k *keywords) facts {
	f := facts{
		rules:     len(k.rules) > 0,
		embedded:  k.embedded,
		listTypes: isOneOf(k.listType, ListSet, ListMap),
		nullable:  k.nullable,
	}
	add := func(child *Schema) {
		if child == nil {
			return
		}
		f.defaults = f.defaults || child.def != nil || child.below.defaults
		f.nullDefaults = f.nullDefaults || child.below.nullDefaults ||
			child.def != nil && holdsNull(child.def)
		f.rules = f.rules || child.below.rules
		f.embedded = f.embedded || child.below.embedded
		f.listTypes = f.listTypes || child.below.listTypes
		f.nullable = f.nullable || child.below.nullable
	}
	add(k.items)
	k.properties.each(func(_ string, child *Schema) { add(child) })
	if k.additional != nil {
		add(k.additional.Schema)
	}
	return f
}

func isOneOf(listType *string, types ...ListType) bool {
	return listType != nil && slices.Contains(types, ListType(*listType))
}

func holdsNull(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case map[string]any:
		for _, field := range value {
			if holdsNull(field) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, holdsNull)
	}
	return false
}

func defaultedNames(k *keywords) []string {
	var names []string
	k.properties.each(func(name string, child *Schema) {
		if child.Default() != nil {
			names = append(names, name)
		}
	})
	return names
}
