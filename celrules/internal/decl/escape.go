package decl

import "strings"

// reserved has the words of the CEL grammar that cannot be identifiers.
var reserved = map[string]bool{
	"as": true, "break": true, "const": true, "continue": true, "else": true, "false": true,
	"for": true, "function": true, "if": true, "import": true, "in": true, "let": true,
	"loop": true, "namespace": true, "null": true, "package": true, "return": true,
	"true": true, "var": true, "void": true, "while": true,
}

// IsReserved reports whether a word of the CEL grammar cannot be an identifier.
func IsReserved(word string) bool { return reserved[word] }

// Escape returns the identifier that selects a property, e.g. `a__dot__b` for
// "a.b" (CEL-030). It returns false for a name that no identifier can stand
// for: an empty one, one that starts with a digit, and one with characters
// other than letters, digits and _ . - /.
func Escape(name string) (string, bool) {
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "", false
	}
	if reserved[name] {
		return "__" + name + "__", true
	}
	for i := range len(name) {
		if !isEscapable(name[i]) {
			return "", false
		}
	}
	if strings.Contains(name, "__") || strings.ContainsAny(name, ".-/") {
		return escapes.Replace(name), true
	}
	return name, true
}

func isEscapable(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		strings.IndexByte("_.-/", c) >= 0
}

// escapes replaces the special characters of a name.
var escapes = strings.NewReplacer(
	"__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__")

// Unescape returns the property that an identifier stands for (CEL-031). It
// returns false for an identifier with an unknown escape sequence.
func Unescape(identifier string) (string, bool) {
	if !strings.Contains(identifier, "__") {
		return identifier, true
	}
	var out strings.Builder
	for rest := identifier; rest != ""; {
		word, ok := leadingEscape(rest)
		if !ok {
			out.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		meaning, ok := unescapeWord(word, len(word)+4 == len(identifier))
		if !ok {
			return "", false
		}
		out.WriteString(meaning)
		rest = rest[len(word)+4:]
	}
	return out.String(), true
}

// leadingEscape returns the word of the `__word__` at the start of a text.
func leadingEscape(text string) (string, bool) {
	inner, ok := strings.CutPrefix(text, "__")
	if !ok {
		return "", false
	}
	end := strings.IndexByte(inner, '_')
	if end < 1 || !strings.HasPrefix(inner[end:], "__") {
		return "", false
	}
	return inner[:end], true
}

// unescapeWord returns the meaning of `__word__`. A reserved word must be the
// whole identifier.
func unescapeWord(word string, whole bool) (string, bool) {
	switch word {
	case "underscores":
		return "__", true
	case "dot":
		return ".", true
	case "dash":
		return "-", true
	case "slash":
		return "/", true
	}
	return word, whole && reserved[word]
}
