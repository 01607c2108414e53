package celrules_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/celrules"
)

// Line and Column count from 1, in code points.
func TestExplainPlaces(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"object","properties":{"a":{"type":"integer"}},
		"x-kubernetes-validations":[{"rule":"'é' == 'x' ||\n  self.a > 3"}]}`))
	result := validate(rules, map[string]any{"a": int64(1)}, nil, celrules.ExplainFailures())
	if len(result.Explanations) != 1 {
		t.Fatalf("%d explanations", len(result.Explanations))
	}
	var got []string
	for _, term := range result.Explanations[0].Terms {
		got = append(got, fmt.Sprintf("%d:%d %s", term.Line, term.Column, term.Text))
	}
	want := []string{`1:1 "é" == "x" || self.a > 3`, `1:1 "é" == "x"`, "2:3 self.a > 3", "2:3 self.a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		want       []string
	}{
		{"false", "self.a < self.b", []string{`0 "self.a < self.b" = false`, `0 "self.a" = 3`, `9 "self.b" = 2`}},
		{"short circuit", "self.a < 0 && self.b > 0",
			[]string{`0 "self.a < 0 && self.b > 0" = false`, `0 "self.a < 0" = false`, `0 "self.a" = 3`}},
		{"error", "self.c == 1", []string{`0 "self.c == 1" = no such key: c!`, `0 "self.c" = no such key: c!`}},
		{"call", "size(self.l) > 2 || -int(self.a) > 2 || optional.of(self.a).hasValue() == has(self.c)", []string{
			`0 "size(self.l) > 2 || -int(self.a) > 2 || optional.of(self.a).hasValue() == has(self.c)" = false`,
			`0 "size(self.l) > 2 || -int(self.a) > 2" = false`,
			`0 "size(self.l) > 2" = false`, `0 "size(self.l)" = 2`, `5 "self.l" = [1, 5]`,
			`20 "-int(self.a) > 2" = false`, `20 "-int(self.a)" = -3`, `21 "int(self.a)" = 3`, `25 "self.a" = 3`,
			`40 "optional.of(self.a).hasValue() == has(self.c)" = false`,
			`40 "optional.of(self.a).hasValue()" = true`, `40 "optional.of(self.a)" = optional.of(3)`,
			`52 "self.a" = 3`, `74 "has(self.c)" = false`,
		}},
		{"loop", "self.l.all(x, x < 2) || self == self && false", []string{
			`0 "self.l.all(x, x < 2) || self == self && false" = false`, `0 "self.l.all(x, x < 2)" = false`, `0 "self.l" = [1, 5]`,
			`14 "x < 2" = false`, `14 "x" = 5`, `24 "self == self && false" = false`, `24 "self == self" = true`,
			`24 "self" = {"a": 3, "b": 2, "l": [1, 5]}`, `32 "self" = {"a": 3, "b": 2, "l": [1, 5]}`,
		}},
		{"macro as written", "self.l.all( x , x < 2 ) && true", []string{
			`0 "self.l.all( x , x < 2 ) && true" = false`, `0 "self.l.all( x , x < 2 )" = false`,
			`0 "self.l" = [1, 5]`, `16 "x < 2" = false`, `16 "x" = 5`,
		}},
		{"end of the source", "self.l.exists(x, (string(x) == 'ééééé'))", []string{
			`0 "self.l.exists(x, (string(x) == 'ééééé'))" = false`, `0 "self.l" = [1, 5]`,
			`18 "string(x) == \"ééééé\"" = false`, `18 "string(x)" = "5"`, `25 "x" = 5`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := celrules.Compile(mustParse(t, `{"type":"object","properties":{"a":{"type":"integer"},
				"b":{"type":"integer"},"c":{"type":"integer"},"l":{"type":"array","items":{"type":"integer"}}},
				"x-kubernetes-validations":[{"rule":"`+c.rule+`"}]}`))
			object := map[string]any{"a": int64(3), "b": int64(2), "l": []any{int64(1), int64(5)}}
			result := validate(rules, object, nil, celrules.ExplainFailures())
			if len(result.Explanations) != 1 {
				t.Fatalf("%d explanations", len(result.Explanations))
			}
			var got []string
			for _, term := range result.Explanations[0].Terms {
				mark := ""
				if term.Failed {
					mark = "!"
				}
				line := fmt.Sprintf("%d %q = %s%s", term.Offset, term.Text, term.Value, mark)
				got = append(got, line)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q", got)
			}
		})
	}
}
