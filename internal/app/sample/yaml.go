package sample

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// YAML returns a value as YAML.
func YAML(value any) string {
	var b strings.Builder
	WriteYAML(&b, value, 0)
	return b.String()
}

// WriteYAML writes a value in block style, each line with an indentation.
func WriteYAML(b *strings.Builder, value any, column int) {
	at := strings.Repeat(" ", column)
	switch v := value.(type) {
	case map[string]any:
		for _, key := range inOrder(v) {
			name := key
			if !IsPlain(key) {
				name = JSON(key)
			}
			fmt.Fprintf(b, "%s%s:", at, name)
			writeBelow(b, v[key], column+2)
		}
	case []any:
		for _, item := range v {
			if !isBlock(item) {
				fmt.Fprintf(b, "%s- %s\n", at, Scalar(item))
				continue
			}
			var below strings.Builder
			WriteYAML(&below, item, column+2)
			fmt.Fprintf(b, "%s- %s", at, below.String()[column+2:])
		}
	}
}

// writeBelow writes the value of a key: on its line, or below it.
func writeBelow(b *strings.Builder, value any, column int) {
	if isBlock(value) {
		b.WriteByte('\n')
		WriteYAML(b, value, column)
		return
	}
	fmt.Fprintf(b, " %s\n", Scalar(value))
}

// isBlock reports whether a value is an object or a list that is not empty.
func isBlock(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// inOrder returns the keys of an object: those that every object has first.
func inOrder(object map[string]any) []string {
	rank := func(key string) int {
		return slices.Index([]string{"status", "spec", "metadata", "kind", "apiVersion"}, key)
	}
	keys := slices.Sorted(maps.Keys(object))
	slices.SortStableFunc(keys, func(a, b string) int { return rank(b) - rank(a) })
	return keys
}

// Scalar returns a value as YAML, on one line; empty if it has no such form.
func Scalar(value any) string {
	if text, ok := value.(string); ok && IsPlain(text) {
		return text
	}
	return JSON(value)
}

// JSON returns a value as JSON, empty if it has no such form.
func JSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// IsPlain reports whether a text is the same string without quotes in YAML.
func IsPlain(text string) bool {
	for i, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("-_./0123456789", r)) {
			return false
		}
	}
	switch strings.ToLower(text) {
	case "", "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}
