package definition_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// schemas returns the schemas of the vectors of structural rules.
func schemas(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, v := range vectors.Eval(t, protocol.OpStructural) {
		out = append(out, string(vectors.JSON(t, v.Req.Schema)))
	}
	return out
}

// definitions returns the definitions of the vectors on definitions.
func definitions(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, v := range vectors.Eval(t, protocol.OpCRD) {
		if v.Group == "crd" {
			out = append(out, string(vectors.JSON(t, v.Req.CRD)))
		}
	}
	return out
}

// scrambled changes a text in a few places. The result is mostly invalid JSON,
// sometimes unusual JSON.
func (g generator) scrambled(text string) string {
	for range 1 + g.IntN(3) {
		at := g.IntN(len(text))
		end := min(len(text), at+g.IntN(8))
		switch g.IntN(6) {
		case 0:
			text = text[:at] + text[end:]
		case 1:
			text = text[:at] + pick(g, "{", "}", "[", "]", `"`, ",", ":", "1", ".5", "e9", "null", "true", `""`, `\u00e9`, "\xff", " ", `{"a":1},`, `"type":"x",`) + text[at:]
		case 2:
			text = text[:at] + text[at:end] + text[at:]
		default:
			text = g.replacedValue(text)
		}
		if text == "" {
			return "{"
		}
	}
	return text
}

// replacedValue replaces the value after some colon, or repeats an entry with
// the same key.
func (g generator) replacedValue(text string) string {
	var colons []int
	for i := range len(text) {
		if text[i] == ':' {
			colons = append(colons, i)
		}
	}
	if len(colons) == 0 {
		return text
	}
	at := pick(g, colons...) + 1
	rest := json.NewDecoder(strings.NewReader(text[at:]))
	var value json.RawMessage
	if rest.Decode(&value) != nil {
		return text
	}
	after := text[at+int(rest.InputOffset()):]
	next := pick(g, "1", "1.0", "-0", "1e400", "99999999999999999999", "null", "true", `"x"`, `""`, "[]", "{}", `[null]`, `{"a":null}`, string(value)+`,"type":"string"`)
	if start := strings.LastIndexAny(text[:at-1], "{,"); g.oneIn(3) && start >= 0 {
		next = string(value) + "," + text[start+1:at] + pick(g, "{}", "null", string(value))
	}
	return text[:at] + next + after
}

// Scrambled documents are rejected with the same texts, or decoded to the same
// value.
func TestScrambled(t *testing.T) {
	g := newGenerator(uint64(number(t, "CRDSEM_SEED", 1)), 6)
	n := number(t, "CRDSEM_CASES", 5000)
	schemas := schemas(t)
	definitions := slices.DeleteFunc(definitions(t),
		func(doc string) bool { return len(doc) > 5000 })
	readable := 0
	for i := range n {
		if i%4 > 0 {
			schema := g.scrambled(pick(g, schemas...))
			if schema[0] == '{' && !sameSchema(schema) {
				t.Fatal(report(realSchema(schema), ourSchema(schema), schema))
			}
			continue
		}
		crd := g.scrambled(pick(g, definitions...))
		if crd[0] != '{' {
			continue
		}
		if json.Valid([]byte(crd)) {
			readable++
		}
		if !sameDefinition(crd, "") {
			t.Fatal(report(realDefinition(crd, ""), ourDefinition(crd, ""), crd))
		}
	}
	t.Logf("%d texts, among them %d definitions that are JSON", n, readable)
}
