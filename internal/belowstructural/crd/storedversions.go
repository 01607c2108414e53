package crd

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// AddStorageVersion returns status.storedVersions after a write of a definition
// with the given versions: the name of the first storage version is appended if
// it is missing (CRD-013). stored is not changed.
func AddStorageVersion(stored []string, versions []CustomResourceDefinitionVersion) []string {
	isStorage := func(v CustomResourceDefinitionVersion) bool { return v.Storage }
	at := slices.IndexFunc(versions, isStorage)
	if at < 0 || slices.Contains(stored, versions[at].Name) {
		return stored
	}
	return append(slices.Clip(stored), versions[at].Name)
}

// ValidateStoredVersions checks status.storedVersions: it names the storage
// version, and every version that it names is still in spec.versions (CRD-110).
func ValidateStoredVersions(
	stored []string, versions []CustomResourceDefinitionVersion, p *profile.Profile,
) (errs field.ErrorList) {
	path := field.NewPath("status", "storedVersions")
	if len(stored) == 0 {
		err := field.Invalid(path, stored, "must have at least one stored version")
		return field.ErrorList{err.WithOrigin("CRD-110")}
	}
	last := map[string]int{}
	for i, name := range stored {
		last[name] = i
	}
	known := map[string]bool{}
	for _, v := range versions {
		// The server removes each version that it has found from its list of
		// stored versions, so a second storage version of the same name counts
		// as missing.
		if _, ok := last[v.Name]; v.Storage && (!ok || known[v.Name]) {
			detail := "must have the storage version " + v.Name
			errs = append(errs, field.Invalid(path, stored, detail).WithOrigin("CRD-110"))
		}
		known[v.Name] = true
	}
	for i, name := range stored {
		if !known[name] && last[name] == i {
			detail := "must appear in spec.versions"
			if p.StoredVersionReasons {
				detail = fmt.Sprintf(missingVersion, name)
			}
			errs = append(errs, field.Invalid(path.Index(i), name, detail).WithOrigin("CRD-110"))
		}
	}
	return errs
}

// missingVersion is the detail of the error for a stored version that
// spec.versions lacks.
const missingVersion = "missing from spec.versions; %[1]s was previously a storage version, " +
	"and must remain in spec.versions until a storage migration ensures " +
	"no data remains persisted in %[1]s and removes %[1]s from status.storedVersions"
