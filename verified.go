package crdsem

import (
	"runtime/debug"
	"slices"

	"github.com/crdsem/crdsem/internal/base/compared"
)

// Dependency is a module that answers of this library depend on, as the program
// links it.
type Dependency struct {
	// Path is the module, e.g. cel.dev/cel-go, and Version its version, e.g.
	// v0.33.2. Version is empty if it is not known, because the module is
	// replaced by a folder.
	Path    string `json:"path"`
	Version string `json:"version"`
	// Compared reports whether the answers with this version were compared with
	// those of the real code.
	Compared bool `json:"compared"`
}

// String returns the module and its version, e.g. `cel.dev/cel-go v0.33.2`, and
// says so if the version was not compared.
func (d Dependency) String() string {
	text := d.Path
	if d.Version != "" {
		text += " " + d.Version
	}
	if !d.Compared {
		text += " (not compared)"
	}
	return text
}

// Verified returns the modules that answers depend on, in the versions that the
// program links, and reports whether all of these versions were compared with
// the real code. Go links the highest version that any module of a program
// requires; a newer one than was compared may answer otherwise. The proof is to
// run the vectors with these versions:
//
//	go get -t github.com/crdsem/crdsem/conformance/...
//	go test github.com/crdsem/crdsem/conformance/...
//
// The list is empty, and the answer no, in a program that was built without
// modules.
func Verified() (linked []Dependency, ok bool) {
	info, known := debug.ReadBuildInfo()
	if !known {
		return nil, false
	}
	return verified(info)
}

func verified(info *debug.BuildInfo) (linked []Dependency, ok bool) {
	judged, ok := compared.Modules(), true
	for _, module := range info.Deps {
		if !slices.Contains(judged, module.Path) {
			continue
		}
		d := Dependency{Path: module.Path, Version: module.Version}
		if module.Replace != nil {
			d.Version = module.Replace.Version
		}
		d.Compared = (module.Replace == nil || module.Replace.Path == module.Path) &&
			compared.Has(d.Path, d.Version)
		ok = ok && d.Compared
		linked = append(linked, d)
	}
	return linked, ok && len(linked) > 0
}
