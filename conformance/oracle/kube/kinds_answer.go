package kube

import (
	"context"
	"errors"

	"github.com/crdsem/crdsem/internal/app/protocol"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type refusalInput struct {
	unpreparedInput
	FieldValidation string `json:"fieldValidation"`
}

// refusal answers a request like the op admit, but with the fields of the
// server's Status: code, reason, message and causes, all in the server's order.
func refusal(ctx context.Context, in refusalInput) (map[string]any, error) {
	res, err := in.resource()
	if err != nil {
		return nil, err
	}
	req := &protocol.Request{CRD: in.CRD, Version: in.Version, Object: in.Object, Old: in.Old,
		Subresource: in.Subresource, FieldValidation: in.FieldValidation}
	a := &admission{resource: res, req: req, recorder: &warnings{}, ctx: ctx}
	if err := a.decode(); err != nil {
		return statusOf(apierrors.NewBadRequest(err.Error())), nil
	}
	if err := a.load(); err != nil {
		return nil, err
	}
	errs, err := a.validated()
	switch {
	case errors.As(err, new(*requestError)):
		return statusOf(apierrors.NewBadRequest(err.Error())), nil
	case err != nil:
		return nil, err
	case len(errs) == 0:
		return map[string]any{}, nil
	}
	group, kind := a.kind.Group, a.object.GetKind()
	return statusOf(
		apierrors.NewInvalid(schema.GroupKind{Group: group, Kind: kind}, a.object.GetName(), errs),
	), nil
}

// validated prepares and validates like run.
func (a *admission) validated() (field.ErrorList, error) {
	switch {
	case a.old == nil:
		return a.create()
	case a.req.Subresource == "status":
		return a.update(a.status)
	}
	return a.update(a.main)
}

func statusOf(err *apierrors.StatusError) map[string]any {
	s := err.ErrStatus
	answer := map[string]any{
		"code":    int64(s.Code),
		"reason":  string(s.Reason),
		"message": s.Message,
	}
	if s.Details == nil {
		return answer
	}
	causes := []any{}
	for _, c := range s.Details.Causes {
		causes = append(causes,
			map[string]any{"reason": string(c.Type), "message": c.Message, "field": c.Field})
	}
	answer["causes"] = causes
	return answer
}
