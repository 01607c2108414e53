package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/minors"
)

const ofMinors = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io","resourceVersion":"1","generation":1},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,%s"schema":{"openAPIV3Schema":{"type":"object"%s}}}]}}`

// in decodes a definition for a minor. The arguments are fields of its version
// and of its schema.
func in(t *testing.T, minor, version, schema string) *definition.CRD {
	t.Helper()
	m, err := minors.Parse(minor)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, fmt.Appendf(nil, ofMinors, version, schema)).In(m)
}

// A server drops fields of a definition that it does not know yet, and
// validates what is left: selectable fields before 1.31. It keeps them if the
// old definition has them (CRD-080).
func TestFieldsOfNewerMinors(t *testing.T) {
	const selectable = `"selectableFields":[{"jsonPath":".z"}],`
	check := func(name string, crd, old *definition.CRD, refused bool) {
		t.Helper()
		var result validate.Result
		if old == nil {
			result = validate.Create(t.Context(), crd.ForCreate())
		} else {
			result = validate.Update(t.Context(), crd.ForUpdate(old), old.ForCreate())
		}
		if len(result.Errors) > 0 != refused {
			t.Errorf("%s: %v", name, result.Errors)
		}
	}
	const field = `,"properties":{"a":{"type":"string"}}`
	for minor, refused := range map[string]bool{"1.30": false, "1.31": true} {
		old := in(t, minor, `"selectableFields":[{"jsonPath":".a"}],`, field)
		check("selectable as before "+minor, in(t, minor, selectable, field), old, true)
		check("selectable "+minor, in(t, minor, selectable, ""), nil, refused)
		update, old := in(t, minor, selectable, ""), in(t, minor, "", "")
		check("selectable update "+minor, update, old, refused)
	}
}

// Since 1.34 a server warns of unknown formats of strings, since 1.36 of those
// of all types. It knows the formats of names since 1.35 (CRD-350).
func TestFormatWarningsOfMinors(t *testing.T) {
	const schema = `,"properties":{"a":{"type":"string","format":"date"},` +
		`"b":{"type":"string","format":"k8s-short-name"},"c":{"type":"integer","format":"x"},"d":{"type":"string","format":"y"}}`
	for minor, want := range map[string][]string{
		"1.33": nil, "1.34": {"k8s-short-name", "y"}, "1.35": {"y"}, "1.36": {"x", "y"}, "1.37": {"x", "y"},
	} {
		var got []string
		crd := in(t, minor, "", schema).ForCreate()
		for _, w := range validate.Create(t.Context(), crd).Warnings {
			format, _ := strings.CutPrefix(w, "unrecognized format ")
			got = append(got, strings.Trim(format, `"`))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", minor, got, want)
		}
	}
}
