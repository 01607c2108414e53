// Package definition reads CustomResourceDefinition objects: it decodes and
// defaults them as the API server does, and compiles them into the model that
// serves their resources, with the structural schema of each version. Package
// definition/validate validates them. This package links no CEL.
//
//	crd, strict, err := definition.Parse(data)
//	model, err := definition.Compile(crd)
//	schema := model.Version("v1").Schema()
//
// Here strict has the errors about unknown and duplicate fields.
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
//   - strict decoding errors: unknown and duplicate fields. The server returns
//     them as warnings or rejects the request, as the request asks.
//
// # Specification
//
// Rules CRD-001 to CRD-601 and CONV-050 to CONV-056;
// https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/.
package definition
