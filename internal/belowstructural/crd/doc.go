// Package crd represents CustomResourceDefinitions as they are written: the one
// form into which documents of v1 and v1beta1 are decoded, and from which
// structural schemas and definitions are built. The form is the API server's
// internal type, e.g. CustomResourceDefinitionSpec.Validation for the schema
// that all versions share.
//
// # Two decoders
//
// A document is decoded by one of two decoders:
//
//   - The fast reader (reader.go) fills the types of this package from the
//     shared nodes of the document (node.go), by the table of fields that the
//     types are (fields.go). A schema that a document has several times is read
//     once. The reader takes documents that are in order; it only reports that
//     a value has a wrong type, or that a field is unknown.
//   - The exact decoder (exact.go) decodes into types that equal the API
//     server's, of the packages v1 and v1beta1, with the server's JSON library.
//     It is the only one that knows the server's error texts and how duplicate
//     fields add up.
//
// The functions of decode.go try the fast reader first and hand over to the
// exact decoder whenever the reader is unsure.
// TestFastReaderAgreesWithExactDecoder and the oracle's tests of definitions
// hold that both give the same. docs/RATIONALE.md has the measurement that
// keeps the fast reader.
//
// # Specification
//
// Rules STR-002 to STR-007, CRD-001 and CRD-010 to CRD-013.
package crd
