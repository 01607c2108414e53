package definition

import "github.com/crdsem/crdsem/internal/belowstructural/crd"

// addStorageVersion adds the storage version to status.storedVersions, as the
// server does whenever a definition is written (CRD-013).
func addStorageVersion(object *crd.CustomResourceDefinition) {
	status := &object.Status
	status.StoredVersions = crd.AddStorageVersion(status.StoredVersions, object.Spec.Versions)
}
