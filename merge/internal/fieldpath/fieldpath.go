// Package fieldpath finds what is wrong with a fieldsV1, as encoding/json/v2
// says it. Its name and those of its types are in the errors of servers since
// Kubernetes 1.38.
package fieldpath

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/crdsem/crdsem/merge/internal/value"
)

// tolerant are the options of all readers.
var tolerant = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Check returns the error of a text that is no set of fields, nil for one. The
// JSON library says "cannot" or "unable to", which it chooses once for each
// process; here it is always "cannot".
func Check(text string) error {
	err := json.UnmarshalRead(strings.NewReader(text), &setContentsV1{}, tolerant)
	if err == nil {
		return nil
	}
	return errors.New(strings.ReplaceAll(err.Error(), "json: unable to ", "json: cannot "))
}

// setContentsV1 stands for a set of fields.
type setContentsV1 struct{}

// UnmarshalJSONFrom reads an object of path elements, or null.
func (*setContentsV1) UnmarshalJSONFrom(in *jsontext.Decoder) error { return read(in) }

func read(in *jsontext.Decoder) error {
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
		token, err := in.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("unexpected EOF")
		case err != nil:
			return fmt.Errorf("parsing JSON: %w", err)
		case token.Kind() == '}':
			return nil
		}
		isSkipped, err := checkElement(token.String())
		if err != nil {
			return fmt.Errorf("parsing key as path element: %w", err)
		}
		if !isSkipped {
			if err := read(in); err != nil {
				return fmt.Errorf("parsing value as set: %w", err)
			}
		} else if err := in.SkipValue(); err != nil {
			return fmt.Errorf("parsing JSON: %w", err)
		}
	}
}

// checkElement returns the error of a path element. What is below an element of
// an unknown kind, and below the object itself, is skipped.
func checkElement(element string) (isSkipped bool, err error) {
	switch {
	case element == ".":
		return true, nil
	case len(element) < 2:
		return false, errors.New("key must be 2 characters long")
	case element[1] != ':':
		return false, fmt.Errorf("missing colon: %v", element)
	}
	switch text := element[2:]; element[0] {
	case 'f':
		return false, nil
	case 'v':
		return false, value.Check([]byte(text))
	case 'k':
		return false, json.UnmarshalRead(strings.NewReader(text), &value.FieldList{}, tolerant)
	case 'i':
		_, err := strconv.Atoi(text)
		return false, err
	}
	return true, nil
}
