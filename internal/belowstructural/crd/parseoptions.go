package crd

// ParseSettings are the settings that the options of structural.Parse change.
type ParseSettings struct {
	// Cache is a *structural.Cache, nil without one.
	Cache any
	// Decoded is the schema if it is decoded already. Parse then reads no text.
	Decoded *Decoded
}

// ParseOption is implemented by the options that packages of this module have
// and users do not: see package decoded.
type ParseOption interface{ ForParse(*ParseSettings) }

// Decoded is a decoded schema. No schema at all has nil Props.
type Decoded struct {
	Props *JSONSchemaProps
	Memo  *Memo
}

// Memo keeps what parts of one document became, so that each is converted only
// once. Only one goroutine at a time may use it.
type Memo struct{ Converted any }
