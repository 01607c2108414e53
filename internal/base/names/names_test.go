package names_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/names"
)

const part = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`

const value = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`

const long = "must be no more than 63 bytes"

// The words are those of IsQualifiedName and IsValidLabelValue of
// k8s.io/apimachinery v0.37.2, which the oracle compares.
func TestQualifiedName(t *testing.T) {
	for name, want := range map[string][]string{
		"a": nil, "a.b/C_d": nil, "1": nil, strings.Repeat("a", 63): nil,
		"":                              {"name part must be non-empty", "name part " + part},
		"-a":                            {"name part " + part},
		"a-":                            {"name part " + part},
		"aé":                            {"name part " + part},
		strings.Repeat("a", 64):         {"name part " + long},
		strings.Repeat("-", 64):         {"name part " + long, "name part " + part},
		"/a":                            {"prefix part must be non-empty"},
		"a/":                            {"name part must be non-empty", "name part " + part},
		"a/b/c":                         {"a valid label key " + part + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"},
		strings.Repeat("a", 254) + "/b": {"prefix part must be no more than 253 bytes"},
		"A/b":                           {"prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"},
	} {
		if diff := cmp.Diff(want, names.QualifiedName(name)); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	}
}

func TestLabelValue(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "a": nil, "a.b_c-d": nil, strings.Repeat("a", 63): nil,
		strings.Repeat("a", 64): {long}, ".": {value}, "a b": {value},
		strings.Repeat("_", 64): {long, value},
	} {
		if diff := cmp.Diff(want, names.LabelValue(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
