package validation_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/validation"
)

// Each finding names the rule of the specification that the value breaks.
func TestRulesOfFindings(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"string"}`, `1`, "VAL-020"}, {`{"type":"boolean"}`, `1.5`, "VAL-020"},
		{`{"type":"integer"}`, `1.5`, "VAL-021 VAL-054"}, {`{"type":"integer"}`, `"x"`, "VAL-020"},
		{`{"type":"string","format":"date"}`, `1`, "VAL-022"},
		{`{"type":"string","format":"date"}`, `true`, "VAL-022"},
		{`{"type":"integer","format":"int32"}`, `"x"`, "VAL-020"},
		{`{"type":"string"}`, `null`, "VAL-023"},
		{`{"type":"string","format":"date"}`, `null`, "VAL-023"},
		{`{"type":"string","nullable":true,"enum":["a"]}`, `null`, "VAL-024"},
		{`{"type":"string","enum":["a"]}`, `"b"`, "VAL-060"},
		{`{"x-kubernetes-int-or-string":true,"enum":["😀"]}`, `128512`, ""},
		{`{"x-kubernetes-int-or-string":true,"enum":["a"]}`, `98`, "VAL-060"},
		{`{"x-kubernetes-int-or-string":true}`, `1.5`, "VAL-025"},
		{`{"x-kubernetes-int-or-string":true}`, `true`, "VAL-025"},
		{`{"x-kubernetes-int-or-string":true}`, `[]`, "VAL-025"},
		{`{"type":"integer","maximum":3}`, `4`, "VAL-050"},
		{`{"type":"integer","maximum":2.5}`, `4`, "VAL-052 VAL-050"},
		{`{"x-kubernetes-int-or-string":true,"maximum":2.5}`, `3`, "VAL-051"},
		{`{"x-kubernetes-int-or-string":true,"minimum":2.5}`, `1`, "VAL-051"},
		{`{"x-kubernetes-int-or-string":true,"maximum":2}`, `3`, "VAL-050"},
		{`{"type":"number","maximum":2.5}`, `4.5`, "VAL-050"},
		{`{"type":"number","minimum":3}`, `2.5`, "VAL-050"},
		{`{"type":"object","required":["x"]}`, `{}`, "VAL-081"},
		{`{"type":"string","maxLength":1}`, `"ab"`, "VAL-040"},
		{`{"type":"string","maxLength":1}`, `"a"`, ""},
		{`{"type":"string","maxLength":1}`, `"é"`, ""},
		{`{"type":"string","minLength":2}`, `"é"`, "VAL-040"},
		{`{"type":"array","maxItems":1,"items":{"type":"string"}}`, `["a","b"]`, "VAL-070"},
		{`{"type":"integer","oneOf":[{"minimum":1},{"maximum":3}]}`, `2`, "VAL-092"},
		{`{"type":"integer","oneOf":[{"minimum":1},{"maximum":3}]}`, `4`, ""},
	} {
		v := validation.Compile(testschema.Schema(t, `{"type":"object","properties":{"v":`+c.schema+`}}`))
		errs := v.Validate(t.Context(), testschema.Object(t, `{"v":`+c.value+`}`))
		var got []string
		for _, err := range errs {
			got = append(got, err.Origin)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s at %s: %v by %v, want %s", c.value, c.schema, errs, got, c.want)
		}
	}
}
