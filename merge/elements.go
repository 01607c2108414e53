package merge

import (
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// plain returns a fieldsV1 whose path elements are written as encoding/json/v2
// writes them: characters are not escaped for HTML, and numbers are the
// shortest. The argument is not changed.
func plain(fields map[string]any) map[string]any {
	out := make(map[string]any, len(fields))
	for element, below := range fields {
		if inner, ok := below.(map[string]any); ok {
			below = plain(inner)
		}
		out[plainElement(element)] = below
	}
	return out
}

// plainElement returns a path element in its plain form. It returns what is no
// JSON as it is.
func plainElement(element string) string {
	kind, value, _ := strings.Cut(element, ":")
	if kind != "v" && kind != "k" {
		return element // the name of a field or an index
	}
	in := jsontext.NewDecoder(strings.NewReader(value))
	var text strings.Builder
	out := jsontext.NewEncoder(&text, jsontext.AllowDuplicateNames(true))
	for {
		token, err := in.ReadToken()
		if errors.Is(err, io.EOF) {
			return kind + ":" + strings.TrimSuffix(text.String(), "\n")
		}
		if err != nil {
			return element
		}
		if token.Kind() == '0' && strings.ContainsAny(token.String(), ".eE") {
			number, err := token.Float()
			if err != nil {
				return element
			}
			token = jsontext.Float(number)
		} else if token.Kind() == '"' {
			token = jsontext.String(token.String())
		}
		if err := out.WriteToken(token); err != nil {
			return element
		}
	}
}
