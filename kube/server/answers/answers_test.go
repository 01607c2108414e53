package answers_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server/answers"
)

// A refusal has its details, unless it is one that the server gives none.
func TestStatusError(t *testing.T) {
	causes := []crdsem.Cause{{Reason: "FieldValueRequired", Message: "m", Field: "spec.a"}}
	details := &metav1.StatusDetails{
		Name: "n", Group: "g.io", Kind: "K",
		Causes: []metav1.StatusCause{{Type: "FieldValueRequired", Message: "m", Field: "spec.a"}},
	}
	for _, test := range []struct {
		code    int32
		reason  metav1.StatusReason
		details *metav1.StatusDetails
	}{
		{422, "Invalid", details}, {409, "Conflict", details}, {400, "BadRequest", nil}, {413, "RequestEntityTooLarge", nil},
		{415, "UnsupportedMediaType", nil}, {500, "", nil}, {500, "InternalError", details},
	} {
		err := answers.StatusError(&crdsem.StatusError{
			Code: int(test.code), Reason: string(test.reason), Message: "m",
			Name: "n", Group: "g.io", Kind: "K", Causes: causes,
		})
		want := metav1.Status{
			Status: metav1.StatusFailure, Code: test.code, Reason: test.reason, Message: "m",
			Details: test.details,
		}
		status, ok := errors.AsType[*apierrors.StatusError](err)
		if !ok {
			t.Fatalf("%d: %v", test.code, err)
		}
		if diff := cmp.Diff(want, status.ErrStatus); diff != "" {
			t.Errorf("%d: %s", test.code, diff)
		}
	}
	for _, other := range []error{nil, context.Canceled} {
		if got := answers.StatusError(other); got != other {
			t.Errorf("%v became %v", other, got)
		}
	}
}

func TestScale(t *testing.T) {
	for created, want := range map[string]bool{
		"2026-01-02T03:04:05Z": true, "x": false, "": false,
	} {
		got := answers.Scale(&crdsem.Scale{
			Name: "n", Namespace: "d", UID: "u", ResourceVersion: "7", CreationTimestamp: created,
			Replicas: 3, CurrentReplicas: 2, Selector: "a=b",
		})
		if got.CreationTimestamp.IsZero() == want {
			t.Errorf("%q: created %v", created, got.CreationTimestamp)
		}
		got.CreationTimestamp = metav1.Time{}
		scale := &autoscalingv1.Scale{
			TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"},
			ObjectMeta: metav1.ObjectMeta{
				Name: "n", Namespace: "d", UID: "u", ResourceVersion: "7",
			},
			Spec:   autoscalingv1.ScaleSpec{Replicas: 3},
			Status: autoscalingv1.ScaleStatus{Replicas: 2, Selector: "a=b"},
		}
		if diff := cmp.Diff(scale, got); diff != "" {
			t.Error(diff)
		}
	}
}
