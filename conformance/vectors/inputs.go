package vectors

import (
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/protocol"
)

// Value reads a document of any kind. One that was not given is nil.
func Value(t testing.TB, in protocol.Input) any {
	t.Helper()
	if !in.Given() {
		return nil
	}
	doc, format := in.Document()
	decode := jsonvalue.DecodeJSON
	if format == protocol.YAML {
		decode = jsonvalue.DecodeYAML
	}
	value, _, err := decode(doc)
	if err != nil {
		t.Fatalf("%v: %s", err, doc)
	}
	return value
}

// Object reads a document that is an object. One that was not given, and any other
// value, is nil.
func Object(t testing.TB, in protocol.Input) map[string]any {
	t.Helper()
	object, _ := Value(t, in).(map[string]any)
	return object
}

// JSON returns a document as JSON: as it is, or converted from YAML. Text that is
// neither is returned as it is.
func JSON(t testing.TB, in protocol.Input) []byte {
	t.Helper()
	doc, format := in.Document()
	if format != protocol.YAML {
		return doc
	}
	value, _, err := jsonvalue.DecodeYAML(doc)
	if err != nil {
		return doc
	}
	if doc, err = protocol.AppendValue(nil, value); err != nil {
		t.Fatal(err)
	}
	return doc
}
