package structural

import "reflect"

// isIntOrString tells whether the branches of an anyOf are exactly an integer and a string, in that order (STR-062, STR-063):
// the one place where nested nodes have a type.
func isIntOrString(anyOf []*Schema) bool {
	return len(anyOf) == 2 && isPlainType(anyOf[0], "integer") && isPlainType(anyOf[1], "string")
}

// isPlainType tells whether a nested node has this type and nothing else.
func isPlainType(s *Schema, typ string) bool {
	if s.typ != typ {
		return false
	}
	k := s.keywords
	if !s.restrictsAdditional() {
		k.additional = nil // additionalProperties: false is ignored in nested nodes (STR-028)
	}
	return reflect.DeepEqual(&k, &keywords{typ: typ})
}

// restrictsAdditional tells whether the additionalProperties of a nested node counts: false does not (STR-028).
func (s *Schema) restrictsAdditional() bool {
	return s.additional != nil && (s.additional.Allows || s.additional.Schema != nil)
}

// restrictsOnlyNames tells whether the schema of a root's metadata has nothing but type, default and the properties name and
// generateName (STR-057). A third property makes those two count as well.
func restrictsOnlyNames(metadata *Schema) bool {
	k := metadata.keywords
	k.typ, k.def = "", nil
	for _, name := range k.names {
		if name != "name" && name != "generateName" {
			return false
		}
	}
	k.names, k.properties = nil, nil
	return reflect.DeepEqual(&k, &keywords{})
}
