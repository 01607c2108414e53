package definition_test

import "testing"

// Whatever the bytes of a schema, both sides say the same.
func FuzzSchema(f *testing.F) {
	for _, doc := range schemas(f) {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, schema string) {
		if isDocument(schema) && !sameSchema(schema) {
			t.Fatal(report(realSchema(schema), ourSchema(schema), schema))
		}
	})
}

// Whatever the bytes of a definition, both sides say the same on create and on an update from any other.
func FuzzDefinition(f *testing.F) {
	for _, doc := range definitions(f) {
		f.Add(doc, "")
		f.Add(doc, doc)
	}
	f.Fuzz(func(t *testing.T, crd, old string) {
		if !isDocument(crd) || old != "" && !isDocument(old) {
			return
		}
		if !sameOrFault(crd, old) {
			t.Fatal(report(realDefinition(crd, old), ourDefinition(crd, old), crd, old))
		}
	})
}

// isDocument tells whether both sides take a text for JSON; of other texts the real code is told the format.
func isDocument(text string) bool { return len(text) > 0 && text[0] == '{' }
