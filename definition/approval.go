package definition

import (
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// approvalAnnotation records that the Kubernetes community approved an API in
// one of its groups.
const approvalAnnotation = "api-approved.kubernetes.io"

// approvalState is the meaning of the annotation's value.
type approvalState uint8

const (
	approvalMissing approvalState = iota
	approved
	approvalBypassed
	approvalInvalid
)

// isProtected reports whether a group belongs to the Kubernetes community, e.g.
// apps.k8s.io.
func isProtected(group string) bool {
	for _, owned := range [...]string{"k8s.io", "kubernetes.io"} {
		if group == owned || strings.HasSuffix(group, "."+owned) {
			return true
		}
	}
	return false
}

// Error texts for definitions in protected groups.
const (
	approvalRequired  = `protected groups must have approval annotation "api-approved.kubernetes.io"`
	approvalSee       = `, see https://github.com/kubernetes/enhancements/pull/1111`
	approvalMissed    = approvalRequired + approvalSee
	approvalMalformed = approvalRequired + ` with either a URL or a reason starting with "unapproved"` + approvalSee
)

// approvalOf returns the state and the value of the annotation.
func approvalOf(crd *crd.CustomResourceDefinition) (approvalState, string) {
	annotations, _ := crd.Metadata["annotations"].(map[string]any)
	text, _ := annotations[approvalAnnotation].(string)
	switch {
	case text == "":
		return approvalMissing, text
	case strings.HasPrefix(text, "unapproved"):
		return approvalBypassed, text
	}
	if at, err := url.ParseRequestURI(text); err != nil || at.Host == "" || at.Scheme == "" {
		return approvalInvalid, text
	}
	return approved, text
}

// approval checks the annotation of a definition in a protected group
// (CRD-120). An update that does not change its state passes (CRD-121).
func (c *checker) approval(old *crd.CustomResourceDefinition) {
	if !isProtected(c.crd.Spec.Group) {
		return
	}
	state, text := approvalOf(c.crd)
	if old != nil {
		if was, _ := approvalOf(old); was == state {
			return
		}
	}
	path := field.NewPath("metadata", "annotations").Key(approvalAnnotation)
	switch state {
	case approvalMissing:
		c.required("CRD-120", path, approvalMissed)
	case approvalInvalid:
		c.invalid("CRD-120", path, text, approvalMalformed)
	case approved, approvalBypassed:
	}
}
