package jsonvalue

import "strings"

// SplitYAMLErrors returns the single errors that a text of the strict YAML
// decoder holds, e.g. `line 3: key "a" already set in map`. The decoder joins
// them as lines below a heading; a text without that heading is one error.
func SplitYAMLErrors(text string) []string {
	const heading = "yaml: unmarshal errors:\n"
	list, ok := strings.CutPrefix(
		strings.TrimPrefix(text, "error converting YAML to JSON: "),
		heading,
	)
	if !ok {
		return []string{text}
	}
	lines := strings.Split(list, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}
