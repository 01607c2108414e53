// Package testschema parses JSON literals for tests: schemas, values and
// objects. A literal that does not parse ends the test.
package testschema

import (
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// Schema returns the model of a schema, e.g. {"type": "object"}.
func Schema(t testing.TB, text string) *structural.Schema {
	t.Helper()
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return schema
}

// Value returns a value of any type, e.g. [1, "a"].
func Value(t testing.TB, text string) any {
	t.Helper()
	value, _, err := jsonvalue.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}

// Object returns an object, e.g. {"spec": {}}.
func Object(t testing.TB, text string) map[string]any {
	t.Helper()
	object, _, err := jsonvalue.DecodeObject([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return object
}
