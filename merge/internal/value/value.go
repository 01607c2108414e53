// Package value reads the keys of list-maps in path elements as
// encoding/json/v2 does. Its name and those of its types are in the errors of
// servers since Kubernetes 1.38.
package value

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FieldList stands for the keys of an item.
type FieldList struct{}

// UnmarshalJSONFrom reads an object, or null.
func (*FieldList) UnmarshalJSONFrom(in *jsontext.Decoder) error {
	start, err := in.ReadToken()
	if err != nil {
		return fmt.Errorf("parsing JSON: %w", err)
	}
	switch start.Kind() {
	case '{':
	case 'n':
		return nil
	default:
		return errors.New("expected object")
	}
	for {
		name, err := in.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("unexpected EOF")
		case err != nil:
			return fmt.Errorf("parsing JSON: %w", err)
		case name.Kind() == '}':
			return nil
		}
		text, err := in.ReadValue()
		if err == nil {
			err = Check(text)
		}
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("unexpected EOF")
		case err != nil:
			return fmt.Errorf("parsing JSON: %w", err)
		}
	}
}

// Check returns the error of a text that is no JSON value.
func Check(text []byte) error {
	var v any
	return json.Unmarshal(text, &v, jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
}
