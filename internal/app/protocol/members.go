package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// membersOf returns the members of an object, each as it is spelled. The last
// one of a name counts. The values are parts of doc. The members of null are
// nil. The error has the text of encoding/json.
func membersOf(doc []byte) (map[string]jsontext.Value, error) {
	if members, err := readMembers(doc); err == nil {
		return members, nil
	}
	var members map[string]json.RawMessage
	return nil, json.Unmarshal(doc, &members)
}

// readMembers is membersOf for objects. It copies no value, because definitions
// are long.
func readMembers(doc []byte) (map[string]jsontext.Value, error) {
	// A decoder reads a bytes.Buffer in place.
	dec := jsontext.NewDecoder(bytes.NewBuffer(doc),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if start, err := dec.ReadToken(); err != nil || start.Kind() != '{' {
		return nil, errNoObject
	}
	members := map[string]jsontext.Value{}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		members[name] = value[:len(value):len(value)]
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil, errNoObject
	}
	return members, nil
}

// errNoObject means that a text is not one JSON object.
var errNoObject = errors.New("not an object")
