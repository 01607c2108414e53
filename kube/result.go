package kube

import (
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem"
)

// Result is the server's verdict on one object. [Result.Err] is the first thing
// to look at. The fields of [crdsem.Result] have the details: the fields that
// were defaulted and pruned, the findings with their rules, the warnings.
type Result struct {
	*crdsem.Result
	err error // why no request was made
}

// failed is the result of an object that does not convert.
func failed(err error) *Result {
	return &Result{Result: &crdsem.Result{Stage: crdsem.StageDecode}, err: err}
}

// Err returns nil if and only if the object was admitted or read. Where a
// server would have answered, the error is a *apierrors.StatusError; see
// [StatusError].
func (r *Result) Err() error {
	if r.err != nil {
		return r.err
	}
	return StatusError(r.Result.Err())
}

// Into replaces the content of an object with the result's object: a pointer to
// a struct, a *unstructured.Unstructured or a *map[string]any. It fails with
// the error of the result, and if the object does not fit the struct.
func (r *Result) Into(object any) error {
	if err := r.Err(); err != nil {
		return err
	}
	return into(r.Object, object)
}

// StatusError returns the *apierrors.StatusError of a [*crdsem.StatusError], so
// that apierrors.IsInvalid, IsConflict, and so on hold. Any other error, which
// a server would not produce, is returned as it is.
func StatusError(err error) error {
	refusal, ok := errors.AsType[*crdsem.StatusError](err)
	if !ok {
		return err
	}
	status := metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    int32(refusal.Code),
		Reason:  metav1.StatusReason(refusal.Reason),
		Message: refusal.Message,
		Details: details(refusal),
	}
	return &apierrors.StatusError{ErrStatus: status}
}

// details returns the details of a refusal. Some answers have none.
func details(refusal *crdsem.StatusError) *metav1.StatusDetails {
	switch refusal.Code {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType:
		return nil
	}
	if refusal.Reason == "" { // an error that the server does not classify
		return nil
	}
	out := &metav1.StatusDetails{
		Name:  refusal.Name,
		Group: refusal.Group,
		Kind:  refusal.Kind,
	}
	for _, cause := range refusal.Causes {
		out.Causes = append(out.Causes, metav1.StatusCause{
			Type:    metav1.CauseType(cause.Reason),
			Message: cause.Message,
			Field:   cause.Field,
		})
	}
	return out
}
