package definition_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/definition"
)

// There is one warning for each place of a schema with an unknown format, in
// the order of the document, and one for each type of the items of sets.
func TestWarningsOfEachPlace(t *testing.T) {
	const text = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
"d":{"type":"array","items":{"type":"string","format":"x"}},"a":{"type":"string","format":"y"},"c":{"type":"array","items":{"type":"string","format":"x"}},
"b":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"e":{"type":"string","format":"x"}}}}}}}}]}}`
	crd, _, err := definition.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	result := definition.Validate(t.Context(), crd.ForCreate())
	want := []string{
		`unrecognized format "y"`, `unrecognized format "x"`, `unrecognized format "x"`, `unrecognized format "x"`,
		`x-kubernetes-list-type: set for items of type "object" is not supported by server-side apply or CEL validation rules`,
	}
	if len(result.Errors) > 0 || !slices.Equal(result.Warnings, want) {
		t.Errorf("got %v\n%s\nwant\n%s",
			result.Errors, strings.Join(result.Warnings, "\n"), strings.Join(want, "\n"))
	}
}
