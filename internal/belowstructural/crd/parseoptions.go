package crd

// ParseSettings are the settings that the options of structural.Parse change.
// An option is a function of them, so packages of this module can write options
// that users do not have.
type ParseSettings struct {
	// Cache is a *structural.Cache, nil without one.
	Cache any
	// Decoded is the schema if it is decoded already. Parse then reads no text.
	Decoded *Decoded
}

// Decoded is a decoded schema. No schema at all has nil Props.
type Decoded struct {
	Props *JSONSchemaProps
	Memo  *Memo
}

// Memo keeps what parts of one document became, so that each is converted only
// once. Only one goroutine at a time may use it.
type Memo struct{ Converted any }

// IsDecoded returns an option for a schema that is decoded already.
func IsDecoded(props *JSONSchemaProps, memo *Memo) func(*ParseSettings) {
	return func(p *ParseSettings) { p.Decoded = &Decoded{props, memo} }
}
