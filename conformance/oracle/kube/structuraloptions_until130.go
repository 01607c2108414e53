//go:build until1.30

package kube

import (
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateWith fails. This minor has no options.
func validateWith([]string, *apischema.Structural) (field.ErrorList, error) {
	return nil, ErrNotThere
}
