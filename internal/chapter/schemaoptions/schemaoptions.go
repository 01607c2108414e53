// Package schemaoptions defines the settings that the options of
// structural.Parse change. An option is a function of them, so packages of this
// module can write options that users do not have.
package schemaoptions

import "github.com/crdsem/crdsem/internal/chapter/crd"

// Parse is what a structural.ParseOption changes.
type Parse struct {
	// Cache is a *structural.Cache, nil without one.
	Cache any
	// Decoded is the schema if it is decoded already. Parse then reads no text.
	Decoded *Decoded
}

// Decoded is a decoded schema. No schema at all has nil Props.
type Decoded struct {
	Props *crd.JSONSchemaProps
	Memo  *Memo
}

// Memo keeps what parts of one document became, so that each is converted only
// once. Only one goroutine at a time may use it.
type Memo struct{ Converted any }

// Of returns an option for a schema that is decoded already.
func Of(props *crd.JSONSchemaProps, memo *Memo) func(*Parse) {
	return func(p *Parse) { p.Decoded = &Decoded{props, memo} }
}
