package definition

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/decoded"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// Condition is a condition of a definition's status.
type Condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// APIApproval returns the condition KubernetesAPIApprovalPolicyConformant of a
// stored definition: whether the Kubernetes community approved an API in one of
// its groups. It returns nil for any other group (CRD-601).
func APIApproval(def *CRD) *Condition {
	d := def.definition()
	if !crd.IsProtected(d.Spec.Group) {
		return nil
	}
	condition := &Condition{Type: "KubernetesAPIApprovalPolicyConformant", Status: "False"}
	switch state, text := crd.ApprovalOf(d); state {
	case crd.ApprovalMissing:
		condition.Reason, condition.Message = "MissingAnnotation", crd.ApprovalMissed
	case crd.ApprovalInvalid:
		condition.Reason, condition.Message = "InvalidAnnotation", crd.ApprovalMalformed
	case crd.ApprovalBypassed:
		condition.Reason = "UnapprovedAnnotation"
		condition.Message = fmt.Sprintf("not approved: %q", text)
	case crd.Approved:
		condition.Status, condition.Reason = "True", "ApprovedAnnotation"
		condition.Message = "approved in " + text
	}
	return condition
}

// NonStructuralSchema returns the condition NonStructuralSchema of a stored
// definition, nil if all its schemas are structural (CRD-600). The message has
// the errors of [structural.Validate] at the versions' own paths, or the error
// of a schema that does not convert.
func NonStructuralSchema(def *CRD) *Condition {
	condition := &Condition{Type: "NonStructuralSchema"}
	spec := &def.definition().Spec
	var errs field.ErrorList
	if !spec.Prunes() {
		path := field.NewPath("spec", "preserveUnknownFields")
		errs = append(errs, field.Invalid(path, true, "must be false"))
	}
	for i := range spec.Versions {
		v := &spec.Versions[i]
		validation := schemaOf(spec, v)
		if validation == nil {
			continue
		}
		s, err := decoded.Model(validation.OpenAPIV3Schema)
		if err != nil {
			condition.Status, condition.Reason = "Unknown", "StructuralError"
			condition.Message = fmt.Sprintf("failed to check validation schema for version %s: %v",
				v.Name, err)
			return condition
		}
		path := field.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
		minor := structural.Kubernetes(def.Kubernetes())
		errs = append(errs, structural.Validate(s, path, minor)...)
	}
	if len(errs) == 0 {
		return nil
	}
	condition.Status, condition.Reason = "True", "Violations"
	condition.Message = errs.ToAggregate().Error()
	return condition
}
