package definition_test

import (
	"strings"
	"testing"
)

// manyRules is how many rules a seed has at most: definitions whose rules use
// up a budget take the real code longer than the fuzzer allows.
const manyRules = 20

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
// on update from any other definition. Seeds are a tenth of the vectors'
// definitions, which other tests compare, too: the fuzzer runs all seeds before
// it starts.
func FuzzDefinition(f *testing.F) {
	for i, doc := range definitions(f) {
		if i%10 != 0 || strings.Count(doc, `"rule":`) > manyRules {
			continue
		}
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
