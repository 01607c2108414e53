package schemapath

import "strings"

// moved maps paths of the server's internal form to those of a document of v1.
// Errors name paths of the internal form, in which what all versions share
// stands once, at the top of the spec.
var moved = []struct{ from, to string }{
	{"spec.validation", "spec.versions[0].schema"},
	{"spec.subresources", "spec.versions[0].subresources"},
	{"spec.additionalPrinterColumns", "spec.versions[0].additionalPrinterColumns"},
	{"spec.selectableFields", "spec.versions[0].selectableFields"},
	{"spec.version", "spec.versions[0].name"},
	{"spec.conversion.webhookClientConfig", "spec.conversion.webhook.clientConfig"},
	{
		"spec.conversion.conversionReviewVersions",
		"spec.conversion.webhook.conversionReviewVersions",
	},
}

// V1 returns the path that an error's field has in a document of
// apiextensions.k8s.io/v1. For example, spec.validation.openAPIV3Schema is
// spec.versions[0].schema.openAPIV3Schema there: fields that all versions share
// are fields of the spec only in v1beta1 and in the server's internal form
// (CRD-011). Other paths are returned as they are.
func V1(field string) string {
	for _, m := range moved {
		rest, found := strings.CutPrefix(field, m.from)
		if found && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return m.to + rest
		}
	}
	return field
}
