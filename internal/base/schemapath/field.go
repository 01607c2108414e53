package schemapath

import (
	"slices"
	"strings"
)

// Field returns the field of an object that the path of a schema node
// describes. Items and additional properties are [*]. For example,
// openAPIV3Schema.properties[spec].properties[ports].items.properties[name] is
// spec.ports[*].name; the root is empty. Keywords of junctors are written as
// they are.
func Field(path string) string {
	rest := strings.TrimPrefix(path, "openAPIV3Schema")
	var out strings.Builder
	for rest != "" {
		if after, ok := strings.CutPrefix(rest, property); ok {
			name, after := cutName(after)
			out.WriteString("." + name)
			rest = after
			continue
		}
		keyword, after := cutKeyword(rest)
		switch keyword {
		case items, additional:
			keyword = "[*]"
		}
		out.WriteString(keyword)
		rest = after
	}
	return strings.TrimPrefix(out.String(), ".")
}

// Names returns the names of the properties on the path of a schema node, or of
// one of its keywords. Items and additional properties are [*], and keywords of
// junctors are left out. For example,
// openAPIV3Schema.properties[spec].properties[ports].items.maxLength is spec,
// ports, [*]. A name with a bracket ends there.
func Names(path string) (names []string) {
	rest := strings.TrimPrefix(path, "openAPIV3Schema")
	for rest != "" {
		if after, ok := strings.CutPrefix(rest, property); ok {
			name, after, _ := strings.Cut(after, "]")
			names, rest = append(names, name), after
			continue
		}
		keyword, after := cutKeyword(rest)
		isJunctor := slices.ContainsFunc(junctors, func(of string) bool {
			return strings.HasPrefix(keyword, of)
		})
		switch {
		case keyword == items || keyword == additional:
			names = append(names, "[*]")
		case !isJunctor:
			return names
		}
		rest = after
	}
	return names
}

const (
	property   = ".properties["
	items      = ".items"
	additional = ".additionalProperties"
)

// junctors are the keywords that lead to branches.
var junctors = []string{".allOf[", ".anyOf[", ".oneOf[", ".not"}

// cutKeyword cuts the first step off, which has no name, e.g. .items or
// .allOf[0].
func cutKeyword(path string) (keyword, rest string) {
	if i := strings.IndexByte(path[1:], '.') + 1; i > 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

// cutName cuts a name off at its closing bracket. Names can have brackets
// themselves, so the bracket is the first one with a step or nothing behind it.
func cutName(text string) (name, rest string) {
	for i := range len(text) {
		if text[i] == ']' && startsStep(text[i+1:]) {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// startsStep reports whether a text is empty or begins with a step of a path.
func startsStep(text string) bool {
	if text == "" || strings.HasPrefix(text, property) {
		return true
	}
	for _, keyword := range append([]string{items, additional}, junctors...) {
		if strings.HasPrefix(text, keyword) {
			return true
		}
	}
	return false
}
