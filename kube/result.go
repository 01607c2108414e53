package kube

import (
	"encoding/json"
	"errors"

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
	var status metav1.Status
	if err := recode(refusal, &status); err != nil {
		return err
	}
	status.TypeMeta = metav1.TypeMeta{}
	return &apierrors.StatusError{ErrStatus: status}
}

// recode reads the JSON of a value of package crdsem, which is that of the API,
// as the Go type of the API.
func recode(from json.Marshaler, to any) error {
	text, err := from.MarshalJSON()
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}
