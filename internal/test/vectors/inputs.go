package vectors

import (
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// DecodeInput decodes a document of any kind. It returns nil for an input that
// was not given.
func DecodeInput(t testing.TB, in protocol.Input) any {
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

// Object decodes a document that is an object. It returns nil for any other
// value and for an input that was not given.
func Object(t testing.TB, in protocol.Input) map[string]any {
	t.Helper()
	object, _ := DecodeInput(t, in).(map[string]any)
	return object
}

// JSON returns a document as JSON, converted from YAML if necessary. Text that
// is neither is returned unchanged.
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
