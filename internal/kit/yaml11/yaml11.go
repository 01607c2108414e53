// Package yaml11 knows the booleans of YAML 1.1, which the API server reads:
// y, yes and on are true there, n, no and off are false.
package yaml11

import "strings"

// Bool returns true or false for a text without quotes that is a boolean, e.g.
// "true" for y. The text is in lower case, in upper case, or capitalized.
func Bool(text string) (value string, ok bool) {
	lower := strings.ToLower(text)
	if text == "" || lower[1:] != text[1:] && text != strings.ToUpper(text) {
		return "", false
	}
	switch lower {
	case "y", "yes", "on", "true":
		return "true", true
	case "n", "no", "off", "false":
		return "false", true
	}
	return "", false
}
