package schemapath_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/base/schemapath"
)

func TestV1(t *testing.T) {
	for field, want := range map[string]string{
		"spec.validation":                           "spec.versions[0].schema",
		"spec.validation.openAPIV3Schema.type":      "spec.versions[0].schema.openAPIV3Schema.type",
		"spec.additionalPrinterColumns[1].jsonPath": "spec.versions[0].additionalPrinterColumns[1].jsonPath",
		"spec.version":                              "spec.versions[0].name",
		"spec.versions[0].name":                     "spec.versions[0].name",
		"spec.conversion.webhookClientConfig.url":   "spec.conversion.webhook.clientConfig.url",
		"spec.subresources.scale":                   "spec.versions[0].subresources.scale",
		"spec.selectableFields[0]":                  "spec.versions[0].selectableFields[0]",
		"spec.conversion.conversionReviewVersions":  "spec.conversion.webhook.conversionReviewVersions",
		"spec.conversion.webhook":                   "spec.conversion.webhook",
		"spec.validations":                          "spec.validations",
		"":                                          "",
	} {
		if got := schemapath.V1(field); got != want {
			t.Errorf("V1(%q) = %q, want %q", field, got, want)
		}
	}
}
