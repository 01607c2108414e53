// Package metadata coerces and validates the metadata of custom resources and of the resources embedded in them.
//
// The API server reads every resource's metadata into its ObjectMeta type and writes it back: unknown fields vanish, empty fields
// vanish, times are re-rendered, values of a wrong type are an error (or are dropped when the object comes from storage). This package
// gives the same results on plain maps, without the type: a table describes the fields of ObjectMeta, one walker checks
// metadata against it without allocating, and only metadata that is not yet in its normal form is rebuilt, into a new map.
//
// It works at one resource: an object with apiVersion, kind and metadata. Finding the embedded resources of an object takes a schema and is
// done by the caller, who also knows where the resource lies: errors and paths are relative to the resource and are moved with
// [At].
//
// # Terms
//
// A resource is in normal form when reading it into ObjectMeta and writing it back changes nothing.
// Strict and Drop are the two modes: a request is refused when its metadata does not decode; a stored object loses the fields that do
// not decode. A decoder path says where an unknown field is, as the server's JSON decoder spells it: ownerReferences[0].extra.
//
// # Specification
//
// Rules META-001 to META-032, and https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/.
//
// # Deviations
//
// Where the server visits the keys of a map at random, this package goes in sorted order. Metadata that reaches [ValidateCreate] or
// [ValidateUpdate] without having been coerced, and does not decode, is refused with the JSON decoder's text.
package metadata
