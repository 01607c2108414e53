package fastparse

// kind is the kind of a token. Punctuation of one character is that character,
// e.g. '(' or '+'; everything else is one of the constants.
type kind byte

const (
	tokEnd          kind = iota // the end of the text
	tokUnknown                  // something that is left to cel-go's parser
	tokName                     // self
	tokInt                      // 1
	tokUint                     // 1u
	tokFloat                    // 1.5
	tokString                   // 'a'
	tokTrue                     // true
	tokFalse                    // false
	tokNull                     // null
	tokIn                       // in
	tokEqual                    // ==
	tokNotEqual                 // !=
	tokLessEqual                // <=
	tokGreaterEqual             // >=
	tokAnd                      // &&
	tokOr                       // ||
)

// token is a token and its place in the text, in bytes.
type token struct {
	kind       kind
	start, end int
}

// scan returns the token at or after an offset, tokUnknown for one that this
// package does not know.
func scan(s string, at int) token {
	for at < len(s) && blank(s[at]) {
		at++
	}
	if at == len(s) {
		return token{tokEnd, at, at}
	}
	switch c := s[at]; {
	case letter(c):
		return scanName(s, at)
	case digit(c):
		return scanNumber(s, at)
	case c == '\'' || c == '"':
		return scanText(s, at)
	}
	return scanPunctuation(s, at)
}

func blank(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }
func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// scanName reads a name or keyword. A name directly before a quote may be the
// prefix of a raw string or of bytes, e.g. `r` of `r'a'`, and is unknown.
func scanName(s string, start int) token {
	at := start
	for at < len(s) && (letter(s[at]) || digit(s[at])) {
		at++
	}
	if at < len(s) && (s[at] == '\'' || s[at] == '"') {
		return token{tokUnknown, start, at}
	}
	k := tokName
	switch s[start:at] {
	case "true":
		k = tokTrue
	case "false":
		k = tokFalse
	case "null":
		k = tokNull
	case "in":
		k = tokIn
	}
	return token{k, start, at}
}

// scanNumber reads a decimal number. A number with letters after it, e.g. the
// hexadecimal `0x1F`, is unknown.
func scanNumber(s string, start int) token {
	at, k := digits(s, start), tokInt
	if at+1 < len(s) && s[at] == '.' && digit(s[at+1]) {
		at, k = digits(s, at+1), tokFloat
	}
	if at < len(s) && (s[at] == 'e' || s[at] == 'E') {
		exponent := at + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if at = digits(s, exponent); at == exponent {
			return token{tokUnknown, start, at}
		}
		k = tokFloat
	}
	if k == tokInt && at < len(s) && (s[at] == 'u' || s[at] == 'U') {
		at, k = at+1, tokUint
	}
	if at < len(s) && letter(s[at]) {
		return token{tokUnknown, start, at}
	}
	return token{k, start, at}
}

// digits returns the offset after the digits that start at an offset.
func digits(s string, at int) int {
	for at < len(s) && digit(s[at]) {
		at++
	}
	return at
}

// scanText reads a string in single or double quotes. One in triple quotes is
// unknown.
func scanText(s string, start int) token {
	quote := s[start]
	for at := start + 1; at < len(s); at++ {
		switch s[at] {
		case quote:
			if at == start+1 && at+1 < len(s) && s[at+1] == quote {
				return token{tokUnknown, start, at}
			}
			return token{tokString, start, at + 1}
		case '\\':
			at++
		case '\n', '\r':
			return token{tokUnknown, start, at}
		}
	}
	return token{tokUnknown, start, len(s)}
}

// scanPunctuation reads operators, brackets and separators.
func scanPunctuation(s string, at int) token {
	var following byte
	if at+1 < len(s) {
		following = s[at+1]
	}
	double := tokUnknown
	switch c := s[at]; c {
	case '=':
		if following == '=' {
			double = tokEqual
		}
	case '!', '<', '>':
		if following != '=' {
			return token{kind(c), at, at + 1}
		}
		double = orEqual(c)
	case '&':
		if following == '&' {
			double = tokAnd
		}
	case '|':
		if following == '|' {
			double = tokOr
		}
	case '/':
		if following != '/' { // a comment is left to cel-go's parser
			return token{kind(c), at, at + 1}
		}
	case '[', ']', '{', '}', '(', ')', '.', ',', '-', '?', ':', '+', '*', '%':
		return token{kind(c), at, at + 1}
	}
	return token{double, at, min(at+2, len(s))}
}

// unquote returns the value of a string token. It returns false for an escape
// that this package does not know, e.g. `\x41`.
func unquote(quoted string) (string, bool) {
	content := quoted[1 : len(quoted)-1]
	escaped := false
	for i := range len(content) {
		escaped = escaped || content[i] == '\\'
	}
	if !escaped {
		return content, true
	}
	out := make([]byte, 0, len(content))
	for i := 0; i < len(content); i++ {
		c := content[i]
		if c == '\\' {
			i++
			var known bool
			if c, known = escape(content[i]); !known {
				return "", false
			}
		}
		out = append(out, c)
	}
	return string(out), true
}

// escape returns the character that a character after a backslash stands for.
func escape(c byte) (byte, bool) {
	switch c {
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'r':
		return '\r', true
	case '\\', '\'', '"', '`', '?':
		return c, true
	}
	return 0, false
}

// orEqual returns the operator of a sign that an equals sign follows, e.g. >=
// of >.
func orEqual(sign byte) kind {
	switch sign {
	case '<':
		return tokLessEqual
	case '>':
		return tokGreaterEqual
	}
	return tokNotEqual
}
