package definition

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// Condition is a condition of a definition's status.
type Condition struct {
	Type, Status, Reason, Message string
}

// APIApproval returns the condition by which the server tells whether the Kubernetes community approved of a stored definition in one of its groups,
// KubernetesAPIApprovalPolicyConformant; nil for any other group (CRD-601).
func APIApproval(crd *CRD) *Condition {
	d := crd.definition()
	if !isProtected(d.Spec.Group) {
		return nil
	}
	condition := &Condition{Type: "KubernetesAPIApprovalPolicyConformant", Status: "False"}
	switch state, text := approvalOf(d); state {
	case approvalMissing:
		condition.Reason, condition.Message = "MissingAnnotation", approvalMissed
	case approvalInvalid:
		condition.Reason, condition.Message = "InvalidAnnotation", approvalMalformed
	case approvalBypassed:
		condition.Reason, condition.Message = "UnapprovedAnnotation", fmt.Sprintf("not approved: %q", text)
	case approved:
		condition.Status, condition.Reason, condition.Message = "True", "ApprovedAnnotation", "approved in "+text
	}
	return condition
}

// NonStructuralSchema returns the condition by which the server tells that schemas of a stored definition are not structural, nil if all are
// (CRD-600). Its message is the findings of [structural.Validate] at the versions' own paths, or why a schema does not convert.
func NonStructuralSchema(crd *CRD) *Condition {
	condition := &Condition{Type: "NonStructuralSchema"}
	spec := &crd.definition().Spec
	var errs field.ErrorList
	if isTrue(spec.PreserveUnknownFields) {
		errs = append(errs, field.Invalid(field.NewPath("spec", "preserveUnknownFields"), true, "must be false"))
	}
	for i := range spec.Versions {
		v := &spec.Versions[i]
		validation := schemaOf(spec, v)
		if validation == nil {
			continue
		}
		s, err := schemas.New(validation.OpenAPIV3Schema)
		if err != nil {
			condition.Status, condition.Reason = "Unknown", "StructuralError"
			condition.Message = fmt.Sprintf("failed to check validation schema for version %s: %v", v.Name, err)
			return condition
		}
		errs = append(errs, structural.Validate(s, field.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema"))...)
	}
	if len(errs) == 0 {
		return nil
	}
	condition.Status, condition.Reason, condition.Message = "True", "Violations", errs.ToAggregate().Error()
	return condition
}
