package celrules_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules"
)

// A rule whose functions make more than the limit of memory fails. A server
// makes the values.
func TestMemoryLimit(t *testing.T) {
	text := strings.Repeat("x", 9000)
	schema := mustParse(t, `{"type":"string","x-kubernetes-validations":[
		{"rule":"self.replace('x', self).size() == 0 || true"},{"rule":"self.size() == 0"}]}`)
	rules := celrules.Compile(schema, inside)
	result := validate(rules, text, nil, celrules.ExplainFailures())
	if len(result.Errors) != 2 {
		t.Fatalf("81 MB are within the limit: %d errors", len(result.Errors))
	}
	const want = "operation cancelled: values exceed 67108864 bytes evaluating rule: " +
		"self.replace('x', self).size() == 0 || true"
	if got := result.Errors[0].Detail; got != want {
		t.Errorf("got %s", got)
	}
	if got := result.Explanations; len(got) != 1 || got[0].Rule != "self.size() == 0" {
		t.Errorf("a rule that was stopped is evaluated again: %+v", got)
	}
	rules = celrules.Compile(schema, inside, celrules.WithMemoryLimit(82e6))
	if result := validate(rules, text, nil); len(result.Errors) != 1 {
		t.Errorf("81 MB are over 82 MB: %s", lines(result.Errors))
	}
	sum := mustParse(t, `{"type":"string","x-kubernetes-validations":[{"rule":"self + 'a' == 'xa'"}]}`)
	for bytes, want := range map[int64]string{
		-5: "values exceed 1 bytes", 0: "values exceed 1 bytes", 1: "values exceed 1 bytes", 2: "",
	} {
		rules := celrules.Compile(sum, inside, celrules.WithMemoryLimit(bytes))
		got := lines(validate(rules, "x", nil).Errors)
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("a limit of %d: %s", bytes, got)
		}
	}
}
