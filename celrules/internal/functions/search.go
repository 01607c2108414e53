package functions

import (
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/meter"
)

// indexOf and lastIndexOf of strings. Those of cel-go compare each position
// with the whole searched string, which takes hours for two long strings of one
// letter. These take time in proportion to the strings. Offsets and results
// count code points.

// indexOfString is s.indexOf(searched) and s.indexOf(searched, offset). Errors
// and lists are left to cel-go.
func indexOfString(_ *meter.Meter, args []ref.Val) ref.Val {
	s, searched, offset, ok := searchArguments(args)
	if !ok || searched == "" {
		return nil
	}
	if offset < 0 && len(args) == 3 {
		return nil
	}
	offset = max(offset, 0)
	from := byteOffset(s, offset)
	if from == len(s) {
		return types.IntNegOne
	}
	at := strings.Index(s[from:], searched)
	if at < 0 {
		return types.IntNegOne
	}
	return types.Int(offset + utf8.RuneCountInString(s[from:from+at]))
}

// lastIndexOfString is s.lastIndexOf(searched) and
// s.lastIndexOf(searched, offset). The last match may begin at the offset.
func lastIndexOfString(_ *meter.Meter, args []ref.Val) ref.Val {
	s, searched, offset, ok := searchArguments(args)
	if !ok || searched == "" {
		return nil
	}
	if len(args) == 2 && len(args[0].(types.String)) < len(args[1].(types.String)) {
		return types.IntNegOne // cel-go compares bytes here
	}
	end := len(s)
	if len(args) == 3 {
		if offset < 0 {
			return nil
		}
		from := byteOffset(s, offset)
		if from == len(s) {
			return types.IntNegOne
		}
		end = min(end, from+len(searched))
	}
	at := strings.LastIndex(s[:end], searched)
	if at < 0 {
		return types.IntNegOne
	}
	return types.Int(utf8.RuneCountInString(s[:at]))
}

// searchArguments returns the arguments of a search in a string.
func searchArguments(args []ref.Val) (s, searched string, offset int, ok bool) {
	text, isText := args[0].(types.String)
	sub, isSub := args[1].(types.String)
	if !isText || !isSub {
		return "", "", 0, false
	}
	offset = -1
	if len(args) == 3 {
		n, isInt := args[2].(types.Int)
		if !isInt {
			return "", "", 0, false
		}
		offset = int(n)
	}
	return codePoints(string(text)), codePoints(string(sub)), offset, true
}

// codePoints returns a string without invalid bytes: cel-go takes each of them
// for U+FFFD.
func codePoints(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// byteOffset returns where a code point begins, or the length of the string if
// it has no so many.
func byteOffset(s string, codePoint int) int {
	for i := range s {
		if codePoint == 0 {
			return i
		}
		codePoint--
	}
	return len(s)
}
