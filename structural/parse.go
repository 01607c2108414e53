package structural

import (
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
)

// Parse decodes an openAPIV3Schema and builds its model. Data that starts with
// { is JSON, all other data is one YAML document. As on the server that is YAML
// 1.1, where a plain key such as y, n, on or off is a boolean: quote it.
// Unknown keywords are ignored (STR-007).
//
// It fails with a *DecodeError or a *ConversionError. Success does not mean
// that the schema is structural: see [Validate].
func Parse(data []byte, options ...Option) (*Schema, error) {
	choice := newParse(options)
	if choice.Decoded != nil {
		return build(&choice)
	}
	props, err := crd.DecodeSchema(data)
	if value := (*crd.ValueError)(nil); errors.As(err, &value) {
		return nil, &ConversionError{Text: value.Error(), Rule: "PIPE-002"}
	}
	if err != nil {
		return nil, &DecodeError{Err: err, Rule: crd.DecodeRule(err)}
	}
	choice.Decoded = &crd.Decoded{Props: props}
	return build(&choice)
}

// build builds the model of a decoded schema; nil gives nil. It fails with the
// first *ConversionError that the server would meet (STR-020).
func build(p *crd.ParseSettings) (*Schema, error) {
	cache, _ := p.Cache.(*Cache)
	if cache == nil {
		cache = &Cache{}
	}
	memo := p.Decoded.Memo
	if memo == nil {
		memo = &crd.Memo{}
	}
	known, ok := memo.Converted.(map[conversion]converted)
	if !ok {
		known = map[conversion]converted{}
		memo.Converted = known
	}
	return cache.convert(p.Decoded.Props, known)
}

// FromMap is like Parse for a decoded schema. It neither changes nor keeps its
// argument.
func FromMap(object map[string]any, options ...Option) (*Schema, error) {
	if err := jsonvalue.Check(object); err != nil {
		return nil, &DecodeError{Err: err}
	}
	if props, ok := crd.SchemaFromValue(object); ok {
		choice := newParse(options)
		choice.Decoded = &crd.Decoded{Props: props}
		return build(&choice)
	}
	data, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return nil, &DecodeError{Err: err}
	}
	return Parse(data, options...)
}

// DecodeError reports a document that does not decode into the API type of a
// schema (STR-002). Its message is that of the server's decoder. Rule is the id
// of the rule that the document breaks, e.g. STR-003; it is empty if no rule is
// known.
type DecodeError struct {
	Err  error
	Rule string
}

func (e *DecodeError) Error() string { return fmt.Sprint(e.Err) }
func (e *DecodeError) Unwrap() error { return e.Err }

// In returns the error with the message of a minor's server. It does not change
// e.
func (e *DecodeError) In(m minors.Minor) *DecodeError {
	worded := crd.WordedIn(profile.Named(string(m)), e.Err)
	return &DecodeError{Err: worded, Rule: e.Rule}
}

// ConversionError reports a schema that decodes but uses a keyword that no
// structural schema can have, e.g. $ref (STR-011 to STR-019). Rule is the id of
// the rule that the schema breaks, e.g. STR-013.
type ConversionError struct{ Text, Rule string }

func (e *ConversionError) Error() string { return e.Text }
