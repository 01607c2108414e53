package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendValue appends the JSON form of v to dst and returns the longer slice. v
// may hold only map[string]any, []any, string, bool, int64, float64 and nil.
// The error names the path of any other value, of an infinity or of a NaN.
// Members are written in the order of their names.
func AppendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return dst, fmt.Errorf(": %v has no JSON form", v)
		}
		return appendFloat(dst, v), nil
	case string:
		return appendString(dst, v), nil
	case []any:
		return appendList(dst, v)
	case map[string]any:
		return appendMap(dst, v)
	}
	return dst, fmt.Errorf(": a %T is no JSON value", v)
}

func appendList(dst []byte, list []any) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = AppendValue(dst, item); err != nil {
			return dst, fmt.Errorf("[%d]%w", i, err)
		}
	}
	return append(dst, ']'), nil
}

func appendMap(dst []byte, object map[string]any) ([]byte, error) {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	sort.Strings(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, name), ':')
		var err error
		if dst, err = AppendValue(dst, object[name]); err != nil {
			return dst, fmt.Errorf(".%s%w", name, err)
		}
	}
	return append(dst, '}'), nil
}

// appendFloat appends the shortest form that reads back as the same float64 and
// is not an integer literal.
func appendFloat(dst []byte, f float64) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'g', -1, 64)
	if bytes.ContainsAny(dst[start:], ".e") {
		return dst
	}
	return append(dst, ".0"...)
}

// appendString appends s in quotes. It escapes only what JSON requires. A byte
// that is not UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c == '\n':
				dst = append(dst, '\\', 'n')
			case c < ' ':
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		dst = utf8.AppendRune(dst, r)
		i += size
	}
	return append(dst, '"')
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

// ParseValue reads one JSON value into map[string]any, []any, string, bool,
// int64, float64 and nil. A number without point and exponent that fits into an
// int64 becomes an int64, any other a float64. The last of duplicate keys
// counts.
func ParseValue(doc []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return numbered(v)
}

// numbered replaces every json.Number, in place if possible.
func numbered(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		return number(string(v))
	case []any:
		for i := range v {
			if v[i], err = numbered(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name, member := range v {
			if v[name], err = numbered(member); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func number(literal string) (any, error) {
	if !strings.ContainsAny(literal, ".eE") {
		if i, err := strconv.ParseInt(literal, 10, 64); err == nil {
			return i, nil
		}
	}
	return strconv.ParseFloat(literal, 64)
}
