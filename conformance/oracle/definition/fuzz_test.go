package definition_test

import "testing"

// For any bytes of a schema, both sides have the same verdict.
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

// For any bytes of a definition, both sides have the same verdict on create and
// on update from any other definition.
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

// isDocument reports whether both sides take a text for JSON. For other texts
// the real code needs the format.
func isDocument(text string) bool { return len(text) > 0 && text[0] == '{' }
