// Package given makes what tests are given of the JSON that they spell: schemas, values, objects. What does not parse ends the test.
package testschema

import (
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// Schema reads a schema.
func Schema(t testing.TB, text string) *structural.Schema {
	t.Helper()
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return schema
}

// Value reads a value of any kind.
func Value(t testing.TB, text string) any {
	t.Helper()
	value, _, err := jsonvalue.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}

// Object reads an object.
func Object(t testing.TB, text string) map[string]any {
	t.Helper()
	object, _, err := jsonvalue.DecodeObject([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return object
}
