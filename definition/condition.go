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
		s, err := structural.New(validation.OpenAPIV3Schema)
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
