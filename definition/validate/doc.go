// Package validate validates CustomResourceDefinition objects as the API server
// does on create and on update.
//
//	crd, strict, err := definition.Parse(data)
//	result := validate.Create(ctx, crd.ForCreate())
//	for _, err := range result.Errors {
//		...
//	}
//
// An error has the path of a field in the definition, the server's text, and
// the id of a rule of the specification in Origin, e.g. CRD-030.
//
// # Terms
//
//   - top level: before anything is checked, what all versions share moves to
//     the top of the spec. This decides the paths of errors:
//     spec.validation.openAPIV3Schema is the schema of all versions, e.g. of
//     the only one; spec.versions[0].schema.openAPIV3Schema occurs only if the
//     schemas differ.
//   - ratcheting: an update may keep what an older server accepted. Some rules
//     are off if the old definition breaks them, e.g. an unknown type stays
//     allowed.
//
// # Specification
//
// Rules CRD-020 to CRD-601 and CONV-050 to CONV-056;
// https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/.
//
// # Deviations
//
// Where the server's code panics, the error that it was about to report is
// reported. It panics for selectable fields and rule paths that go through a
// map of unspecified values, and for selectable fields of a schema that does
// not convert. Errors come in a fixed order where the server's order is random.
package validate
