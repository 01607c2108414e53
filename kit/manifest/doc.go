// Package manifest reads manifests in files, folders and pipes, locates their
// fields, and finds what belongs to the kind of an object. A manifest is a YAML
// or JSON text of Kubernetes objects, e.g. a file that kubectl applies.
//
// [Find] and [Objects] read the objects that some paths name:
//
//	for object, err := range manifest.Objects(manifest.Find([]string{"app/"}, os.Stdin)) {
//		...                                  // err: of one object or file
//		object.Content                       // as the API server decodes it
//		object.Find("spec.replicas").Value   // app/web.yaml:12:13
//		object.Locate(finding)               // the position of a *field.Error
//	}
//
// [Read] yields the documents of one text before they are decoded, and [Parse]
// its objects. [Kinds] finds a value by the kind of an object:
//
//	var all manifest.Kinds[*crdsem.Definition]
//	all.Add(manifest.NamesOf(crd), def)
//	def, err := all.Of(object.Content) // err: *UnknownKindError, with what was meant
//
// # Terms
//
//   - source: a file, a pipe or the standard input. Find returns those that
//     some paths name.
//
//   - document: one object of a manifest. The documents of YAML are separated
//     by lines that start with ---, those of JSON follow each other.
//
//   - list: a document that holds other objects in its field items, e.g. of
//     kind List, as kubectl prints several objects. [Document.Items] opens it.
//
//   - path: a field as errors name it, e.g. spec.versions[0].name or
//     metadata.annotations[example.com/owner].
//
//   - position: a file, a line and a column. Lines end with a line feed. A
//     column counts characters, not bytes.
//
//   - object: a decoded document of a source, or an item of a list in it.
//
//   - type: what an object says that it is, e.g. stable.example.com/v1 CronTab.
//
//   - names: the group, kind and plural name that a definition asks for.
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
