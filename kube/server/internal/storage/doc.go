// Package storage keeps objects in memory, as etcd does for an API server.
//
// # Terms
//
//   - collection: the objects of one resource, e.g. deployments of apps. Each
//     has a lock of its own.
//   - revision: the number of a write. It is the resourceVersion of the object
//     that was written. All collections of a store count together.
//   - event: a write as a watch sees it.
//   - content: the fields of an object. A collection keeps the JSON of its
//     objects, which is less, and the content of those that were written or
//     read last.
//
// # Bounds
//
// A collection keeps its last 1000 events. An older state cannot be read, and a
// watch cannot begin there. The content is kept of 4 MiB of JSON.
package storage
