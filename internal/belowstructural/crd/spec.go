package crd

import (
	"net/url"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Held is what a definition.CRD holds. Package definition/validate reads it.
type Held struct {
	Object  *CustomResourceDefinition
	Profile *profile.Profile // nil: the newest minor
}

// IsEstablished reports whether the server serves the resource of a definition:
// its first condition Established is True.
func (d *CustomResourceDefinition) IsEstablished() bool {
	for _, condition := range d.Status.Conditions {
		if condition.Type == Established {
			return condition.Status == ConditionTrue
		}
	}
	return false
}

// Preserves reports whether spec.preserveUnknownFields is not false.
func (s *CustomResourceDefinitionSpec) Preserves() bool {
	return s.PreserveUnknownFields == nil || *s.PreserveUnknownFields
}

// Prunes reports whether spec.preserveUnknownFields is not true. If the field
// is absent, both Prunes and Preserves are true, as in the server's checks.
func (s *CustomResourceDefinitionSpec) Prunes() bool {
	return s.PreserveUnknownFields == nil || !*s.PreserveUnknownFields
}

// AnySchema reports whether has is true for a schema of a definition, at the
// top or of a version.
func (s *CustomResourceDefinitionSpec) AnySchema(has func(*JSONSchemaProps) bool) bool {
	if s.Validation != nil && s.Validation.OpenAPIV3Schema != nil &&
		has(s.Validation.OpenAPIV3Schema) {
		return true
	}
	return slices.ContainsFunc(s.Versions, func(v CustomResourceDefinitionVersion) bool {
		return v.Schema != nil && v.Schema.OpenAPIV3Schema != nil && has(v.Schema.OpenAPIV3Schema)
	})
}

// AnyNode reports whether has is true for a node of a schema of a definition.
func (s *CustomResourceDefinitionSpec) AnyNode(has func(*JSONSchemaProps) bool) bool {
	return s.AnySchema(func(root *JSONSchemaProps) bool {
		for node := range root.Distinct() {
			if has(node) {
				return true
			}
		}
		return false
	})
}

// ApprovalAnnotation records that the Kubernetes community approved an API in
// one of its groups.
const ApprovalAnnotation = "api-approved.kubernetes.io"

// Approval is the meaning of the annotation's value.
type Approval uint8

// The meanings.
const (
	ApprovalMissing Approval = iota
	Approved
	ApprovalBypassed
	ApprovalInvalid
)

// IsProtected reports whether a group belongs to the Kubernetes community, e.g.
// apps.k8s.io.
func IsProtected(group string) bool {
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
	ApprovalMissed    = approvalRequired + approvalSee
	ApprovalMalformed = approvalRequired + ` with either a URL or a reason starting with "unapproved"` + approvalSee
)

// ApprovalOf returns the meaning and the value of the annotation.
func ApprovalOf(d *CustomResourceDefinition) (Approval, string) {
	annotations, _ := d.Metadata["annotations"].(map[string]any)
	text, _ := annotations[ApprovalAnnotation].(string)
	switch {
	case text == "":
		return ApprovalMissing, text
	case strings.HasPrefix(text, "unapproved"):
		return ApprovalBypassed, text
	}
	if at, err := url.ParseRequestURI(text); err != nil || at.Host == "" || at.Scheme == "" {
		return ApprovalInvalid, text
	}
	return Approved, text
}
