package crd

import (
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

func decodeForTest(t *testing.T, text string) *CustomResourceDefinition {
	t.Helper()
	d, strict, err := DecodeDefinition([]byte(text), profile.Latest())
	if err != nil || len(strict) > 0 {
		t.Fatal(strict, err)
	}
	return d
}

// What all versions share moves to the top: schemas, subresources, columns and
// selectable fields each by themselves (CRD-011).
func TestHoisting(t *testing.T) {
	d := decodeForTest(t, `{"spec":{"versions":[
		{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","required":[]}},"subresources":{"status":{}},"selectableFields":[{"jsonPath":".a"}]},
		{"name":"v2","schema":{"openAPIV3Schema":{"type":"object"}},"selectableFields":[{"jsonPath":".b"}]}]}}`)
	spec := d.Spec
	v1, v2 := spec.Versions[0], spec.Versions[1]
	if spec.Version != "v1" || spec.Validation == nil || v1.Schema != nil || v2.Schema != nil {
		t.Errorf("the schemas differ only in an empty list and did not move: %+v", spec)
	}
	if spec.Subresources != nil || spec.Versions[0].Subresources == nil {
		t.Errorf("the subresources differ but moved: %+v", spec)
	}
	if spec.SelectableFields != nil || len(spec.Versions[1].SelectableFields) != 1 {
		t.Errorf("the selectable fields differ but moved: %+v", spec)
	}
}

// Numbers of different Go types differ. Empty and absent lists are equal.
func TestSemanticEqual(t *testing.T) {
	schema := func(text string) *JSONSchemaProps {
		s, err := DecodeSchema([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{`{"required":[],"properties":{},"default":{"a":[]}}`, `{"default":{"a":[]}}`, true},
		{`{"default":1}`, `{"default":1.0}`, false},
		{`{"default":{"a":null}}`, `{"default":{}}`, false},
		{`{"properties":{"a":{"type":"string"}}}`, `{"properties":{"b":{"type":"string"}}}`, false},
		{`{"maximum":1}`, `{"maximum":1.0}`, true},
		{`{"maximum":1}`, `{}`, false},
		{`{"enum":[1]}`, `{"enum":[1,2]}`, false},
	} {
		if got := SemanticEqual(schema(tc.a), schema(tc.b)); got != tc.want {
			t.Errorf("%s and %s: %v", tc.a, tc.b, got)
		}
	}
}

// The version of the document decides the defaults (CRD-010).
func TestDefaults(t *testing.T) {
	d := decodeForTest(t, `{"spec":{"names":{"kind":"Foo"},"versions":[{"name":"v1"},{"name":"v2","storage":true}],"conversion":{"webhook":{"clientConfig":{"service":{}}}}}}`)
	if n := d.Spec.Names; n.Singular != "foo" || n.ListKind != "FooList" {
		t.Errorf("names %+v", n)
	}
	if !slices.Equal(d.Status.StoredVersions, []string{"v2"}) {
		t.Errorf("stored versions %v", d.Status.StoredVersions)
	}
	if port := d.Spec.Conversion.WebhookClientConfig.Service.Port; port != 443 {
		t.Errorf("port %d", port)
	}
	if d.Spec.Scope != "" || *d.Spec.PreserveUnknownFields {
		t.Errorf("v1 defaults no scope and prunes: %+v", d.Spec)
	}
	beta := decodeForTest(t, `{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"version":"v1","conversion":{"strategy":"Webhook"}}}`)
	s := beta.Spec
	if s.Scope != NamespaceScoped || !*s.PreserveUnknownFields || len(s.Versions) != 1 {
		t.Errorf("v1beta1 defaults: %+v", s)
	}
	reviews := s.Conversion.ConversionReviewVersions
	if !slices.Equal(reviews, []string{"v1beta1"}) {
		t.Errorf("v1beta1 review versions: %v", reviews)
	}
}
