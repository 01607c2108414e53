package definition

import "github.com/crdsem/crdsem/internal/belowstructural/crd"

// storedVersions checks status.storedVersions (CRD-110).
func (c *checker) storedVersions() {
	stored, versions := c.crd.Status.StoredVersions, c.crd.Spec.Versions
	c.add(crd.ValidateStoredVersions(stored, versions, c.profile)...)
}

// addStorageVersion adds the storage version to status.storedVersions, as the
// server does whenever a definition is written (CRD-013).
func addStorageVersion(object *crd.CustomResourceDefinition) {
	status := &object.Status
	status.StoredVersions = crd.AddStorageVersion(status.StoredVersions, object.Spec.Versions)
}
