package jsonvalue

import (
	"encoding/json"
	"math"
)

// EncodeJSON returns the JSON of a value, with keys in byte order. A float64
// has a point or an exponent, e.g. 1.0, so that decoding returns the same
// value. Nil maps and lists are empty ones. It fails on values that JSON does
// not have (see Check), infinities and NaN included.
func EncodeJSON(value any) ([]byte, error) {
	if err := Check(value); err != nil {
		return nil, err
	}
	return encoder{numbers: distinct}.value(nil, value), nil
}

// EncodeStored returns the JSON of an object as the server writes it to
// storage: a whole float64 has no fraction (PIPE-004).
func EncodeStored(object map[string]any) ([]byte, error) {
	if err := Check(object); err != nil {
		return nil, err
	}
	return encoder{numbers: shortest}.object(nil, object), nil
}

// numberForm is how a float64 is written.
type numberForm uint8

const (
	distinct numberForm = iota // never as an integer: 1.0
	shortest                   // a whole number as an integer: 1
)

// encoder appends the JSON of values that pass Check, so that nothing fails.
type encoder struct{ numbers numberForm }

func (e encoder) value(to []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		return e.object(to, v)
	case []any:
		return e.list(to, v)
	}
	text, _ := json.Marshal(value)
	to = append(to, text...)
	if f, ok := value.(float64); ok && e.numbers == distinct &&
		f == math.Trunc(f) && math.Abs(f) < 1e21 {
		to = append(to, ".0"...)
	}
	return to
}

func (e encoder) object(to []byte, object map[string]any) []byte {
	to = append(to, '{')
	for i, key := range SortedKeys(object) {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(e.value(to, key), ':')
		to = e.value(to, object[key])
	}
	return append(to, '}')
}

func (e encoder) list(to []byte, list []any) []byte {
	to = append(to, '[')
	for i, item := range list {
		if i > 0 {
			to = append(to, ',')
		}
		to = e.value(to, item)
	}
	return append(to, ']')
}
