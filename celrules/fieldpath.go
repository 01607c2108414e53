package celrules

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// ValidFieldPath resolves a fieldPath of a rule against the schema of the rule's node (CEL-080). It returns the path as errors
// print it and the schema of the field, or the server's error.
func ValidFieldPath(path string, schema *structural.Schema) (*field.Path, *structural.Schema, error) {
	return resolvePath(path, schema, anyNotation)
}

// ValidSelectableField is [ValidFieldPath] without array notation, as for the jsonPath of selectable fields.
func ValidSelectableField(path string, schema *structural.Schema) (*field.Path, *structural.Schema, error) {
	return resolvePath(path, schema, dotsOnly)
}

type notation int

const (
	anyNotation notation = iota
	dotsOnly
)

var (
	errNoArrays   = errors.New("array notation is not allowed")
	errUnexpected = errors.New("unexpected end of JSON path")

	// ErrUnknownField says that a path leads to nothing.
	ErrUnknownField = errors.New("does not refer to a valid field")
)

// pathReader reads a fieldPath token by token.
type pathReader struct {
	rest   string
	path   *field.Path
	schema *structural.Schema
}

func resolvePath(text string, schema *structural.Schema, allowed notation) (*field.Path, *structural.Schema, error) {
	r := pathReader{rest: text, schema: schema}
	for {
		token, ok := r.next()
		if !ok {
			return r.path, r.schema, nil
		}
		var err error
		switch {
		case token == "[" && allowed == dotsOnly:
			err = errNoArrays
		case token == "[":
			err = r.bracket()
		case token == ".":
			err = r.dot()
		default:
			err = fmt.Errorf("expected [ or . but got: %s", token)
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// next returns a delimiter, a quoted string or the text up to the next delimiter.
func (r *pathReader) next() (string, bool) {
	if r.rest == "" {
		return "", false
	}
	end := strings.IndexAny(r.rest, ".[]")
	switch {
	case r.rest[0] == '\'':
		end = closingQuote(r.rest)
	case end == 0:
		end = 1
	case end < 0:
		end = len(r.rest)
	}
	token := r.rest[:end]
	r.rest = r.rest[end:]
	return token, true
}

// closingQuote returns where a quoted string ends: after the first quote without a backslash before it, or at the end of the text.
func closingQuote(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '\'' && text[i-1] != '\\' {
			return i + 1
		}
	}
	return len(text)
}

func (r *pathReader) dot() error {
	name, ok := r.next()
	if !ok {
		return errUnexpected
	}
	return r.enter(name)
}

func (r *pathReader) bracket() error {
	token, ok := r.next()
	if !ok {
		return errUnexpected
	}
	if len(token) < 2 || token[0] != '\'' || token[len(token)-1] != '\'' {
		return fmt.Errorf("expected single quoted string but got %s", token)
	}
	name, err := unquote(token[1 : len(token)-1])
	if err != nil {
		return fmt.Errorf("invalid string literal: %w", err)
	}
	if err := r.enter(name); err != nil {
		return err
	}
	if token, ok = r.next(); !ok {
		return errUnexpected
	}
	if token != "]" {
		return fmt.Errorf("expected ] but got %s", token)
	}
	return nil
}

// enter goes to a property or, where there are none, to the values of a map (CEL-081).
func (r *pathReader) enter(name string) error {
	switch {
	case r.schema.HasProperties():
		child := r.schema.Property(name)
		if child == nil {
			return ErrUnknownField
		}
		r.path, r.schema = r.path.Child(name), child
	case r.schema.AdditionalProperties() != nil:
		r.path, r.schema = r.path.Key(name), r.schema.AdditionalSchema()
	default:
		return ErrUnknownField
	}
	return nil
}

var pathEscapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\'': '\'', '\\': '\\',
}

func unquote(text string) (string, error) {
	var out strings.Builder
	var err error
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) || text[i+1] == '\n' {
			out.WriteByte(text[i])
			continue
		}
		i++
		if c, ok := pathEscapes[text[i]]; ok {
			out.WriteByte(c)
		} else {
			err = fmt.Errorf("invalid escape char %s", firstEscape(text[i-1:]))
		}
	}
	return out.String(), err
}

// firstEscape returns a backslash and the character after it.
func firstEscape(text string) string {
	_, size := utf8.DecodeRuneInString(text[1:])
	return text[:1+size]
}
