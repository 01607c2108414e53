package definition

import (
	"sync"

	"github.com/crdsem/crdsem/internal/apiextensions"
	"github.com/crdsem/crdsem/structural"
)

// CompileOption is a choice made for [Compile].
type CompileOption func(*schemaSource)

// InCache shares the nodes of schemas with all definitions that use the same cache. Without it, the versions of a definition share theirs.
func InCache(cache *structural.Cache) CompileOption { return func(s *schemaSource) { s.cache = cache } }

// schemaSource makes the schemas of a definition's versions.
type schemaSource struct {
	cache  *structural.Cache
	shared map[*apiextensions.CustomResourceValidation]*lazySchema
}

// of returns the schema of a version, nil if it has none. It fails if the schema does not convert.
func (s *schemaSource) of(validation *apiextensions.CustomResourceValidation) (*lazySchema, error) {
	if validation == nil || validation.OpenAPIV3Schema == nil {
		return nil, nil
	}
	if known, ok := s.shared[validation]; ok {
		return known, nil
	}
	if !structural.Converts(validation.OpenAPIV3Schema) {
		_, err := structural.New(validation.OpenAPIV3Schema)
		return nil, err
	}
	if s.shared == nil {
		s.shared = map[*apiextensions.CustomResourceValidation]*lazySchema{}
	}
	if s.cache == nil {
		s.cache = &structural.Cache{}
	}
	out := &lazySchema{props: validation.OpenAPIV3Schema, cache: s.cache}
	s.shared[validation] = out
	return out, nil
}

// lazySchema is a schema that is built when it is first asked for.
type lazySchema struct {
	building sync.Once
	schema   *structural.Schema

	// What it is built from and with; dropped once it is.
	props *apiextensions.JSONSchemaProps
	cache *structural.Cache
}

func (s *lazySchema) get() *structural.Schema {
	s.building.Do(func() {
		s.schema, _ = s.cache.New(asStored(s.props)) // it converts: that was asked before
		s.props, s.cache = nil, nil
	})
	return s.schema
}

// Schema returns the model of the version's schema, nil if it has none. It is built once, by whoever asks first; that is safe for concurrent use.
func (v *Version) Schema() *structural.Schema {
	if v.schema == nil {
		return nil
	}
	return v.schema.get()
}
