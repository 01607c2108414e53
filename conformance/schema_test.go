package conformance_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// Every line of the vectors satisfies its JSON Schema.
func TestLinesSatisfyTheirSchema(t *testing.T) {
	for folder, name := range map[string]string{
		"eval":  "vector.schema.json",
		"other": "case.schema.json",
	} {
		schema := readSchema(t, filepath.Join("vectors", name))
		validator := validate.NewSchemaValidator(schema, nil, "", strfmt.Default)
		files, err := filepath.Glob(filepath.Join("vectors", folder, "*.jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", folder, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(text) {
				for _, found := range validator.Validate(readLine(t, line)).Errors {
					t.Errorf("%s: %.60s: %v", file, line, found)
				}
			}
		}
	}
}

// The schemas reject malformed lines.
func TestSchemasReject(t *testing.T) {
	for line, name := range map[string]string{
		`{}`: "vector.schema.json",
		`{"id":"a","rule":"STR-001","description":"d","request":{"op":"nosuch"},"want":{"errors":[]}}`:                                  "vector.schema.json",
		`{"id":"a","rule":"STR-001","description":"d","request":{"op":"sort"},"want":{"nosuch":[]}}`:                                    "vector.schema.json",
		`{"id":"a","kind":"versionCompare","rule":"VER-001","description":"d","input":{"a":"b"},"want":{"compared":1}}`:                 "case.schema.json",
		`{"id":"a","kind":"nosuch","rule":"VER-001","description":"d","input":{"a":"b","b":"a"},"want":{"compared":1}}`:                 "case.schema.json",
		`{"id":"a","kind":"versionCompare","rule":"VER-001","description":"it should","input":{"a":"b","b":"a"},"want":{"compared":1}}`: "case.schema.json",
	} {
		schema := readSchema(t, filepath.Join("vectors", name))
		validator := validate.NewSchemaValidator(schema, nil, "", strfmt.Default)
		if validator.Validate(readLine(t, []byte(line))).IsValid() {
			t.Errorf("%s accepts %s", name, line)
		}
	}
}

// beyondInt64 matches integers that the validator does not take for integers.
var beyondInt64 = regexp.MustCompile(`:[0-9]{19,}\b`)

func readLine(t *testing.T, line []byte) any {
	t.Helper()
	v, err := protocol.ParseValue(beyondInt64.ReplaceAll(line, []byte(":9223372036854775807")))
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return v
}

// readSchema reads a JSON Schema and replaces references by the definitions
// they name. The validator does not resolve references.
func readSchema(t *testing.T, file string) *spec.Schema {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	definitions, _ := document["$defs"].(map[string]any)
	delete(document, "$defs")
	delete(document, "$schema")
	if text, err = json.Marshal(expanded(document, definitions)); err != nil {
		t.Fatal(err)
	}
	schema := &spec.Schema{}
	if err := json.Unmarshal(text, schema); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return schema
}

// expanded replaces references by the schemas they name. A property schema that
// is true becomes an empty schema.
func expanded(v any, definitions map[string]any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = expanded(v[i], definitions)
		}
	case map[string]any:
		if name, ok := v["$ref"].(string); ok {
			return expanded(definitions[strings.TrimPrefix(name, "#/$defs/")], definitions)
		}
		for name, member := range v {
			if member == true {
				v[name] = map[string]any{}
			} else {
				v[name] = expanded(member, definitions)
			}
		}
	}
	return v
}
