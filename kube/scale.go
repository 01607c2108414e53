package kube

import (
	"context"
	"errors"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem"
)

// Scale is [crdsem.Version.Scale]. The error is that of [Result.Err].
func (v *Version) Scale(ctx context.Context, stored any) (*autoscalingv1.Scale, error) {
	object, err := v.untype(stored)
	if err != nil {
		return nil, err
	}
	scale, err := v.version.Scale(ctx, object)
	if err != nil {
		return nil, StatusError(err)
	}
	return TypedScale(scale), nil
}

// UpdateScale is [crdsem.Version.UpdateScale]. Of the scale only spec.replicas
// and the resourceVersion count.
func (v *Version) UpdateScale(
	ctx context.Context, stored any, scale *autoscalingv1.Scale, options ...crdsem.Option,
) *Result {
	old, err := v.untype(stored)
	if err == nil && scale == nil {
		err = errors.New("no scale was given: the argument is nil")
	}
	if err != nil {
		return failed(err)
	}
	sent := crdsem.Scale{
		Name: scale.Name, Namespace: scale.Namespace,
		ResourceVersion: scale.ResourceVersion, Replicas: scale.Spec.Replicas,
	}
	return &Result{Result: v.version.UpdateScale(ctx, old, sent, options...)}
}

// TypedScale returns a scale as the Go type of the API, with its apiVersion and
// kind. A creationTimestamp that is no time is left out.
func TypedScale(scale *crdsem.Scale) *autoscalingv1.Scale {
	out := &autoscalingv1.Scale{}
	_ = recode(scale, out) // every scale is one of the API's
	out.CreationTimestamp = metav1.NewTime(out.CreationTimestamp.UTC())
	return out
}
