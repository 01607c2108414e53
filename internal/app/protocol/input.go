package protocol

import (
	"bytes"
	"hash/maphash"

	"github.com/go-json-experiment/json/jsontext"
)

// Format is the language of a document.
type Format string

// The formats of documents.
const (
	JSON Format = "json"
	YAML Format = "yaml"
)

// Input is a document inside a request. It keeps the document as it was sent,
// so that duplicate keys and the spelling of numbers survive. It is immutable.
// The zero Input is an input that was not given.
type Input struct {
	written []byte
	form    inputForm
}

// inputForm is how the bytes of an input are written.
type inputForm uint8

const (
	notGiven inputForm = iota
	asValue            // a JSON value
	asText             // a text
	asString           // a text as a JSON string, as it stands in a request
)

// JSONInput returns an input that is sent as a JSON value, spelled as in doc.
// doc must be valid JSON without line breaks between tokens, and must not be
// changed afterwards.
func JSONInput(doc []byte) Input { return Input{doc, asValue} }

// TextInput returns an input that is sent as a string of text. The text is a
// JSON document if it starts with an opening brace, otherwise a YAML document.
func TextInput(text string) Input { return Input{[]byte(text), asText} }

// ValueInput returns an input that is sent as the JSON form of v. v may hold
// only map[string]any, []any, string, bool, int64, float64 and nil. The error
// names the path of any other value, of an infinity or of a NaN.
func ValueInput(v any) (Input, error) {
	doc, err := AppendValue(nil, v)
	if err != nil {
		return Input{}, err
	}
	return JSONInput(doc), nil
}

// Given reports whether the input was part of the request.
func (in Input) Given() bool { return in.form != notGiven }

// IsText reports whether the input was sent as a string of text.
func (in Input) IsText() bool { return in.form == asText || in.form == asString }

// Document returns the bytes of the document and its format. Callers must not
// change the bytes. A document that was sent as text need not be valid. Each
// call decodes a text that was read from a request.
func (in Input) Document() ([]byte, Format) {
	doc := in.written
	if in.form == asString {
		doc, _ = jsontext.AppendUnquote(nil, doc) // U+FFFD for what is not UTF-8
	}
	switch {
	case in.form == notGiven:
		return nil, ""
	case in.form == asValue || bytes.HasPrefix(doc, []byte("{")):
		return doc, JSON
	}
	return doc, YAML
}

// decoded returns the input in a form that Document need not decode.
func (in Input) decoded() Input {
	if in.form != asString {
		return in
	}
	text, _ := in.Document()
	return Input{text, asText}
}

// Equal reports whether two inputs are written alike. Their documents are then
// equal.
func (in Input) Equal(other Input) bool {
	return in.form == other.form && bytes.Equal(in.written, other.written)
}

// Hash returns a number that is the same for equal inputs.
func (in Input) Hash(seed maphash.Seed) uint64 { return maphash.Bytes(seed, in.written) }

// Size returns the number of bytes that the input takes.
func (in Input) Size() int { return len(in.written) }

// MarshalJSON returns the input as it stands in a request.
func (in Input) MarshalJSON() ([]byte, error) { return in.appendJSON(nil), nil }

// appendJSON appends the input as it stands in a request.
func (in Input) appendJSON(dst []byte) []byte {
	switch in.form {
	case notGiven:
		return append(dst, "null"...)
	case asText:
		dst, _ = jsontext.AppendQuote(dst, in.written) // U+FFFD for what is not UTF-8
		return dst
	}
	return append(dst, in.written...)
}

// parseInput reads an input from its place in a request.
func parseInput(raw jsontext.Value) Input {
	if raw.Kind() == '"' {
		return Input{raw, asString}
	}
	return JSONInput(raw)
}

// UnmarshalJSON reads an input as it stands in a request.
func (in *Input) UnmarshalJSON(raw []byte) error {
	*in = parseInput(bytes.Clone(raw))
	return nil
}
