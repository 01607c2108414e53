// Package answers turns what package crdsem answers into the Go types of the
// API: a refusal into a *apierrors.StatusError, and a scale.
package answers

import (
	"errors"
	"net/http"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/crdsem/crdsem"
)

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

// Scale returns a scale as the Go type of the API, with its apiVersion and
// kind. A creationTimestamp that is no time is left out.
func Scale(scale *crdsem.Scale) *autoscalingv1.Scale {
	out := &autoscalingv1.Scale{
		TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"},
		ObjectMeta: metav1.ObjectMeta{
			Name: scale.Name, Namespace: scale.Namespace, UID: types.UID(scale.UID),
			ResourceVersion: scale.ResourceVersion,
		},
		Spec: autoscalingv1.ScaleSpec{Replicas: scale.Replicas},
		Status: autoscalingv1.ScaleStatus{
			Replicas: scale.CurrentReplicas, Selector: scale.Selector,
		},
	}
	created, _ := time.Parse(time.RFC3339, scale.CreationTimestamp)
	out.CreationTimestamp = metav1.NewTime(created)
	return out
}
