//go:build !until1.30

package kube

import (
	"fmt"

	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateWith answers with schema.ValidateStructuralWithOptions.
func validateWith(options []string, model *apischema.Structural) (field.ErrorList, error) {
	var opts apischema.ValidationOptions
	for _, name := range options {
		switch name {
		case "AllowNestedAdditionalProperties":
			opts.AllowNestedAdditionalProperties = true
		case "AllowNestedXValidations":
			opts.AllowNestedXValidations = true
		case "AllowValidationPropertiesWithAdditionalProperties":
			opts.AllowValidationPropertiesWithAdditionalProperties = true
		default:
			return nil, fmt.Errorf("%w: %s", errNoOption, name)
		}
	}
	path := field.NewPath("openAPIV3Schema")
	return apischema.ValidateStructuralWithOptions(path, model, opts), nil
}
