package main

import (
	"encoding/json"
	"io"
)

func writeJSON[T any](out io.Writer, value T) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
