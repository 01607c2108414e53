package definition

import "github.com/crdsem/crdsem/internal/base/schemapath"

// V1Path returns the path that an error's field has in a document of
// apiextensions.k8s.io/v1. For example, spec.validation.openAPIV3Schema is
// spec.versions[0].schema.openAPIV3Schema there: fields that all versions share
// are fields of the spec only in v1beta1 and in the server's internal form
// (CRD-011). Other paths are returned as they are.
func V1Path(field string) string { return schemapath.V1(field) }
