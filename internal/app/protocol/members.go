package protocol

import (
	"encoding/json"
	"unicode/utf8"
)

// membersOf returns the members of an object, each as it is spelled, nil for a
// null. The last one of a name counts. The values are parts of doc. It does
// what json.Unmarshal does for a map of raw messages; definitions are long, so
// it looks at each byte once and copies none.
func membersOf(doc []byte) (map[string]json.RawMessage, error) {
	members, ok := scanMembers(doc)
	if ok {
		return members, nil
	}
	err := json.Unmarshal(doc, &members)
	return members, err
}

// scanMembers is membersOf for valid objects. ok is false for any other text.
func scanMembers(doc []byte) (members map[string]json.RawMessage, ok bool) {
	s := scanner(doc)
	start := s.space(0)
	if start >= len(s) || s[start] != '{' {
		return nil, false
	}
	found := map[string]json.RawMessage{}
	end := s.object(start, 1, func(name, nameEnd, value, valueEnd int) {
		found[unquoted(doc[name:nameEnd])] = json.RawMessage(doc[value:valueEnd:valueEnd])
	})
	if end < 0 || s.space(end) != len(s) {
		return nil, false
	}
	return found, true
}

// unquoted returns the text of a valid string in quotes.
func unquoted(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	for _, c := range inner {
		if c == '\\' || c >= utf8.RuneSelf {
			var text string
			// A valid string has no error.
			_ = json.Unmarshal(quoted, &text)
			return text
		}
	}
	return string(inner)
}
