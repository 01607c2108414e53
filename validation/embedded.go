package validation

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// embeddedNode is a schema node with an embedded resource at it or below it. It
// is nil for a schema node without one.
type embeddedNode struct {
	resource   bool
	items      *embeddedNode
	fields     map[string]*embeddedNode // all declared ones, if additional is set
	additional *embeddedNode
}

func (c *compiler) embeddedOf(s *structural.Schema) *embeddedNode {
	if !s.HasEmbeddedResources() {
		return nil
	}
	if n, ok := c.embedded[s]; ok {
		return n
	}
	n := &embeddedNode{
		resource:   s.EmbeddedResource(),
		items:      c.embeddedOf(s.Items()),
		fields:     map[string]*embeddedNode{},
		additional: c.embeddedOf(s.AdditionalSchema()),
	}
	for name, property := range s.Properties() {
		if child := c.embeddedOf(property); child != nil || n.additional != nil {
			n.fields[name] = child
		}
	}
	put(&c.embedded, s, n)
	return n
}

// EmbeddedResources validates apiVersion, kind and metadata of the embedded
// resources in a value (META-001 to META-012). The path is that of the value,
// nil for a whole object. The metadata of the whole object itself is not
// validated.
func (v *Validator) EmbeddedResources(
	ctx context.Context, path *field.Path, value any,
) field.ErrorList {
	if v == nil || v.embedded == nil {
		return nil
	}
	w := watching(ctx)
	if v.embedded.valid(value, &w) {
		return nil
	}
	return v.embedded.collect(path, value, embeddedErrors{w, v.profile})
}

// RootAndEmbeddedResources is like EmbeddedResources for a value that is itself
// a resource, even if the schema does not say so.
func (v *Validator) RootAndEmbeddedResources(
	ctx context.Context, path *field.Path, value any,
) field.ErrorList {
	root, in := (*embeddedNode)(nil), embeddedErrors{watching(ctx), profile.Latest()}
	if v != nil && v.profile != nil {
		root, in.profile = v.embedded, v.profile
	}
	if root != nil && root.resource {
		return v.EmbeddedResources(ctx, path, value)
	}
	var errs field.ErrorList
	if object, ok := value.(map[string]any); ok {
		errs = metadata.At(path, metadata.ValidateEmbedded(object, in.profile)...)
	}
	return append(errs, root.collect(path, value, in)...)
}

// valid reports whether all embedded resources of a value are valid. It is
// false, too, once the watch has ended the walk.
func (n *embeddedNode) valid(value any, w *watch) bool {
	if n == nil {
		return true
	}
	if !w.step() {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		if n.resource && len(metadata.ValidateEmbedded(value, profile.Latest())) > 0 {
			return false
		}
		for name, field := range value {
			if !n.field(name).valid(field, w) {
				return false
			}
		}
	case []any:
		for _, item := range value {
			if !n.items.valid(item, w) {
				return false
			}
		}
	}
	return true
}

// field returns the node of an object's field. A declared property is not under
// additionalProperties.
func (n *embeddedNode) field(name string) *embeddedNode {
	if child, ok := n.fields[name]; ok {
		return child
	}
	return n.additional
}

// embeddedErrors is what looking for errors depends on.
type embeddedErrors struct {
	watch
	profile *profile.Profile
}

// collect returns the errors of a value.
func (n *embeddedNode) collect(path *field.Path, value any, in embeddedErrors) field.ErrorList {
	return in.outcome(path, n.errors(path, value, &in))
}

// errors returns a resource's errors before those of the resources in it. It
// visits fields in the order of their names (META-010).
func (n *embeddedNode) errors(path *field.Path, value any, in *embeddedErrors) field.ErrorList {
	if n == nil || !in.step() {
		return nil
	}
	var errs field.ErrorList
	switch value := value.(type) {
	case map[string]any:
		if n.resource {
			errs = metadata.At(path, metadata.ValidateEmbedded(value, in.profile)...)
		}
		for _, name := range jsonvalue.SortedKeys(value) {
			if child, declared := n.fields[name]; declared {
				errs = append(errs, child.errors(path.Child(name), value[name], in)...)
			} else if n.additional != nil {
				errs = append(errs, n.additional.errors(path.Key(name), value[name], in)...)
			}
		}
	case []any:
		for i, item := range value {
			errs = append(errs, n.items.errors(path.Index(i), item, in)...)
		}
	}
	return errs
}
