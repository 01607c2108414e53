// Package catalog finds the definition of an object: by group and kind, for
// objects in files, folders and streams.
//
//	crds := catalog.New()
//	_, err := crds.ReadFiles("config/crd")
//	...
//	for object, err := range catalog.Objects(catalog.Find([]string{"app.yaml"}, nil)) {
//		...
//		v, err := crds.Version(object.Content) // err: *UnknownKindError
//		...
//		err = v.Create(ctx, object.Content).Err()
//	}
//
// # Terms
//
//   - source: a file, a pipe or the standard input. [Find] returns those that
//     some paths name.
//   - object: a document of a source, or an item of a list in it.
//   - type: what an object says that it is, e.g. stable.example.com/v1 CronTab.
//
// # Definitions that occur twice
//
// Two definitions are the same if they are of one kind, or of one plural name
// in one group. The later one counts, as on a server to which both are applied.
// What reads or adds definitions returns a [Duplicate] for each that was
// replaced, for the caller to warn of or to refuse.
//
// # Concurrency
//
// A [Catalog] and [Kinds] are safe for concurrent use, also while definitions
// are added and removed. Reading takes no lock. A reader sees a definition that
// is replaced either before or after the change.
package catalog
