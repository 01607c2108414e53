package output

import (
	"bytes"
	_ "embed" // of the schema
	"encoding/json"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// Schema is the JSON Schema of the JSON output.
//
//go:embed schema.json
var Schema []byte

// jsonPrinter prints one object: {"results": [...], "summary": {...}}.
type jsonPrinter struct {
	out     io.Writer
	started bool
}

func (p *jsonPrinter) Print(r *verdict.Result) error {
	w := writer{out: p.out}
	if p.started {
		w.printf(",\n    ")
	} else {
		w.printf("{\n  \"results\": [\n    ")
		p.started = true
	}
	w.write(indented(r, "    "))
	return w.err
}

func (p *jsonPrinter) Close(s *verdict.Summary) error {
	w := writer{out: p.out}
	if p.started {
		w.printf("\n  ],\n")
	} else {
		w.printf("{\n  \"results\": [],\n")
	}
	w.printf("  \"summary\": ")
	w.write(indented(s, "  "))
	w.printf("\n}\n")
	return w.err
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
	out     io.Writer
	started bool
}

func (p *yamlPrinter) Print(r *verdict.Result) error {
	w := writer{out: p.out}
	if !p.started {
		w.printf("results:\n")
		p.started = true
	}
	w.write(yaml.Marshal([]*verdict.Result{r}))
	return w.err
}

func (p *yamlPrinter) Close(s *verdict.Summary) error {
	w := writer{out: p.out}
	if !p.started {
		w.printf("results: []\n")
	}
	w.write(yaml.Marshal(map[string]*verdict.Summary{"summary": s}))
	return w.err
}
