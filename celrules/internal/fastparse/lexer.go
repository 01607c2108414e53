package fastparse

// kind is the kind of a token. Punctuation is its own character, or one of the constants.
type kind byte

const (
	end      kind = 0
	strange  kind = 1 // what only cel-go's parser can tell about
	name     kind = 2
	integer  kind = 3
	unsigned kind = 4
	float    kind = 5
	text     kind = 6
	yes      kind = 7
	no       kind = 8
	null     kind = 9
	in       kind = 10
	equal    kind = 11
	unequal  kind = 12
	atMost   kind = 13
	atLeast  kind = 14
	and      kind = 15
	or       kind = 16
)

// token is a piece of the text.
type token struct {
	kind       kind
	start, end int
}

// scan returns the token at or after a place. Strange is what follows a character that this package does not know.
func scan(s string, at int) token {
	for at < len(s) && blank(s[at]) {
		at++
	}
	if at == len(s) {
		return token{end, at, at}
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

// scanName reads a name or word. A name just before a quote may be the prefix of a raw string or of bytes.
func scanName(s string, start int) token {
	at := start
	for at < len(s) && (letter(s[at]) || digit(s[at])) {
		at++
	}
	if at < len(s) && (s[at] == '\'' || s[at] == '"') {
		return token{strange, start, at}
	}
	k := name
	switch s[start:at] {
	case "true":
		k = yes
	case "false":
		k = no
	case "null":
		k = null
	case "in":
		k = in
	}
	return token{k, start, at}
}

// scanNumber reads a decimal number. One that letters follow, or hexadecimal, is strange.
func scanNumber(s string, start int) token {
	at, k := digits(s, start), integer
	if at+1 < len(s) && s[at] == '.' && digit(s[at+1]) {
		at, k = digits(s, at+1), float
	}
	if at < len(s) && (s[at] == 'e' || s[at] == 'E') {
		exponent := at + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if at = digits(s, exponent); at == exponent {
			return token{strange, start, at}
		}
		k = float
	}
	if k == integer && at < len(s) && (s[at] == 'u' || s[at] == 'U') {
		at, k = at+1, unsigned
	}
	if at < len(s) && letter(s[at]) {
		return token{strange, start, at}
	}
	return token{k, start, at}
}

func digits(s string, at int) int {
	for at < len(s) && digit(s[at]) {
		at++
	}
	return at
}

// scanText reads a string between single quotes of either kind. Triple quotes are strange.
func scanText(s string, start int) token {
	quote := s[start]
	for at := start + 1; at < len(s); at++ {
		switch s[at] {
		case quote:
			if at == start+1 && at+1 < len(s) && s[at+1] == quote {
				return token{strange, start, at}
			}
			return token{text, start, at + 1}
		case '\\':
			at++
		case '\n', '\r':
			return token{strange, start, at}
		}
	}
	return token{strange, start, len(s)}
}

// scanPunctuation reads operators, brackets and separators.
func scanPunctuation(s string, at int) token {
	var following byte
	if at+1 < len(s) {
		following = s[at+1]
	}
	double := strange
	switch c := s[at]; c {
	case '=':
		if following == '=' {
			double = equal
		}
	case '!', '<', '>':
		if following != '=' {
			return token{kind(c), at, at + 1}
		}
		double = orEqual(c)
	case '&':
		if following == '&' {
			double = and
		}
	case '|':
		if following == '|' {
			double = or
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

// unquote returns the value of a string token, and false if it has escapes that this package does not know.
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

// escape returns what a character after a backslash stands for.
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

// orEqual is the operator of a comparison sign with an equals sign.
func orEqual(sign byte) kind {
	switch sign {
	case '<':
		return atMost
	case '>':
		return atLeast
	}
	return unequal
}
