package conversion

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/crd"
)

// Version is what a CRD says of one of its versions.
type Version struct {
	Name string
	// Served versions are offered by the API server.
	Served bool
	// Storage marks the version in which objects are written to storage; exactly one is.
	Storage bool
}

// Revision is a state of a CRD.
type Revision struct {
	Versions []Version
	// Stored is status.storedVersions: every version that objects in storage may have.
	Stored []string
}

// Lifecycle is what a change of a CRD means for stored objects.
type Lifecycle struct {
	// Stored is the status.storedVersions that the server records.
	Stored []string
	// Refused holds the server's errors; the change is not made if there are any.
	Refused field.ErrorList
	// Migrate lists the versions, besides the storage version, that objects in storage may still have.
	Migrate []string
	// Steps tell how to get rid of the versions in Migrate, in order; none if there is nothing to do.
	Steps []string
}

// Next tells what the server does with status.storedVersions when a CRD, old, is replaced by a revision with the given versions; a nil old means
// that the CRD is created. The server alone writes the field on these occasions, whatever the manifest says; the status subresource
// can shorten it. Nothing is changed (CRD-013, CRD-110).
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
	l.Refused = crd.ValidateStoredVersions(l.Stored, spec)
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

// steps is the procedure of the Kubernetes documentation for upgrading stored objects.
func steps(l Lifecycle, versions []Version, current string) []string {
	if len(l.Migrate) == 0 {
		return nil
	}
	old := strings.Join(l.Migrate, ", ")
	var list []string
	if len(l.Refused) > 0 {
		list = append(list, fmt.Sprintf("Keep %s in spec.versions, with served: false if nobody is to use it, until the steps below are done.", old))
	}
	list = append(list,
		fmt.Sprintf("Apply the CRD with %s as the storage version; status.storedVersions is then %s.", current, strings.Join(l.Stored, ", ")),
		fmt.Sprintf("Rewrite every existing object: run the storage version migrator, or list all objects and write each back unchanged. "+
			"The server then stores them as %s.", current),
		fmt.Sprintf("Remove %s from status.storedVersions through the status subresource.", old))
	for _, name := range l.Migrate {
		if slices.ContainsFunc(versions, func(v Version) bool { return v.Name == name && v.Served }) {
			list = append(list, fmt.Sprintf("When no client uses %s any more, set served: false for it.", name))
		}
	}
	return append(list, fmt.Sprintf("Remove %s from spec.versions, and from the conversion webhook.", old))
}
