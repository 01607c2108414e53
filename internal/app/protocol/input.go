package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	doc    []byte
	text   bool // sent as a string of text
	format Format
}

// JSONInput returns an input that is sent as a JSON value, spelled as in doc.
// doc must be valid JSON without line breaks between tokens, and must not be
// changed afterwards.
func JSONInput(doc []byte) Input {
	return Input{doc: doc, format: JSON}
}

// TextInput returns an input that is sent as a string of text. The text is a
// JSON document if it starts with an opening brace, otherwise a YAML document.
func TextInput(text string) Input {
	in := Input{doc: []byte(text), text: true, format: YAML}
	if len(text) > 0 && text[0] == '{' {
		in.format = JSON
	}
	return in
}

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
func (in Input) Given() bool { return in.format != "" }

// Document returns the bytes of the document and its format. Callers must not
// change the bytes. A document that was sent as text need not be valid.
func (in Input) Document() ([]byte, Format) { return in.doc, in.format }

// IsText reports whether the input was sent as a string of text.
func (in Input) IsText() bool { return in.text }

// MarshalJSON returns the input as it stands in a request.
func (in Input) MarshalJSON() ([]byte, error) {
	switch {
	case !in.Given():
		return []byte("null"), nil
	case in.text:
		return appendString(nil, string(in.doc)), nil
	}
	return in.doc, nil
}

// parseInput reads an input from its place in a request.
func parseInput(raw json.RawMessage) (Input, error) {
	if raw[0] != '"' {
		return JSONInput(raw), nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return Input{}, fmt.Errorf("unreadable text: %w", err)
	}
	return TextInput(text), nil
}

// UnmarshalJSON reads an input as it stands in a request.
func (in *Input) UnmarshalJSON(raw []byte) error {
	read, err := parseInput(bytes.Clone(raw))
	if err == nil {
		*in = read
	}
	return err
}
