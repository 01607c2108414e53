package structural

import "fmt"

// DecodeError is returned for a document that does not decode into the API type of a schema (STR-002); its text is the
// server's decoder's.
type DecodeError struct{ Err error }

func (e *DecodeError) Error() string { return fmt.Sprint(e.Err) }
func (e *DecodeError) Unwrap() error { return e.Err }

// ConversionError is returned for a schema that decodes but uses what no structural schema can have (STR-011 to STR-019).
type ConversionError struct{ Text string }

func (e *ConversionError) Error() string { return e.Text }
