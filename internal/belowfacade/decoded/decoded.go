// Package decoded has the option of structural.Parse for a schema that is
// decoded already.
package decoded

import (
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// option is an option of structural.Parse. The interface, which is nil, makes
// it one.
type option struct {
	structural.Option
	decoded crd.Decoded
}

// ForParse sets the decoded schema.
func (o option) ForParse(s *crd.ParseSettings) { s.Decoded = &o.decoded }

// Schema returns the option for a decoded schema. The memo may be nil.
func Schema(props *crd.JSONSchemaProps, memo *crd.Memo) structural.Option {
	return option{decoded: crd.Decoded{Props: props, Memo: memo}}
}

// Model builds the model of a decoded schema; nil gives nil.
func Model(props *crd.JSONSchemaProps) (*structural.Schema, error) {
	return structural.Parse(nil, Schema(props, nil))
}

// Converter builds models of decoded schemas. Equal nodes of all schemas that
// it is given are one node. Only one goroutine at a time may call it.
type Converter = func(*crd.JSONSchemaProps) (*structural.Schema, error)

// NewConverter returns a converter whose nodes come from the cache; nil stands
// for a new one.
func NewConverter(cache *structural.Cache) Converter {
	if cache == nil {
		cache = &structural.Cache{}
	}
	memo := &crd.Memo{}
	return func(props *crd.JSONSchemaProps) (*structural.Schema, error) {
		return structural.Parse(nil, Schema(props, memo), structural.InCache(cache))
	}
}
