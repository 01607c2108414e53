// Package files reads the objects in files, folders, pipes and the standard
// input.
//
//	for object, err := range files.Objects(files.Find([]string{"app/"}, os.Stdin)) {
//		...                            // err: of one object or source
//		object.Content                 // as the API server decodes it
//		object.Find("spec.replicas")   // its places
//	}
//
// # Terms
//
//   - source: a file, a pipe or the standard input. [Find] returns those that
//     some paths name.
//   - object: a document of a source, or an item of a list in it.
package files
