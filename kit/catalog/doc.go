// Package catalog holds the definitions of a program, and finds the one of an
// object.
//
//	crds := catalog.New()
//	_, err := crds.ReadFiles("config/crd")
//	...
//	for object, err := range manifest.Objects(manifest.Find([]string{"app.yaml"}, nil)) {
//		...
//		v, err := crds.Version(object.Content) // err: *manifest.UnknownKindError
//		...
//		err = v.Create(ctx, object.Content).Err()
//	}
//
// Package manifest reads files and folders, and finds values other than
// definitions by the kind of an object.
//
// # Definitions that occur twice
//
// Two definitions are the same if they are of one kind, or of one plural name
// in one group. The later one counts, as on a server to which both are applied.
// What reads or adds definitions returns a [Duplicate] for each that was
// replaced, for the caller to warn of. The command warns of them, and tests,
// servers and fleets take the later definition as well.
//
// # Concurrency
//
// A [Catalog] is safe for concurrent use, also while definitions are added and
// removed. Reading takes no lock. A reader sees a definition that is replaced
// either before or after the change.
package catalog
