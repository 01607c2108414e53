package jsonvalue

import kjson "sigs.k8s.io/json"

// FirstJSON returns an error of json.Unmarshal for a text in the words that
// encoding/json has up to Go 1.26, also in a program of a later Go. An error
// that is not about syntax is returned as it is.
func FirstJSON(text []byte, err error) error {
	var value any
	// A copy of encoding/json that no later Go changes.
	own := kjson.UnmarshalCaseSensitivePreserveInts(text, &value)
	if isSyntax, _ := kjson.SyntaxErrorOffset(own); isSyntax {
		return own
	}
	return err
}
