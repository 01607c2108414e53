package kube_test

import (
	"reflect"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube"
)

// The scale of an object is read and written as the Go type of the API.
func TestScale(t *testing.T) {
	def, ctx := pools(), t.Context()
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	stored := &pool{ObjectMeta: metav1.ObjectMeta{
		Name: "one", Namespace: "default", UID: "u", ResourceVersion: "7",
		CreationTimestamp: metav1.Unix(1e9, 0),
	}, Spec: poolSpec{Replicas: 3}}
	scale, err := v.Scale(ctx, stored)
	if err != nil {
		t.Fatal(err)
	}
	if scale.Kind != "Scale" || scale.Name != "one" || scale.UID != "u" ||
		scale.ResourceVersion != "7" || scale.Spec.Replicas != 3 ||
		!scale.CreationTimestamp.Equal(&stored.CreationTimestamp) {
		t.Errorf("got %+v", scale)
	}
	scale.Spec.Replicas = 5
	var after pool
	if err := v.UpdateScale(ctx, stored, scale).Into(&after); err != nil {
		t.Fatal(err)
	}
	if after.Spec.Replicas != 5 || after.Generation != 2 {
		t.Errorf("got %+v", after)
	}
	scale.ResourceVersion = "6"
	if err := v.UpdateScale(ctx, stored, scale).Err(); !apierrors.IsConflict(err) {
		t.Errorf("got %v", err)
	}
	scale.ResourceVersion, scale.Spec.Replicas = "", 11
	if err := v.UpdateScale(ctx, stored, scale).Err(); !apierrors.IsInvalid(err) {
		t.Errorf("got %v", err)
	}
	beta, err := def.Version("v1beta1") // which has no scale
	if err != nil {
		t.Fatal(err)
	}
	if _, err := beta.Scale(ctx, stored); !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
	if err := beta.UpdateScale(ctx, stored, scale).Err(); !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
}

// Each field of a scale is that of the API's type.
func TestTypedScale(t *testing.T) {
	for created, want := range map[string]metav1.Time{
		"2001-09-09T01:46:40Z": metav1.NewTime(time.Unix(1e9, 0).UTC()), "soon": {}, "": {},
	} {
		got := kube.TypedScale(&crdsem.Scale{
			Name: "one", Namespace: "n", UID: "u", ResourceVersion: "7",
			CreationTimestamp: created, Replicas: 3, CurrentReplicas: 2, Selector: "a=b",
		})
		scale := &autoscalingv1.Scale{
			TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"},
			ObjectMeta: metav1.ObjectMeta{
				Name: "one", Namespace: "n", UID: "u", ResourceVersion: "7",
				CreationTimestamp: want,
			},
			Spec:   autoscalingv1.ScaleSpec{Replicas: 3},
			Status: autoscalingv1.ScaleStatus{Replicas: 2, Selector: "a=b"},
		}
		if !reflect.DeepEqual(got, scale) {
			t.Errorf("%q: got %+v, want %+v", created, got, scale)
		}
	}
}

// What is no object or no scale is an error, not a panic.
func TestNoScale(t *testing.T) {
	def, ctx := pools(), t.Context()
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	for name, object := range map[string]any{"nil": nil, "a value": pool{}, "a number": 7} {
		if _, err := v.Scale(ctx, object); err == nil {
			t.Errorf("%s has a scale", name)
		}
		if v.UpdateScale(ctx, object, &autoscalingv1.Scale{}).Err() == nil {
			t.Errorf("%s is scaled", name)
		}
		if def.Store(ctx, object).Err() == nil {
			t.Errorf("%s is stored", name)
		}
	}
	stored := &pool{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: poolSpec{Replicas: 3}}
	err = v.UpdateScale(ctx, stored, nil).Err()
	if err == nil || err.Error() != "no scale was given: the argument is nil" {
		t.Errorf("no scale: %v", err)
	}
}
