package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// AppendValue appends the JSON form of v to dst and returns the longer slice. v
// may hold only map[string]any, []any, string, bool, int64, float64 and nil.
// The error names the path of any other value, of an infinity or of a NaN.
// Members are written in the order of their names.
func AppendValue(dst []byte, v any) ([]byte, error) {
	if err := checkValue(v); err != nil {
		return dst, err
	}
	return appendJSON(dst, v)
}

// checkValue returns an error for the first value that has no JSON form. The
// error begins with the path of the value.
func checkValue(v any) error {
	switch v := v.(type) {
	case nil, bool, int64, string:
		return nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Errorf(": %v has no JSON form", v)
		}
		return nil
	case []any:
		for i, item := range v {
			if err := checkValue(item); err != nil {
				return fmt.Errorf("[%d]%w", i, err)
			}
		}
		return nil
	case map[string]any:
		return checkMap(v)
	}
	return fmt.Errorf(": a %T is no JSON value", v)
}

func checkMap(object map[string]any) (wrong error) {
	first := ""
	for name, member := range object {
		if err := checkValue(member); err != nil && (wrong == nil || name < first) {
			first, wrong = name, fmt.Errorf(".%s%w", name, err)
		}
	}
	return wrong
}

// appendJSON appends the JSON form of a value. Strings may hold any bytes, and
// names may be equal without those that are not UTF-8.
func appendJSON(dst []byte, v any) ([]byte, error) {
	text := answerText{}
	err := json.MarshalWrite(&text, v, json.Deterministic(true), json.WithMarshalers(floats),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if text.over {
		err = fmt.Errorf("the answer is longer than %d MiB", MaxAnswer>>20)
	}
	return append(dst, text.Bytes()...), err
}

// MaxAnswer is the number of bytes of an answer.
const MaxAnswer = 256 << 20

// answerText is a text of at most [MaxAnswer] bytes.
type answerText struct {
	bytes.Buffer
	over bool
}

// Write appends to the text.
func (t *answerText) Write(p []byte) (int, error) {
	if t.over = t.over || t.Len()+len(p) > MaxAnswer; t.over {
		return 0, io.ErrShortBuffer
	}
	return t.Buffer.Write(p)
}

// appendMember appends a member of an object.
func appendMember(dst []byte, name string, value any) []byte {
	dst, _ = jsontext.AppendQuote(dst, name)
	// Strings, numbers, booleans and lists of them have a JSON form.
	dst, _ = appendJSON(append(dst, ':'), value)
	return dst
}

// floats writes the shortest form that reads back as the same float64 and is
// not an integer literal.
var floats = json.MarshalToFunc(func(enc *jsontext.Encoder, f float64) error {
	text := strconv.AppendFloat(enc.AvailableBuffer(), f, 'g', -1, 64)
	if !bytes.ContainsAny(text, ".e") {
		text = append(text, ".0"...)
	}
	return enc.WriteValue(text)
})

// ParseValue reads one JSON value into map[string]any, []any, string, bool,
// int64, float64 and nil. A number without point and exponent that fits into an
// int64 becomes an int64, any other a float64. The last of duplicate keys
// counts.
func ParseValue(doc []byte) (any, error) {
	var v any
	err := json.Unmarshal(doc, &v, json.WithUnmarshalers(numbers),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return v, err
}

// numbers reads a number as an int64 or a float64. The value that it replaces
// is that of a duplicate key, into which the library would merge the new one.
var numbers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *any) error {
	*v = nil
	if dec.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	literal, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if !bytes.ContainsAny(literal, ".eE") {
		if i, err := strconv.ParseInt(string(literal), 10, 64); err == nil {
			*v = i
			return nil
		}
	}
	*v, err = strconv.ParseFloat(string(literal), 64)
	return err
})
