package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
)

// There is one warning for each place of a schema with an unknown format, in
// the order of the document, and one for each type of the items of sets.
func TestWarningsOfEachPlace(t *testing.T) {
	const text = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
"d":{"type":"array","items":{"type":"string","format":"x"}},"a":{"type":"string","format":"y"},"c":{"type":"array","items":{"type":"string","format":"x"}},
"b":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"e":{"type":"string","format":"x"}}}}}}}}]}}`
	crd, _, err := definition.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	result := validate.Create(t.Context(), crd.ForCreate())
	want := []string{
		`unrecognized format "y"`, `unrecognized format "x"`, `unrecognized format "x"`, `unrecognized format "x"`,
		`x-kubernetes-list-type: set for items of type "object" is not supported by server-side apply or CEL validation rules`,
	}
	if len(result.Errors) > 0 || !slices.Equal(result.Warnings, want) {
		t.Errorf("got %v\n%s\nwant\n%s",
			result.Errors, strings.Join(result.Warnings, "\n"), strings.Join(want, "\n"))
	}
}

// A deprecation warning is a line of text, and only deprecated versions have
// one (CRD-100).
func TestDeprecationWarnings(t *testing.T) {
	const text = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},"deprecated":%t,"deprecationWarning":%q}]}}`
	const invalid = "spec.versions[0].deprecationWarning: Invalid value: "
	const unprintable = "must only contain printable UTF-8 characters; " +
		"non-printable character found at index "
	long := strings.Repeat("é", 128)
	for _, c := range []struct {
		name, warning string
		deprecated    bool
		want          []string
	}{
		{"a text", "use v2", true, nil},
		{"256 bytes", long, true, nil},
		{"257 bytes", long + "x", true, []string{invalid + `"` + long + `x": must be <= 256 characters long`}},
		{"empty", "", true, []string{invalid + `"": must not be an empty string`}},
		{"a tab", "é\t\n", true, []string{invalid + `"é\t\n": ` + unprintable + "2"}},
		{"long and a line end", long + "\n", true, []string{
			invalid + `"` + long + `\n": must be <= 256 characters long`,
			invalid + `"` + long + `\n": ` + unprintable + "256"}},
		{"not deprecated", "", false, []string{invalid + `"": can only be set for deprecated versions`}},
	} {
		crd, _, err := definition.Parse(fmt.Appendf(nil, text, c.deprecated, c.warning))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, err := range validate.Create(t.Context(), crd.ForCreate()).Errors {
			got = append(got, err.Error())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
