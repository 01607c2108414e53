// Package crdsem says what a Kubernetes API server does to a custom resource, given its CustomResourceDefinition: the same object out,
// the same errors, the same costs. It needs no cluster and contains no server.
//
//	def, err := crdsem.Parse(crdYAML)       // read once; immutable, safe for concurrent use
//	v, err := def.Version("v1")             // compiled once
//	res := v.Create(ctx, object)            // also CreateBytes, Update, UpdateStatus, Patch, Read
//	res.Object, res.Pruned, res.Defaulted, res.Errors, res.Warnings
//
// # Order of operations
//
// What happens to the body of a request (package of each step in brackets):
//
//  1. It is decoded: case-sensitive keys, integers kept, duplicate keys noticed. kind and apiVersion must be strings.
//  2. Its metadata is read and written back; what ObjectMeta does not have goes.
//  3. Fields that the schema of the object's own version does not specify are removed [prune].
//  4. Nulls of fields that are not nullable and have no default are removed [defaulting].
//  5. The metadata of embedded resources is read and written back [prune].
//  6. Defaults are filled in [defaulting]. Steps 3 to 6 are one walk.
//  7. Unknown and duplicate fields are refused or warned of ([FieldValidation]), and the version must be that of the URL.
//  8. The object is prepared: on a create, what only the server sets is wiped, status too if it is a subresource, and the generation is 1;
//     on an update, what cannot change comes from the old object, and the generation grows if anything but metadata changed.
//  9. It is validated: type, metadata, values, scale; then embedded resources, list types [validation]; last the rules [celrules], unless
//     an error before makes the object unfit for them. On an update, errors of unchanged values are ratcheted.
//
// An object read from storage goes through steps 2 to 6 by the schema of its stored version, what is malformed being dropped; is converted
// [conversion]; and goes through steps 2 to 5 by the schema of the requested version.
//
// A patch changes the JSON of what is read so; the outcome goes through all steps as the body of an update does, but what step 1 to 7 refuse is then an
// error of the patch. A server-side apply goes from the merge (package merge) to step 8 ([Applied]).
//
// # Packages
//
//   - definition: the CustomResourceDefinition itself, decoded, defaulted and validated.
//   - structural: the schema model that all others work on, and its rules; structural/openapi: to and from OpenAPI, and what is published;
//     internal/normalize: the one walk of which prune and defaulting are the faces.
//   - prune, defaulting, validation, celrules, conversion, versionsort: one step each, on map[string]any, usable alone.
//   - celrules/library: the functions that rules can call; conversion/webhook: conversion webhooks on the network.
//   - merge: comparison, merge and server-side apply by list and map types.
//   - generate: objects, schemas and definitions made from a seed.
//
// # Terms
//
//   - object: map[string]any holding only map[string]any, []any, string, bool, int64, float64 and nil, as the decoder of a server makes it. A
//     nil map counts as an empty one, and so does a nil list. The facade refuses any other value, and what is nested too deep or in itself; the
//     packages of the chapters are for objects that went through it or a decoder.
//   - unknown field: one that the schema does not specify.
//   - stage: how far an object came: decode, invalid, admitted.
//   - provenance: what happened to a field on the way and which schema node caused it.
//   - ratcheted: said of an error that an update need not answer for, because the value did not change.
//
// # Specification
//
// Rules PIPE-001 to PIPE-040; https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/.
//
// # Deviations
//
// There is no admission (webhooks, policies), no field manager and no storage. metadata.uid and creationTimestamp of a new object
// stay empty, managedFields are left out but where a merge brings them ([Applied]), and a name made from generateName ends in 00000. On an update, the server reports errors of the metadata
// twice; they are reported once. An update without a resourceVersion takes the old object's, unless [RequireResourceVersion] is given. A patch is refused with 500
// where the server panics: a JSON patch that replaces or tests the whole without a value, tests a list that holds null, or adds to a copied null. Whether a
// test of an object panics or fails depends there on the order of a map; here keys are compared in byte order.
package crdsem
