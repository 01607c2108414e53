package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SecondJSON returns an error of json.Unmarshal for a text in the words of
// Go 1.27, whose encoding/json is made of its second version. An error that is
// not about syntax, and one in those words, is returned as it is.
func SecondJSON(text []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := max(0, min(int(syntax.Offset)-1, len(text))) // the place of the character
	said := namesRune(syntax.Error(), text[at:])
	for _, end := range []string{
		"after decimal point in numeric literal", "in exponent of numeric literal",
	} {
		if start, ok := strings.CutSuffix(said, end); ok {
			return errors.New(start + "in numeric literal")
		}
	}
	start, inString := strings.CutSuffix(said, " in string literal")
	escape := bytes.LastIndexByte(text[:at], '\\')
	switch {
	case inString:
		return errors.New(start + " in string")
	case strings.HasSuffix(said, "exceeded max depth"):
		return errors.New("exceeded max depth")
	case escape < 0:
	case strings.HasSuffix(said, " in string escape code"):
		return badEscape(text[escape:], len(`\x`))
	case strings.HasSuffix(said, ` in \u hexadecimal character escape`):
		return badEscape(text[escape:], len(`\u0000`))
	}
	return errors.New(said)
}

// namesRune makes an error name the character at the start of a text, where it
// named the first byte.
func namesRune(said string, text []byte) string {
	end := strings.Index(said, "' ")
	if len(text) == 0 || text[0] < utf8.RuneSelf || end < 0 {
		return said
	}
	quoted := fmt.Sprintf(`'\x%x'`, text[0])
	if r, n := utf8.DecodeRune(text); n > 1 {
		quoted = strconv.QuoteRune(r)
	}
	return "invalid character " + quoted + said[end+1:]
}

// badEscape is the error of an escape of some bytes at the start of a text.
func badEscape(text []byte, n int) error {
	escape := string(text[:min(n, len(text))])
	isPlain := utf8.ValidString(escape) && !strings.ContainsFunc(escape, func(r rune) bool {
		return r == '`' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
	if isPlain {
		return errors.New("invalid escape sequence `" + escape + "` in string")
	}
	return errors.New("invalid escape sequence " + strconv.Quote(escape) + " in string")
}
