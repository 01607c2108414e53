package admission

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// reviewVersion returns the version of the review that a webhook gets: the
// first one that the server has.
func (q *question) reviewVersion() (string, error) {
	known := []string{"v1", "v1beta1"}
	i := slices.IndexFunc(q.hook.AdmissionReviewVersions, func(version string) bool {
		return slices.Contains(known, version)
	})
	if i < 0 {
		return "", errors.New(
			"webhook does not accept known AdmissionReview versions (v1, v1beta1)")
	}
	return q.hook.AdmissionReviewVersions[i], nil
}

// review returns the review with which a webhook is asked, and an empty one for
// the answer.
func (q *question) review(
	version string, uid types.UID,
) (sent []byte, answer runtime.Object, err error) {
	request := q.request(uid)
	for of, object := range map[*runtime.RawExtension]map[string]any{
		&request.Object: q.object, &request.OldObject: q.old, &request.Options: q.Options,
	} {
		if object != nil {
			if of.Raw, err = json.Marshal(object); err != nil {
				return nil, nil, err
			}
		}
	}
	answer = &admissionv1.AdmissionReview{}
	if version == "v1beta1" {
		answer = &admissionv1beta1.AdmissionReview{}
	}
	sent, err = json.Marshal(map[string]any{
		"apiVersion": admissionv1.GroupName + "/" + version, "kind": "AdmissionReview",
		"request": request,
	})
	return sent, answer, err
}

// answerOf returns what a webhook answered to a review, as of v1. It fails if
// the answer is not one to the review. The patch of an answer of v1 must fit
// the kind of webhook.
func answerOf(
	uid types.UID, review runtime.Object, mutates bool,
) (*admissionv1.AdmissionResponse, error) {
	errAbsent := errors.New("webhook response was absent")
	switch r := review.(type) {
	case *admissionv1.AdmissionReview:
		of := admissionv1.SchemeGroupVersion.WithKind("AdmissionReview")
		switch {
		case r.Response == nil:
			return nil, errAbsent
		case r.Response.UID != uid:
			return nil, fmt.Errorf("expected response.uid=%q, got %q", uid, r.Response.UID)
		case r.GroupVersionKind() != of:
			const text = "expected webhook response of %v, got %v"
			return nil, fmt.Errorf(text, of, r.GroupVersionKind())
		}
		return r.Response, checkPatch(r.Response, mutates)
	case *admissionv1beta1.AdmissionReview:
		if r.Response == nil {
			return nil, errAbsent
		}
		response := &admissionv1.AdmissionResponse{
			Allowed: r.Response.Allowed, Result: r.Response.Result,
			Patch: r.Response.Patch, Warnings: r.Response.Warnings,
		}
		if len(response.Patch) > 0 { // its type is not looked at
			response.PatchType = new(admissionv1.PatchTypeJSONPatch)
		}
		return response, nil
	}
	return nil, fmt.Errorf("unexpected response type %T", review)
}

// checkPatch refuses an answer whose patch does not fit the kind of webhook.
func checkPatch(r *admissionv1.AdmissionResponse, mutates bool) error {
	has, typed := len(r.Patch) > 0, r.PatchType != nil
	switch {
	case !mutates && has:
		return errors.New("validating webhook may not return response.patch")
	case !mutates && typed:
		return errors.New("validating webhook may not return response.patchType")
	case has && !typed:
		return errors.New("webhook returned response.patch but not response.patchType")
	case typed && !has:
		return errors.New("webhook returned response.patchType but not response.patch")
	case typed && *r.PatchType == "":
		return fmt.Errorf("webhook returned invalid response.patchType of %q", *r.PatchType)
	}
	return nil
}

// denial is the answer to a request that a webhook denies.
func denial(webhook string, result *metav1.Status) *apierrors.StatusError {
	status := metav1.Status{}
	if result != nil {
		status = *result
	}
	status.Code = max(status.Code, http.StatusBadRequest)
	if status.Status == "" || status.Status == metav1.StatusSuccess {
		status.Status = metav1.StatusFailure
	}
	text := fmt.Sprintf("admission webhook %q denied the request", webhook)
	switch {
	case status.Message != "":
		status.Message = text + ": " + status.Message
	case status.Reason != "":
		status.Message = text + ": " + string(status.Reason)
	default:
		status.Message = text + " without explanation"
	}
	return &apierrors.StatusError{ErrStatus: status}
}
