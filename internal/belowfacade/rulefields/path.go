package rulefields

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// Resolve resolves the fieldPath of a rule, e.g. `.spec['x.y']`,
// against the schema of the rule's node (CEL-080). It returns the path as
// errors print it and the schema of the field, or the server's error.
func Resolve(path string, schema *structural.Schema) (*field.Path, *structural.Schema, error) {
	return resolvePath(path, schema, anyNotation)
}

// ResolveSelectable resolves the jsonPath of a selectable field, e.g.
// `.spec.color`. It is like [Resolve] but rejects array notation.
func ResolveSelectable(
	path string, schema *structural.Schema,
) (*field.Path, *structural.Schema, error) {
	return resolvePath(path, schema, dotsOnly)
}

// notation is what a path may be written with. The server's code is
// ValidFieldPath in
// apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
type notation int

const (
	anyNotation notation = iota
	dotsOnly
)

var (
	errNoArrays   = errors.New("array notation is not allowed")
	errUnexpected = errors.New("unexpected end of JSON path")

	// ErrUnknownField is the error for a path to a field that the schema does
	// not declare.
	ErrUnknownField = errors.New("does not refer to a valid field")
)

// pathReader reads a path token by token and follows it through the schema.
type pathReader struct {
	rest   string
	path   *field.Path
	schema *structural.Schema
}

func resolvePath(
	text string, schema *structural.Schema, allowed notation,
) (*field.Path, *structural.Schema, error) {
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

// next returns the next token: a delimiter, a quoted string, or the text up to
// the next delimiter. It reports false at the end of the path.
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

// closingQuote returns the length of the quoted string that a text begins with.
// The string ends after the first quote without a backslash before it, or at
// the end of the text.
func closingQuote(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '\'' && text[i-1] != '\\' {
			return i + 1
		}
	}
	return len(text)
}

// dot reads the name after a dot, as in `.name`.
func (r *pathReader) dot() error {
	name, ok := r.next()
	if !ok {
		return errUnexpected
	}
	return r.enter(name)
}

// bracket reads the rest of `['name']`.
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

// enter follows a name: to the property, or to the value of a map if the node
// has no properties (CEL-081).
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

// pathEscapes has the characters that may follow a backslash in a quoted name.
var pathEscapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
	'\'': '\'', '\\': '\\',
}

// unquote replaces escapes in a quoted name. It fails with the last escape that
// is not known.
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
