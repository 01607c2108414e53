package evaluator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// scaled answers the op scale.
func (e *evaluator) scaled(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	w, err := e.begin(req)
	if err != nil {
		return nil, err
	}
	if w.stored == nil {
		return nil, errors.New("stored is null")
	}
	w.warnings = w.deprecated(ctx)
	if !req.Object.Given() {
		return w.scaleOf(ctx, w.stored)
	}
	scale, err := sentScale(req.Object)
	if err != nil {
		return nil, err
	}
	result := w.version.UpdateScale(ctx, w.stored, *scale,
		crdsem.Namespace(metaText(w.stored, "namespace")))
	w.warnings = result.Warnings
	if err := result.Err(); err != nil {
		return w.refused(err)
	}
	next := w.version.Write(ctx, result.Object)
	if err := next.Err(); err != nil {
		return nil, err
	}
	answer, err := w.scaleOf(ctx, next.Stored.Object)
	if found, ok := answer.(protocol.Answered); ok && found.Code == 200 {
		found.Stored = w.shown(next.Stored.Object)
		return found, err
	}
	return answer, err
}

// scaleOf answers with the scale of a stored object.
func (w *write) scaleOf(
	ctx context.Context, stored map[string]any,
) (protocol.Result, error) {
	scale, err := w.version.Scale(ctx, stored)
	if status, ok := errors.AsType[*crdsem.StatusError](err); ok && status.Reason == "" &&
		strings.HasPrefix(status.Message, "the spec replicas field") {
		err = &crdsem.StatusError{
			Code: status.Code, Reason: "InternalError", Rule: status.Rule,
			Message: "Internal error occurred: " + status.Message,
			Causes:  []crdsem.Cause{{Message: status.Message}},
		}
	}
	if err != nil {
		return w.refused(err)
	}
	return protocol.Answered{Code: 200, Object: scaleObject(scale), Warnings: w.warnings}, nil
}

// sentScale decodes a scale. One that a server refuses to decode, or would warn
// of, is an error.
func sentScale(in protocol.Input) (*crdsem.Scale, error) {
	var scale struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name            string `json:"name"`
			Namespace       string `json:"namespace"`
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		Spec struct {
			Replicas int32 `json:"replicas"`
		} `json:"spec"`
	}
	text, _ := in.Document()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&scale); err != nil {
		return nil, fmt.Errorf("object is not a scale: %w", err)
	}
	if scale.APIVersion != "autoscaling/v1" || scale.Kind != "Scale" || scale.Metadata.Name == "" {
		return nil, errors.New("object is not a Scale of autoscaling/v1 with a name")
	}
	return &crdsem.Scale{
		Name: scale.Metadata.Name, Namespace: scale.Metadata.Namespace,
		ResourceVersion: scale.Metadata.ResourceVersion, Replicas: scale.Spec.Replicas,
	}, nil
}

// scaleObject returns a scale as the server writes it. Empty fields are left
// out, except the replicas of the status.
func scaleObject(scale *crdsem.Scale) map[string]any {
	metadata, spec := map[string]any{}, map[string]any{}
	status := map[string]any{"replicas": int64(scale.CurrentReplicas)}
	for _, field := range []struct {
		of        map[string]any
		key, text string
	}{
		{metadata, "name", scale.Name},
		{metadata, "namespace", scale.Namespace},
		{metadata, "uid", scale.UID},
		{metadata, "creationTimestamp", scale.CreationTimestamp},
		{status, "selector", scale.Selector},
	} {
		if field.text != "" {
			field.of[field.key] = field.text
		}
	}
	if scale.Replicas != 0 {
		spec["replicas"] = int64(scale.Replicas)
	}
	return map[string]any{
		"apiVersion": "autoscaling/v1", "kind": "Scale",
		"metadata": metadata, "spec": spec, "status": status,
	}
}
