package conversion

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Version is one version of a CRD.
type Version struct {
	Name string
	// Served versions are offered by the API server.
	Served bool
	// Storage marks the version in which objects are written to storage.
	// Exactly one version has it.
	Storage bool
}

// Revision is a state of a CRD, as far as its stored objects are concerned.
type Revision struct {
	Versions []Version
	// Stored is status.storedVersions: all versions in which objects may be
	// stored.
	Stored []string
}

// Lifecycle describes what a change of a CRD means for stored objects.
type Lifecycle struct {
	// Stored is the status.storedVersions that the server records.
	Stored []string
	// Refused has the server's errors. If there are any, the change is not
	// made.
	Refused field.ErrorList
	// Migrate has the versions other than the storage version in which objects
	// may still be stored.
	Migrate []string
	// Steps are instructions to remove the versions in Migrate, in order. They
	// are empty if Migrate is.
	Steps []string
}

// Next returns what happens to status.storedVersions when the CRD old is
// replaced by a revision with the given versions, or created if old is nil
// (CRD-013, CRD-110). The server writes the field itself then and ignores the
// field of the manifest. Only an update of the status subresource can remove
// versions from it. The arguments are not changed.
func Next(old *Revision, versions []Version) Lifecycle {
	var l Lifecycle
	if old != nil {
		l.Stored = slices.Clone(old.Stored)
	}
	spec := make([]crd.CustomResourceDefinitionVersion, len(versions))
	for i, v := range versions {
		spec[i].Name, spec[i].Storage = v.Name, v.Storage
	}
	l.Stored = crd.AddStorageVersion(l.Stored, spec)
	l.Refused = crd.ValidateStoredVersions(l.Stored, spec, profile.Latest())
	storage := slices.IndexFunc(versions, func(v Version) bool { return v.Storage })
	if storage < 0 {
		return l
	}
	current := versions[storage].Name
	for _, name := range l.Stored {
		if name != current && !slices.Contains(l.Migrate, name) {
			l.Migrate = append(l.Migrate, name)
		}
	}
	l.Steps = steps(l, versions, current)
	return l
}

// steps returns the procedure of the Kubernetes documentation for upgrading
// stored objects.
func steps(l Lifecycle, versions []Version, current string) []string {
	if len(l.Migrate) == 0 {
		return nil
	}
	old := strings.Join(l.Migrate, ", ")
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if len(l.Refused) > 0 {
		add("Keep %s in spec.versions, with served: false if nobody is to use it, "+
			"until the steps below are done.", old)
	}
	add("Apply the CRD with %s as the storage version; status.storedVersions is then %s.",
		current, strings.Join(l.Stored, ", "))
	add("Rewrite every existing object: run the storage version migrator, or list all objects "+
		"and write each back unchanged. The server then stores them as %s.", current)
	add("Remove %s from status.storedVersions through the status subresource.", old)
	for _, name := range l.Migrate {
		isServed := func(v Version) bool { return v.Name == name && v.Served }
		if slices.ContainsFunc(versions, isServed) {
			add("When no client uses %s any more, set served: false for it.", name)
		}
	}
	add("Remove %s from spec.versions, and from the conversion webhook.", old)
	return list
}
