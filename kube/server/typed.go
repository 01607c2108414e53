package server

import (
	"encoding/json"
	"errors"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem"
)

// statusError returns the Go type of a refusal. Any other error is returned as
// it is.
func statusError(err error) error {
	refusal, ok := errors.AsType[*crdsem.StatusError](err)
	if !ok {
		return err
	}
	var status metav1.Status
	if err := recode(refusal, &status); err != nil {
		return err
	}
	return &apierrors.StatusError{ErrStatus: status}
}

// typedScale returns the Go type of a scale.
func typedScale(scale *crdsem.Scale) *autoscalingv1.Scale {
	out := &autoscalingv1.Scale{}
	_ = recode(scale, out) // every scale is one of the API's
	return out
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
