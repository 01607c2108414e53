// Package source reads the objects of suites, and the fields of an object with
// the position of each mistake.
package source

import (
	"fmt"
	"iter"
	"os"

	"github.com/crdsem/crdsem/kit/manifest"
)

// maxFile is the maximum length in bytes of a file that is read as a whole.
const maxFile = 64 << 20

// ReadFile reads a file of bounded length.
func ReadFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", file)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: longer than %d MiB", file, maxFile>>20)
	}
	return os.ReadFile(file)
}

// All returns all objects, or the first error.
func All(objects iter.Seq2[manifest.Object, error]) ([]manifest.Object, error) {
	var all []manifest.Object
	for o, err := range objects {
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}
