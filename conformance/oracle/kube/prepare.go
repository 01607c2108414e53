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

// preparing is a strategy whose preparations are run without its validation, so
// that the validation can be run on its own and give field errors rather than a
// status.
type preparing struct{ rest.RESTCreateStrategy }

// Validate implements rest.RESTCreateStrategy; it finds nothing.
func (preparing) Validate(context.Context, runtime.Object) field.ErrorList { return nil }

// WarningsOnCreate implements rest.RESTCreateStrategy; it has none.
func (preparing) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }

// preparingUpdate is what preparing is, for updates.
type preparingUpdate struct{ rest.RESTUpdateStrategy }

// ValidateUpdate implements rest.RESTUpdateStrategy; it finds nothing.
func (preparingUpdate) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy; it has none.
func (preparingUpdate) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// invalid tells the errors that validation will find again.
func invalid(err error) bool { return apierrors.IsInvalid(err) }

func sameOwner(a, b metav1.OwnerReference) bool { return apiequality.Semantic.DeepEqual(a, b) }

func joined(texts []string) string { return strings.Join(texts, ", ") }
