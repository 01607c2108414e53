// Package metadata coerces and validates the metadata of custom resources and
// of the resources embedded in them.
//
// The API server reads the metadata of every resource into its Go type
// ObjectMeta and writes it back. Unknown and empty fields vanish, and times are
// written again. Values of a wrong type are an error, or are dropped if the
// object comes from storage. This package has the same results on plain maps,
// without the type:
//
//   - fields.go: tables that describe the fields of ObjectMeta.
//   - normal.go: a check against the tables that metadata is in normal form. It
//     allocates nothing, and nearly all metadata passes it.
//   - coerce.go, decode.go, jsontext.go: metadata that is not in normal form is
//     decoded into a new map.
//   - validate.go, entries.go, names.go: validation of metadata in normal form.
//
// The package handles one resource: an object with apiVersion, kind and
// metadata. The caller finds the embedded resources of an object by its schema.
// Errors and paths are relative to the resource, and [At] moves them to its
// place.
//
// # Terms
//
//   - normal form: reading the metadata into ObjectMeta and writing it back
//     changes nothing.
//   - mode: Strict or Drop. A request is rejected if its metadata does not
//     decode (Strict). A stored object loses the fields that do not decode
//     (Drop).
//   - decoder path: the place of an unknown field as the server's JSON decoder
//     writes it, e.g. ownerReferences[0].extra.
//
// # Specification
//
// Rules META-001 to META-032, and
// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/.
//
// # Deviations
//
// Where the server visits the keys of a map at random, this package visits them
// in sorted order. [ValidateCreate] and [ValidateUpdate] reject metadata that
// was not coerced and does not decode, with the text of the JSON decoder.
package metadata
