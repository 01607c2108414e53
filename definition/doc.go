// Package definition is the CustomResourceDefinition object itself: decoded and defaulted as the API server does, validated as on
// create and on update, and compiled into the model that everything done to custom resources starts from.
//
//	crd, strict, err := definition.Decode(data) // strict: unknown and duplicate fields
//	result := definition.Validate(crd.ForCreate()) // result.Errors, result.Warnings
//	def, err := definition.Compile(crd)
//
// # Terms
//
//   - definition: a CustomResourceDefinition.
//   - top level: what all versions have in common is moved to the top of the spec before anything is checked. This decides
//     the paths of errors: spec.validation.openAPIV3Schema for one version's schema, spec.versions[0].schema.openAPIV3Schema only if schemas differ.
//   - ratcheting: an update may keep what an older server accepted; some rules are off when the old definition breaks them.
//   - strict decoding errors: unknown and duplicate fields, which the server tells as warnings or refuses, as the request says.
//
// # Specification
//
// Rules CRD-001 to CRD-601 and CONV-050 to CONV-056;
// https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/.
//
// # Deviations
//
// Where the server's code panics (selectable fields or rule paths that go through a map of unspecified values, selectable fields of a schema that
// does not convert), the error that it was about to report is reported. Errors come in a fixed order where the server's order is random.
package definition
