package kube

import (
	"context"
	"strings"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// preparing is a strategy without validation. The validation then runs
// separately and returns field errors rather than a status.
type preparing struct{ rest.RESTCreateStrategy }

// Validate implements rest.RESTCreateStrategy. It finds nothing.
func (preparing) Validate(context.Context, runtime.Object) field.ErrorList { return nil }

// WarningsOnCreate implements rest.RESTCreateStrategy. It returns no warnings.
func (preparing) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }

// preparingUpdate is preparing for updates.
type preparingUpdate struct{ rest.RESTUpdateStrategy }

// ValidateUpdate implements rest.RESTUpdateStrategy. It finds nothing.
func (preparingUpdate) ValidateUpdate(
	context.Context, runtime.Object, runtime.Object,
) field.ErrorList {
	return nil
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy. It returns no warnings.
func (preparingUpdate) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// invalid reports whether an error is one that the validation finds again.
func invalid(err error) bool { return apierrors.IsInvalid(err) }

func sameOwner(a, b metav1.OwnerReference) bool { return apiequality.Semantic.DeepEqual(a, b) }

func joined(texts []string) string { return strings.Join(texts, ", ") }
