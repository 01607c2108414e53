package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/definition/validate"
)

// Of each segment of a webhook's path, everything that is wrong is reported
// (CRD-092).
func TestWebhookPath(t *testing.T) {
	const form = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
		"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},
		"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"service":{"name":"a","namespace":"b","path":%q}}}},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`
	crd := decode(t, fmt.Appendf(nil, form, "/a/"+strings.Repeat("-", 254)+"/B"))
	var got []string
	for _, err := range validate.Create(t.Context(), crd.ForCreate()).Errors {
		detail, _, _ := strings.Cut(err.Detail, " (")
		got = append(got, detail)
	}
	const named = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric " +
		"characters, '-' or '.', and must start and end with an alphanumeric character"
	want := []string{"segment[1]: must be no more than 253 characters", "segment[1]: " + named,
		"segment[2]: " + named}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
}
