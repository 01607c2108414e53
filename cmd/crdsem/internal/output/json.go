package output

import (
	"bytes"
	_ "embed" // of the schema
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/kit/visible"
)

// Schema is the JSON Schema of the JSON output.
//
//go:embed schema.json
var Schema []byte

// jsonPrinter prints one object: {"results": [...], "summary": {...}}.
type jsonPrinter struct {
	out   io.Writer
	first string // the list that is there without items
	list  string // that is open
	ended bool   // the lists have ended
}

func (p *jsonPrinter) Print(item *Item) error {
	before := ",\n    "
	if item.List != p.list {
		before = p.next() + fmt.Sprintf("  %q: [\n    ", item.List)
		p.list = item.List
	}
	return p.write(before, item.Value, "    ")
}

// next ends the list before, or starts the object.
func (p *jsonPrinter) next() string {
	switch {
	case p.ended:
		return ",\n"
	case p.list != "":
		return "\n  ],\n"
	}
	return "{\n"
}

func (p *jsonPrinter) Add(m *Member) error {
	if m.Name == "" {
		return nil
	}
	before := p.next()
	if p.list == "" && !p.ended {
		before += fmt.Sprintf("  %q: [],\n", p.first)
	}
	p.ended = true
	return p.write(before+fmt.Sprintf("  %q: ", m.Name), m.Value, "  ")
}

func (p *jsonPrinter) write(before string, value any, prefix string) error {
	text, err := indented(value, prefix)
	if err != nil {
		return err
	}
	_, err = p.out.Write(append([]byte(before), text...))
	return err
}

func (p *jsonPrinter) Close() error {
	_, err := io.WriteString(p.out, "\n}\n")
	return err
}

// JSON writes a value as one document.
func JSON(out io.Writer, value any) error {
	text, err := indented(value, "")
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	return err
}

// indented returns a value as JSON. The prefix precedes lines after the first.
func indented(value any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(prefix, "  ")
	err := encoder.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// yamlPrinter prints the object of jsonPrinter as YAML.
type yamlPrinter struct {
	out         io.Writer
	first, list string
}

func (p *yamlPrinter) Print(item *Item) error {
	before := ""
	if item.List != p.list {
		before = item.List + ":\n"
		p.list = item.List
	}
	return p.write(before, "- ", item.Value, []any{item.Value})
}

func (p *yamlPrinter) Add(m *Member) error {
	if m.Name == "" {
		return nil
	}
	before := ""
	if p.list == "" {
		before = p.first + ": []\n"
		p.list = p.first
	}
	return p.write(before, m.Name+": ", m.Value, map[string]any{m.Name: m.Value})
}

// write writes a value as it is within a list or a mapping.
func (p *yamlPrinter) write(before, key string, value, within any) error {
	text, err := yamlOf(key, value, within)
	if err != nil {
		return err
	}
	_, err = p.out.Write(append([]byte(before), text...))
	return err
}

func (p *yamlPrinter) Close() error { return nil }

// YAML returns a value as a YAML document.
func YAML(value any) ([]byte, error) { return yamlOf("", value, value) }

// yamlOf returns a value, which stands after a key within another one. If YAML
// has no form of it, or a log would act on a line of the text, the value is
// written as JSON, which is YAML as well.
func yamlOf(key string, value, within any) ([]byte, error) {
	text, err := yaml.Marshal(within)
	if err == nil && isHarmless(text) {
		return text, nil
	}
	text, err = json.Marshal(value)
	return append(append([]byte(key), text...), '\n'), err
}

// isHarmless reports whether a visible.Writer writes a text as it is.
func isHarmless(text []byte) bool {
	var b bytes.Buffer
	w := visible.NewWriter(&b, visible.Nothing)
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Flush()
	return bytes.Equal(b.Bytes(), text)
}
