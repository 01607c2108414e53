package structural

import "slices"

// facts are what a walk needs to know of a node and of all spine nodes below it, so that it can leave whole subtrees out.
type facts struct {
	defaults, nullDefaults, rules, embedded, listTypes, nullable bool
}

// HasDefaults tells whether a node below this one on the spine has a default. The node's own default does not count:
// it is applied by its parent.
func (s *Schema) HasDefaults() bool { return s.orEmpty().below.defaults }

// DefaultedProperties returns the names of the declared properties that have a default, in byte order.
func (s *Schema) DefaultedProperties() []string { return s.orEmpty().defaulted }

// HasNullDefaults tells whether a default of a node below this one on the spine is null or holds a null.
func (s *Schema) HasNullDefaults() bool { return s.orEmpty().below.nullDefaults }

// HasRules tells whether this node or one below it on the spine has validation rules.
func (s *Schema) HasRules() bool { return s.orEmpty().below.rules }

// HasEmbeddedResources tells whether this node or one below it on the spine is an embedded resource.
func (s *Schema) HasEmbeddedResources() bool { return s.orEmpty().below.embedded }

// HasListTypes tells whether this node or one below it on the spine is a list of type set or map.
func (s *Schema) HasListTypes() bool { return s.orEmpty().below.listTypes }

// HasNullable tells whether this node or one below it on the spine is nullable.
func (s *Schema) HasNullable() bool { return s.orEmpty().below.nullable }

// summarize computes the facts of a node from its keywords and its children's facts.
func summarize(k *keywords) facts {
	f := facts{
		rules:     len(k.rules) > 0,
		embedded:  k.embedded,
		listTypes: k.listType != nil && (*k.listType == string(ListSet) || *k.listType == string(ListMap)),
		nullable:  k.nullable,
	}
	add := func(child *Schema) {
		if child == nil {
			return
		}
		f.defaults = f.defaults || child.def != nil || child.below.defaults
		f.nullDefaults = f.nullDefaults || child.below.nullDefaults || child.def != nil && holdsNull(child.def)
		f.rules = f.rules || child.below.rules
		f.embedded = f.embedded || child.below.embedded
		f.listTypes = f.listTypes || child.below.listTypes
		f.nullable = f.nullable || child.below.nullable
	}
	add(k.items)
	for _, child := range k.properties {
		add(child)
	}
	if k.additional != nil {
		add(k.additional.Schema)
	}
	return f
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
	for _, name := range k.names {
		if k.properties[name].Default() != nil {
			names = append(names, name)
		}
	}
	return names
}
