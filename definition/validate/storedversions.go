package validate

import "github.com/crdsem/crdsem/internal/belowstructural/crd"

// storedVersions checks status.storedVersions (CRD-110).
func (c *checker) storedVersions() {
	stored, versions := c.crd.Status.StoredVersions, c.crd.Spec.Versions
	c.add(crd.ValidateStoredVersions(stored, versions, c.profile)...)
}
