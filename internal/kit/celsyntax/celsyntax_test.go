package celsyntax_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// The names are those of CEL-030.
func TestName(t *testing.T) {
	for field, want := range map[string]string{
		"size": "size", "namespace": "__namespace__", "in": "__in__", "inside": "inside",
		"a.b": "a__dot__b", "a-b": "a__dash__b", "a/b": "a__slash__b",
		"a__b": "a__underscores__b", "__true__": "__underscores__true__underscores__",
		"a__dot__b": "a__underscores__dot__underscores__b", "x_y": "x_y",
	} {
		got := celsyntax.Name(field)
		if got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
		if back := celsyntax.Field(got); back != field {
			t.Errorf("%s is the name of %s, want %s", got, back, field)
		}
	}
	if got := celsyntax.Field("`a-b`"); got != "a-b" {
		t.Errorf("in backquotes: %s", got)
	}
}

func TestParse(t *testing.T) {
	for rule, want := range map[string]bool{
		"self.a > 0": true, "self.?a.orValue(1) == 1": true, "self.`a-b` == 1": true,
		"": false, "self.": false, "self.a &": false,
	} {
		if got := celsyntax.Parse(rule) != nil; got != want {
			t.Errorf("%q parses: %t", rule, got)
		}
	}
}

func TestFormatted(t *testing.T) {
	for expression, want := range map[string]string{
		`"at most " + string(self.max)`:          `"at most %s".format([self.max])`,
		`string(self.a) + " of " + self.b + "!"`: `"%s of %s!".format([self.a, self.b])`,
		`"100% of " + string(self.a + self.b)`:   `"100%% of %s".format([self.a + self.b])`,
		`"at " + self.at`:                        "", `string(self.a) + string(self.b)`: "", `"at most"`: "",
		`"a" + 1 + string(self.b)`: "", `self.string(1) + "a"`: "", `"a" +`: "",
		`"a" + string(self.a, self.b)`: "", `"a" + size(self.b)`: "",
		`"a" + self.b.string()`: "", `"a" - string(self.b)`: "",
	} {
		if got := celsyntax.Formatted(expression); got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

// Rules that no server accepts are not looked into; a function of a library is
// no method.
func TestParseCountsArguments(t *testing.T) {
	for rule, want := range map[string]bool{
		"size(self.a) > 0": true, "self.a.size() > 0": true, "size() > 0": false,
		"self.a.contains('b')": true, "self.a.contains()": false,
		"sets.contains(self.a, ['b'])": true, "has(self.a)": true, "self.has(a)": false,
	} {
		if got := celsyntax.Parse(rule) != nil; got != want {
			t.Errorf("%s: parsed %t, want %t", rule, got, want)
		}
	}
}
