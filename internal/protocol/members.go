package protocol

import (
	"bytes"
	"encoding/json"
)

// membersOf returns the members of an object, each as it is spelled, nil for a
// null. The last one of a name counts. The values are parts of doc. It does
// what json.Unmarshal does for a map of raw messages; definitions are long, so
// it looks at each byte once less and copies none.
func membersOf(doc []byte) (map[string]json.RawMessage, error) {
	if trimmed := bytes.TrimLeft(doc, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' ||
		!json.Valid(doc) {
		var members map[string]json.RawMessage
		err := json.Unmarshal(doc, &members)
		return members, err
	}
	members := map[string]json.RawMessage{}
	rest := doc[bytes.IndexByte(doc, '{')+1:]
	for {
		start := bytes.IndexByte(rest, '"')
		if start < 0 {
			return members, nil
		}
		rest = rest[start:]
		quoted := rest[:stringEnd(rest)]
		rest = rest[len(quoted):]
		var name string
		if err := json.Unmarshal(quoted, &name); err != nil {
			return nil, err
		}
		rest = rest[bytes.IndexByte(rest, ':')+1:]
		end := valueEnd(rest)
		members[name] = json.RawMessage(bytes.Trim(rest[:end], " \t\r\n"))
		rest = rest[end:]
	}
}

// stringEnd returns the length of the string that valid JSON begins with.
func stringEnd(doc []byte) int {
	for i := 1; ; i++ {
		switch doc[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
}

// valueEnd returns the offset of the comma or brace that follows the value that
// a member of valid JSON begins with.
func valueEnd(doc []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch doc[i] {
		case '"':
			i += stringEnd(doc[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
}
