package unstructured

import (
	"encoding/json"
	"math"
)

// EncodeJSON returns the JSON of a value, keys in byte order, numbers of both kinds told apart: a float64 has a point or an
// exponent, so that decoding gives back the same value. It fails on what JSON cannot say (see Check), infinities and NaN included.
func EncodeJSON(value any) ([]byte, error) {
	if err := Check(value); err != nil {
		return nil, err
	}
	return appendJSON(nil, value)
}

func appendJSON(to []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case map[string]any:
		return appendObject(to, v)
	case []any:
		return appendList(to, v)
	case float64:
		return appendFloat(to, v)
	default:
		text, err := json.Marshal(v)
		return append(to, text...), err
	}
}

func appendObject(to []byte, object map[string]any) (_ []byte, err error) {
	to = append(to, '{')
	for i, key := range SortedKeys(object) {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = appendJSON(to, key); err != nil {
			return nil, err
		}
		to = append(to, ':')
		if to, err = appendJSON(to, object[key]); err != nil {
			return nil, err
		}
	}
	return append(to, '}'), nil
}

func appendList(to []byte, list []any) (_ []byte, err error) {
	to = append(to, '[')
	for i, item := range list {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = appendJSON(to, item); err != nil {
			return nil, err
		}
	}
	return append(to, ']'), nil
}

func appendFloat(to []byte, f float64) ([]byte, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	to = append(to, text...)
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		to = append(to, ".0"...)
	}
	return to, nil
}
