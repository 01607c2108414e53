// Package manifest reads manifests and locates their fields. A manifest is a
// YAML or JSON text of Kubernetes objects, e.g. a file that kubectl applies.
//
//	for doc, err := range manifest.Read("app.yaml", file) {
//		...                                   // err: a document that cannot be read
//		object, strict, err := doc.Object()   // as the API server decodes it
//		...
//		doc.Find("spec.replicas").Value       // app.yaml:12:13
//		doc.Locate(finding)                   // the position of a *field.Error
//	}
//
// # Terms
//
//   - document: one object of a manifest. The documents of YAML are separated
//     by lines that start with ---, those of JSON follow each other.
//   - list: a document that holds other objects in its field items, e.g. of
//     kind List, as kubectl prints several objects. [Document.Items] opens it.
//   - path: a field as errors name it, e.g. spec.versions[0].name or
//     metadata.annotations[example.com/owner].
//   - position: a file, a line and a column. Lines end with a line feed. A
//     column counts characters, not bytes.
//
// # Costs
//
// [Read] holds one document at a time, and [ReadObjects] one object, also of a
// list of any length. Decoding does not record positions: a document is read a
// second time when it is first asked for one.
//
// # Deviations
//
// Positions need a YAML library that keeps them. It reads YAML 1.2, and the
// server YAML 1.1. Where it cannot read a document that the server reads, every
// position is that of the document.
package manifest
