package validate

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// approval checks the annotation of a definition in a protected group
// (CRD-120). An update that does not change its state passes (CRD-121).
func (c *checker) approval(old *crd.CustomResourceDefinition) {
	if !crd.IsProtected(c.crd.Spec.Group) {
		return
	}
	state, text := crd.ApprovalOf(c.crd)
	if old != nil {
		if was, _ := crd.ApprovalOf(old); was == state {
			return
		}
	}
	path := field.NewPath("metadata", "annotations").Key(crd.ApprovalAnnotation)
	switch state {
	case crd.ApprovalMissing:
		c.required("CRD-120", path, crd.ApprovalMissed)
	case crd.ApprovalInvalid:
		c.invalid("CRD-120", path, text, crd.ApprovalMalformed)
	case crd.Approved, crd.ApprovalBypassed:
	}
}
