// Package definition handles CustomResourceDefinition objects: it decodes and
// defaults them as the API server does, validates them as on create and on
// update, and compiles them into the model that serves their resources.
//
//	crd, strict, err := definition.Decode(data)
//	result := definition.Validate(ctx, crd.ForCreate())
//	model, err := definition.Compile(crd)
//
// Here strict has the errors about unknown and duplicate fields, and result has
// Errors and Warnings.
//
// There are three types for a definition, from its text to its use:
//
//   - [CRD] is the object as it was written, decoded and defaulted. It is
//     validated, and need not be valid.
//   - [Model] is what a CRD compiles to: names, versions, and the structural
//     schema of each version.
//   - crdsem.Definition, of the root package, serves requests with a Model. It
//     adds validators, rules and a converter.
//
// # Terms
//
//   - definition: a CustomResourceDefinition.
//   - top level: before anything is checked, what all versions share moves to
//     the top of the spec. This decides the paths of errors:
//     spec.validation.openAPIV3Schema is the schema of all versions, e.g. of
//     the only one; spec.versions[0].schema.openAPIV3Schema occurs only if the
//     schemas differ.
//   - ratcheting: an update may keep what an older server accepted. Some rules
//     are off if the old definition breaks them, e.g. an unknown type stays
//     allowed.
//   - strict decoding errors: unknown and duplicate fields. The server returns
//     them as warnings or rejects the request, as the request asks.
//
// # Specification
//
// Rules CRD-001 to CRD-601 and CONV-050 to CONV-056;
// https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/.
//
// # Deviations
//
// Where the server's code panics, the error that it was about to report is
// reported. It panics for selectable fields and rule paths that go through a
// map of unspecified values, and for selectable fields of a schema that does
// not convert. Errors come in a fixed order where the server's order is random.
package definition
