package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// embeddedNode is a schema node at or below which there are embedded resources; where there are none it is nil.
type embeddedNode struct {
	resource   bool
	items      *embeddedNode
	fields     map[string]*embeddedNode // all declared ones, if additional is set
	additional *embeddedNode
}

func compileEmbedded(s *structural.Schema) *embeddedNode {
	return compileEmbeddedNode(s, map[*structural.Schema]*embeddedNode{})
}

func compileEmbeddedNode(s *structural.Schema, seen map[*structural.Schema]*embeddedNode) *embeddedNode {
	if !s.HasEmbeddedResources() {
		return nil
	}
	if n, ok := seen[s]; ok {
		return n
	}
	n := &embeddedNode{
		resource:   s.EmbeddedResource(),
		items:      compileEmbeddedNode(s.Items(), seen),
		fields:     map[string]*embeddedNode{},
		additional: compileEmbeddedNode(s.AdditionalSchema(), seen),
	}
	for name, property := range s.Properties() {
		if child := compileEmbeddedNode(property, seen); child != nil || n.additional != nil {
			n.fields[name] = child
		}
	}
	seen[s] = n
	return n
}

// EmbeddedResources validates apiVersion, kind and metadata of the embedded resources in a value (META-001 to META-012). The path is
// that of the value, nil for a whole object, whose own metadata is not part of it.
func (v *Validator) EmbeddedResources(path *field.Path, value any) field.ErrorList {
	return nil
}

// RootAndEmbeddedResources is EmbeddedResources for a value that is itself taken for a resource, whatever the schema says.
func (v *Validator) RootAndEmbeddedResources(path *field.Path, value any) field.ErrorList {
	return nil
}
