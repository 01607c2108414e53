// Package judge judges the documents of manifests: it checks definitions and
// sends objects to them. It returns results with the places of findings.
//
// # Terms
//
//   - definition: a CustomResourceDefinition among the documents.
//   - refused definition: one that the server would not accept. Objects of its
//     kind are not judged, unless that is forced.
package judge
