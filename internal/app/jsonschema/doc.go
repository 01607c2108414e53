// Package jsonschema converts structural schemas to JSON Schema, draft-07, for
// editors and validators that read no definitions.
//
//	schema := jsonschema.Of(version.Schema(), kind) // to be encoded as JSON
//	name := jsonschema.File(kind)                   // example.com/crontab_v1.json
//
// # Terms
//   - strict: fields that a server would prune are errors, as for kubectl
//     apply. It is the default.
//   - layout: the names of files that kubeconform, yaml-language-server and
//     catalogs of such schemas use: GROUP/kind_version.json.
//
// # What a request may leave out
//
// A schema is about what a client sends, and not about what a server stores. A
// field with a default is therefore not required. A null is accepted where the
// server drops it: in a field that has no `nullable` and is not required.
//
// # Deviations
//
// JSON Schema cannot say everything that a server checks. A schema accepts
// these, and its descriptions name the first two:
//
//   - rules in CEL, and keys of list-maps that occur twice;
//   - values of defaults that a junctor refuses: a schema fills in nothing;
//   - metadata that is invalid by its content, e.g. a name with capitals;
//   - with [DropStatus], unknown fields of the status.
//
// Programs read formats and patterns differently: Go and JavaScript have
// different regular expressions. A server counts lengths in characters.
package jsonschema
