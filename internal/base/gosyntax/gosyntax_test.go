package gosyntax_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/crdsem/crdsem/internal/base/gosyntax"
)

// Values of JSON and other plain ones print as Go prints them.
func TestPlain(t *testing.T) {
	p := &gosyntax.Printer{}
	for _, value := range []any{
		nil, true, int64(5), 7, uint64(0), 1.0, 1e21, 0.1, math.Inf(1), "a\"<&\u2028\x00", []byte{0, 9}, []byte(nil),
		[]any{}, []any(nil), []any{nil, 1.5, "x", []any{}}, map[string]any{}, map[string]any(nil),
		map[string]any{"b": nil, "a": map[string]any{"z": int64(1)}, "": []any{false}},
		[]string{"a"}, []string(nil), map[string]string{"b": "1", "a": "2"}, map[string][]string{"a": {"b"}},
		struct {
			A int
			B *int
		}{},
	} {
		if got, want := p.Text(value), fmt.Sprintf("%#v", value); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

type schema struct {
	Name       string
	Default    any     `go:"*api.JSON"`
	Enum       []any   `go:"[]api.JSON"`
	Reason     *string `go:"*api.Reason"`
	Rules      []rule  `go:"api.Rules"`
	Size       *int64
	Not        *schema
	All        []*schema
	Properties map[string]*schema
	Parts      map[string]*schema `go:"api.Parts"`
}

type rule struct{ Rule string }

// The structures of the packages print as those of another program.
func TestStructures(t *testing.T) {
	p := &gosyntax.Printer{Packages: map[string]string{
		"github.com/crdsem/crdsem/internal/base/gosyntax_test": "api",
	}}
	const rest = "Default:(*api.JSON)(nil), Enum:[]api.JSON(nil), Reason:(*api.Reason)(nil), " +
		"Rules:api.Rules(nil), Size:(*int64)(nil), Not:(*api.schema)(nil), " +
		"All:[]api.schema(nil), " +
		"Properties:map[string]api.schema(nil), Parts:api.Parts(nil)}"
	empty := func(name string) string { return fmt.Sprintf("api.schema{Name:%q, %s", name, rest) }
	size, reason := int64(4), "x"
	const at = "(" + gosyntax.Address + ")"
	for _, c := range []struct {
		value any
		want  string
	}{
		{schema{Name: "a"}, empty("a")},
		{schema{
			Name: "a", Default: false, Enum: []any{nil, 1.0, "x", []any{nil}}, Reason: &reason, Rules: []rule{{"r"}}, Size: &size,
			Not: new(schema), All: []*schema{{Name: "b"}, nil}, Properties: map[string]*schema{"q": {Name: "c"}, "p": nil},
			Parts: map[string]*schema{},
		}, `api.schema{Name:"a", Default:(*api.JSON)` + at +
			`, Enum:[]api.JSON{api.JSON(nil), 1, "x", []interface {}{interface {}(nil)}}, Reason:(*api.Reason)` + at +
			`, Rules:api.Rules{api.rule{Rule:"r"}}, Size:(*int64)` + at + `, Not:(*api.schema)` + at + `, All:[]api.schema{` +
			empty("b") + ", " + empty("") + `}, Properties:map[string]api.schema{"p":` + empty("") + `, "q":` + empty("c") +
			`}, Parts:api.Parts{}}`},
		{[]schema{}, "[]api.schema{}"},
		{[]*schema(nil), "[]api.schema(nil)"},
		{[]rule{{"a"}, {"b"}}, `[]api.rule{api.rule{Rule:"a"}, api.rule{Rule:"b"}}`},
	} {
		if got := p.Text(c.value); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
