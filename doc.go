// Package crdsem says what a Kubernetes API server does to a custom resource,
// given its CustomResourceDefinition: the same object, the same errors and the
// same CEL costs. It needs no cluster and contains no server code.
//
//	def, err := crdsem.Parse(crdYAML)  // read once; safe for concurrent use
//	v, err := def.Version("v1")        // compiled once
//	res := v.Do(ctx, crdsem.Request{Verb: crdsem.VerbUpdate, Object: object, Old: old})
//	if err := res.Err(); err != nil {  // nil if and only if admitted
//		...
//	}
//	res.Object, res.Pruned, res.Defaulted, res.Findings(), res.Warnings
//
// A [Request] has all that a request can have. [Version.Create] and the other
// methods named after a verb are one line each over [Version.Do]. [Decode]
// makes the object of JSON or YAML.
//
// # Packages
//
// Seven packages each do one step alone, on map[string]any:
//
//   - structural: the schema model that the others work on, and the rules of
//     structural schemas.
//   - prune: removes the fields that a schema does not specify.
//   - defaulting: removes nulls and fills in defaults.
//   - validation: validates values: keywords, formats, list types, ratcheting.
//   - celrules: compiles and evaluates x-kubernetes-validations.
//     celrules/check: the rules of a definition, and their costs.
//     celrules/policy: the expressions of webhooks and admission policies.
//   - versionsort: orders versions by priority.
//   - conversion: converts between versions. conversion/webhook: conversion
//     webhooks on the network.
//
// What else makes them a server:
//
//   - definition: reads a CustomResourceDefinition and compiles its model.
//     definition/validate: validates it as on create and on update.
//   - objectmeta: coerces and validates the metadata of embedded resources.
//   - merge: compares and merges by list and map types, with field managers.
//     merge/apply: server-side apply for this package.
//   - minors: the supported minors of Kubernetes, and what changed in each.
//   - this package, the facade: puts the steps into the order of a request.
//
// All of them take the same options of package structural: Kubernetes selects
// the minor, InCache a cache. The verb of a function says what it takes: Parse
// takes bytes, FromMap a decoded document, and Read files.
//
// The folder kit has what stands on top: files, test suites, generated objects,
// upgrades, hints.
//
// # Order of operations
//
// The body of a request goes through nine steps. The packages in parentheses do
// the same alone.
//
//  1. It is decoded: keys are case-sensitive, integers are kept, duplicate keys
//     are noticed. kind and apiVersion must be strings.
//  2. Its metadata is read and written back. Fields that ObjectMeta does not
//     have are removed.
//  3. Fields that the schema of the object's own version does not specify are
//     removed (package [prune]).
//  4. Nulls of fields that are not nullable and have no default are removed
//     (package [defaulting]).
//  5. The metadata of embedded resources is read and written back
//     (package [objectmeta]).
//  6. Defaults are filled in (package [defaulting]). Steps 3 to 6 are one walk.
//  7. Unknown and duplicate fields are refused or warned of
//     ([Request.FieldValidation]). The version must be that of the URL.
//  8. The object is prepared. On a create, fields that only the server sets are
//     removed, and so is the status if it is a subresource; the generation
//     becomes 1. On an update, fields that cannot change come from the old
//     object, and the generation grows if anything but metadata changed.
//  9. It is validated: type, metadata, values, scale; then embedded resources
//     and list types (package [validation]); last the rules (package
//     [celrules]), unless an earlier error makes the object unfit for them. On
//     an update, errors of unchanged values are ratcheted.
//
// A stored object is read in two parts. By the schema of its stored version it
// goes through steps 2 to 6, where malformed metadata is removed. Then it is
// converted (package [conversion]), and goes through steps 2 to 5 by the schema
// of the requested version.
//
// A patch is applied to the JSON of the object as read. The patched document
// goes through all steps like the body of an update. Errors of steps 1 to 7 are
// reported as errors of the patch.
//
// A server-side apply merges the configuration into the object as read, and
// goes on with step 8 ([Version.Apply]).
//
// # Terms
//
//   - object: a map[string]any that holds only map[string]any, []any, string,
//     bool, int64, float64 and nil, as the server's decoder makes it, e.g.
//     map[string]any{"kind": "CronTab", "spec": map[string]any{"replicas":
//     int64(3)}}. A nil map is an empty one, and so is a nil list; in a result
//     they stay nil, which encoding/json writes as null. This package refuses
//     other values and objects that are nested too deep; the packages of single
//     steps expect objects that it or a decoder has checked.
//   - unknown field: a field that the schema does not specify.
//   - stage: how far a request got, e.g. admitted.
//   - provenance: what happened to a field on the way, and the schema node that
//     caused it.
//   - ratcheted: an error that does not fail an update, because the value did
//     not change.
//   - strategy: how a create, an update or an update of the status prepares and
//     validates an object.
//
// # Bounds
//
// Requests end with their context in validation, in rules, in a server-side
// apply, and between the operations of a JSON patch; other steps run to their
// end, in time linear in the request. They take about as long as the server's
// code, and memory in proportion to the request: some 30 times a body in YAML,
// up to 200 times one that is full of flow collections. A body of more than 3
// MiB is refused, as by a server; definitions and objects that are given as Go
// values have no limit.
//
// What does not grow in proportion is bounded: the defaults of an object
// ([DefaultsMemory]), its findings (validation.FindingsMemory and
// celrules.FindingsMemory, then they end), the paths of what was changed
// ([Result.Omitted]), the texts of one refusal (32 MiB, then they are left
// out), the regular expressions that a definition keeps (64 MiB), the copies of
// a JSON patch. [Request.MaxFindings] bounds the lists of a result further.
//
// # Specification
//
// Rules PIPE-001 to PIPE-040;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/.
//
// Every error names its rule: a finding of validation by its Origin
// ([Result.Findings]), any other answer by Rule of [StatusError]. The rules are
// in the folder conformance/spec.
//
// # Deviations
//
// There is no admission (webhooks, policies) and no storage. Field managers are
// tracked by [Version.Apply] only: every other request leaves managedFields
// out. metadata.uid and creationTimestamp of a new object stay empty, and a
// name made from generateName ends in 00000.
//
// On an update, the server reports errors of the metadata up to three times;
// here each is reported once. The resourceVersion is not looked at, so that
// objects may be read from a server: an update without one takes the old
// object's. The server's rule is [RequireResourceVersion].
//
// A patch is refused with 500 where the server panics: a JSON patch that
// replaces or tests the whole document without a value, tests a list that holds
// null, or adds to a copied null. Whether a test of an object panics or fails
// depends on the order of a map in the server; here keys are compared in byte
// order.
package crdsem
