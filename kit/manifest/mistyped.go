package manifest

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// unmarshal matches the error of the server's JSON decoder about a value of a
// wrong type: what is before it, the type in JSON, a number, the struct and the
// fields, and the type in Go.
var unmarshal = regexp.MustCompile(`(?s)^(.*)json: cannot unmarshal (\w+)(?: (\S+))? into Go ` +
	`(?:value|struct field (\w*)\.(\S+)) of type (\S+)`)

// Mistyped returns the path of the value that a message of the server's JSON
// decoder is about, e.g. metadata.labels[port] for "json: cannot unmarshal
// number into Go struct field ObjectMeta.labels of type string". The message
// names neither indexes nor keys of maps: of the values that fit, Mistyped
// returns the first in the order of the keys. So it does for "boolean or JSON
// schema expected". The path is empty for other messages, and if no value fits.
func (d *Document) Mistyped(message string) (path string) {
	m := unmarshal.FindStringSubmatch(message)
	if m == nil && message != neitherBoolNorSchema {
		return ""
	}
	object, _, err := d.Object()
	if err != nil {
		return ""
	}
	if m == nil {
		return union("", object)
	}
	s := mistyped{kind: m[2], number: m[3]}
	if m[5] != "" {
		s.fields = strings.Split(m[5], ".")
	}
	base := s.base(m[1], m[4], m[6])
	value, ok := fieldpath.Value(object, base)
	if !ok || len(s.fields) == 0 {
		return base
	}
	isContainer := strings.HasPrefix(m[6], "[]") || strings.HasPrefix(m[6], "map[")
	if !isContainer {
		path = s.find(base, value, s.fields, s.element)
	}
	if path == "" {
		path = s.find(base, value, s.fields, s.own)
	}
	return path
}

// mistyped is the search for a value of a wrong type.
type mistyped struct {
	kind, number string   // of the value; number is empty if any will do
	fields       []string // of the API type, e.g. metadata, labels
}

// neitherBoolNorSchema is the server's text about a value of
// additionalProperties or additionalItems that is neither.
const neitherBoolNorSchema = "boolean or JSON schema expected"

// union returns the path of the first such value at or below a value.
func union(at string, value any) string {
	switch holder := value.(type) {
	case []any:
		for i, item := range holder {
			if path := union(indexPath(at, i), item); path != "" {
				return path
			}
		}
	case map[string]any:
		for _, key := range jsonvalue.SortedKeys(holder) {
			path := member(at, key, holder[key])
			if path != "" {
				return path
			}
		}
	}
	return ""
}

// member looks at an entry of an object for union.
func member(at, key string, value any) string {
	if isMap(at[strings.LastIndexByte(at, '.')+1:]) {
		return union(keyPath(at, key), value)
	}
	switch key {
	case "default", "example", "enum": // they may hold anything
		return ""
	case "additionalProperties", "additionalItems":
		switch value.(type) {
		case string, int64, float64, []any:
			return joinPath(at, key)
		}
	}
	return union(joinPath(at, key), value)
}

// base returns the path of the value that was decoded. Metadata of objects and
// of embedded resources are decoded by themselves; the text before the message
// has the path of the latter.
func (s *mistyped) base(before, structName, goType string) string {
	if before, _, found := strings.Cut(before, ": Invalid value: "); found {
		return before[strings.LastIndex(before, " ")+1:]
	}
	isField := structName == "ObjectMeta" && s.fields[0] != "metadata"
	if isField || structName == "" && goType == "v1.ObjectMeta" {
		return "metadata"
	}
	return ""
}

// find follows fields through the lists and maps on the way, and returns the
// path that match finds at the end, or an empty string.
func (s *mistyped) find(
	at string, value any, fields []string, match func(at, field string, value any) string,
) string {
	switch holder := value.(type) {
	case []any:
		for i, item := range holder {
			if path := s.find(indexPath(at, i), item, fields, match); path != "" {
				return path
			}
		}
	case map[string]any:
		child, has := holder[fields[0]]
		at = joinPath(at, fields[0])
		switch entries, isObject := child.(map[string]any); {
		case !has:
		case len(fields) == 1:
			return match(at, fields[0], child)
		case isObject && isMap(fields[0]):
			for _, key := range jsonvalue.SortedKeys(entries) {
				path := s.find(keyPath(at, key), entries[key], fields[1:], match)
				if path != "" {
					return path
				}
			}
		default:
			return s.find(at, child, fields[1:], match)
		}
	}
	return ""
}

// own returns the path of a field's value if that is of the kind.
func (s *mistyped) own(at, _ string, value any) string {
	if s.fits(value) {
		return at
	}
	return ""
}

// element returns the path of the first item or entry of a field's value that
// is of the kind. The value itself is as good if it can hold no others.
func (s *mistyped) element(at, field string, value any) string {
	switch holder := value.(type) {
	case []any:
		for i, item := range holder {
			if s.fits(item) {
				return indexPath(at, i)
			}
		}
	case map[string]any:
		if !isMap(field) {
			return ""
		}
		for _, key := range jsonvalue.SortedKeys(holder) {
			if path := s.entry(keyPath(at, key), holder[key]); path != "" {
				return path
			}
		}
	default:
		return s.own(at, field, value)
	}
	return ""
}

// entry looks at an entry of a map, and at the items of one that is a list.
func (s *mistyped) entry(at string, value any) string {
	if s.fits(value) {
		return at
	}
	if list, ok := value.([]any); ok {
		return s.element(at, "", list)
	}
	return ""
}

// isMap reports whether a field of the API types is a map with any keys.
func isMap(field string) bool {
	switch field {
	case "properties", "patternProperties", "definitions", "dependencies", "labels", "annotations":
		return true
	}
	return false
}

// fits reports whether a value is of the kind, and is the number that the
// message names.
func (s *mistyped) fits(value any) bool {
	var got float64
	kind := ""
	switch value := value.(type) {
	case string:
		kind = "string"
	case bool:
		kind = "bool"
	case []any:
		kind = "array"
	case map[string]any:
		kind = "object"
	case int64:
		kind, got = "number", float64(value)
	case float64:
		kind, got = "number", value
	}
	if kind != s.kind || s.number == "" {
		return kind == s.kind
	}
	number, err := strconv.ParseFloat(s.number, 64)
	return err == nil && number == got
}

func indexPath(at string, index int) string { return at + "[" + strconv.Itoa(index) + "]" }

func keyPath(at, key string) string { return at + "[" + key + "]" }
