// Package dom represents documents as trees of shared nodes: equal parts of a
// document are one node. A CustomResourceDefinition repeats itself, e.g. the
// schema of a container's `resources`, and so each distinct part is read once.
//
// A Builder makes the nodes of a document, from a value or from the parts that
// a reader finds. Nodes are immutable afterwards.
package dom
