package jsonfast

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decode decodes a JSON value for which a strict decoder reports nothing. It
// reports false for any other data, which the caller passes on to the library:
//
//   - malformed JSON, invalid UTF-8, numbers out of range,
//   - duplicate keys, escaped surrogates,
//   - nesting deeper than 500 levels.
//
// Strings of the result are parts of one copy of the data.
func Decode(data []byte) (any, bool) { return DecodeWith(int64(0), data) }

// DecodeWith is like Decode, with a value that stands for the number -0.
func DecodeWith(negativeZero any, data []byte) (any, bool) {
	r := reader{text: string(data), negativeZero: negativeZero}
	value, ok := r.value(0)
	if !ok {
		return nil, false
	}
	r.space()
	return value, r.at == len(r.text)
}

// maxDepth is the nesting that Decode handles. The library decides how deep is
// too deep.
const maxDepth = 500

// reader reads a text from front to back, by recursive descent.
//
// The field at is the offset of the next unread byte, 0 <= at <= len(text).
// Methods report false if the library has to decode the text; the reader is
// then not used any more. Methods value, object, list, quoted and number read a
// value that starts at the next byte that is not white space. The others start
// at the current byte.
type reader struct {
	text         string
	at           int
	negativeZero any // stands for -0
}

// space skips white space. It returns the next byte without reading it, or 0 at
// the end.
func (r *reader) space() byte {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return c
		}
	}
	return 0
}

func (r *reader) value(depth int) (any, bool) {
	switch c := r.space(); {
	case c == '{' && depth < maxDepth:
		return r.object(depth + 1)
	case c == '[' && depth < maxDepth:
		return r.list(depth + 1)
	case c == '"':
		return r.quoted()
	case c == 't':
		return true, r.word("true")
	case c == 'f':
		return false, r.word("false")
	case c == 'n':
		return nil, r.word("null")
	default:
		return r.number()
	}
}

func (r *reader) word(word string) bool {
	if !strings.HasPrefix(r.text[r.at:], word) {
		return false
	}
	r.at += len(word)
	return true
}

func (r *reader) object(depth int) (any, bool) {
	r.at++ // {
	object := map[string]any{}
	if r.space() == '}' {
		r.at++
		return object, true
	}
	for {
		if !r.member(object, depth) {
			return nil, false
		}
		switch r.space() {
		case ',':
			r.at++
		case '}':
			r.at++
			return object, true
		default:
			return nil, false
		}
	}
}

// member reads a key and its value into an object. A key that is there already
// is a duplicate.
func (r *reader) member(object map[string]any, depth int) bool {
	if r.space() != '"' {
		return false
	}
	key, ok := r.str()
	if !ok || r.space() != ':' {
		return false
	}
	r.at++
	value, ok := r.value(depth)
	if !ok {
		return false
	}
	before := len(object)
	object[key] = value
	return len(object) > before
}

func (r *reader) list(depth int) (any, bool) {
	r.at++ // [
	list := []any{}
	if r.space() == ']' {
		r.at++
		return list, true
	}
	for {
		value, ok := r.value(depth)
		if !ok {
			return nil, false
		}
		list = append(list, value)
		switch r.space() {
		case ',':
			r.at++
		case ']':
			r.at++
			return list, true
		default:
			return nil, false
		}
	}
}

func (r *reader) quoted() (any, bool) {
	s, ok := r.str()
	return s, ok
}

// str reads a string, which starts at its quote. Without escapes it is a part
// of the text.
func (r *reader) str() (string, bool) {
	start := r.at + 1
	ascii := true
	for i := start; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == '"':
			r.at = i + 1
			s := r.text[start:i]
			return s, ascii || utf8.ValidString(s)
		case c == '\\':
			return r.escaped(start, i)
		case c < ' ':
			return "", false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", false
}

// escaped reads the rest of a string whose first backslash is at i.
func (r *reader) escaped(start, i int) (string, bool) {
	b := append(make([]byte, 0, 2*(i-start)+16), r.text[start:i]...)
	for i < len(r.text) {
		switch c := r.text[i]; {
		case c == '"':
			r.at = i + 1
			return string(b), utf8.Valid(b)
		case c < ' ':
			return "", false
		case c != '\\':
			b = append(b, c)
			i++
		default:
			decoded, width := unescape(r.text[i:])
			if width == 0 {
				return "", false
			}
			b = utf8.AppendRune(b, decoded)
			i += width
		}
	}
	return "", false
}

// unescape decodes an escape sequence and returns its length. The length is 0
// for surrogates and for sequences that are malformed.
func unescape(text string) (rune, int) {
	const short, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if len(text) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(short, text[1]); i >= 0 {
		return rune(meaning[i]), 2
	}
	if text[1] == 'u' && len(text) >= 6 {
		code, err := strconv.ParseUint(text[2:6], 16, 16)
		if err == nil && (code < 0xd800 || code >= 0xe000) {
			return rune(code), 6
		}
	}
	return 0, 0
}

// number reads a number: an int64 if it is spelled as one and fits, otherwise a
// float64 (PIPE-001).
func (r *reader) number() (any, bool) {
	start := r.at
	if r.peek() == '-' {
		r.at++
	}
	switch c := r.peek(); {
	case c == '0':
		r.at++
	case !r.digits():
		return nil, false
	}
	if r.peek() == '.' {
		r.at++
		if !r.digits() {
			return nil, false
		}
	}
	if r.peek()|0x20 == 'e' {
		r.at++
		if c := r.peek(); c == '+' || c == '-' {
			r.at++
		}
		if !r.digits() {
			return nil, false
		}
	}
	if text := r.text[start:r.at]; text != "-0" {
		return numberOf(text)
	}
	return r.negativeZero, true
}

func numberOf(text string) (any, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// digits skips digits. It reports false if there is no digit.
func (r *reader) digits() bool {
	start := r.at
	for c := r.peek(); '0' <= c && c <= '9'; c = r.peek() {
		r.at++
	}
	return r.at > start
}
