package crdsem

import (
	"encoding/json"
	"time"
)

// statusJSON is a metav1.Status in JSON.
type statusJSON struct {
	Kind       string       `json:"kind"`
	APIVersion string       `json:"apiVersion"`
	Metadata   struct{}     `json:"metadata"`
	Status     string       `json:"status"`
	Message    string       `json:"message,omitempty"`
	Reason     string       `json:"reason,omitempty"`
	Details    *detailsJSON `json:"details,omitempty"`
	Code       int          `json:"code,omitempty"`
}

type detailsJSON struct {
	Name   string  `json:"name,omitempty"`
	Group  string  `json:"group,omitempty"`
	Kind   string  `json:"kind,omitempty"`
	Causes []Cause `json:"causes,omitempty"`
}

// MarshalJSON returns the metav1.Status that a server sends, e.g. as the body
// of its answer. A client of Kubernetes reads it.
func (e *StatusError) MarshalJSON() ([]byte, error) {
	return json.Marshal(statusJSON{
		Kind: "Status", APIVersion: "v1", Status: "Failure",
		Message: e.Message, Reason: e.Reason, Details: e.details(), Code: e.Code,
	})
}

// details returns the details of a refusal. Some answers have none.
func (e *StatusError) details() *detailsJSON {
	switch e.Code {
	case statusBadRequest, statusRequestEntityTooLarge, statusUnsupportedMediaType:
		return nil
	}
	if e.Reason == "" { // an error that the server does not classify
		return nil
	}
	return &detailsJSON{Name: e.Name, Group: e.Group, Kind: e.Kind, Causes: e.Causes}
}

// scaleJSON is a Scale of autoscaling/v1 in JSON.
type scaleJSON struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
	Metadata   struct {
		Name              string `json:"name,omitempty"`
		Namespace         string `json:"namespace,omitempty"`
		UID               string `json:"uid,omitempty"`
		ResourceVersion   string `json:"resourceVersion,omitempty"`
		CreationTimestamp string `json:"creationTimestamp,omitempty"`
	} `json:"metadata"`
	Spec struct {
		Replicas int32 `json:"replicas,omitempty"`
	} `json:"spec"`
	Status struct {
		Replicas int32  `json:"replicas"`
		Selector string `json:"selector,omitempty"`
	} `json:"status"`
}

// MarshalJSON returns the Scale of autoscaling/v1. A creationTimestamp that is
// no time is left out.
func (s Scale) MarshalJSON() ([]byte, error) {
	out := scaleJSON{Kind: "Scale", APIVersion: "autoscaling/v1"}
	out.Metadata.Name, out.Metadata.Namespace = s.Name, s.Namespace
	out.Metadata.UID, out.Metadata.ResourceVersion = s.UID, s.ResourceVersion
	if _, err := time.Parse(time.RFC3339, s.CreationTimestamp); err == nil {
		out.Metadata.CreationTimestamp = s.CreationTimestamp
	}
	out.Spec.Replicas = s.Replicas
	out.Status.Replicas, out.Status.Selector = s.CurrentReplicas, s.Selector
	return json.Marshal(out)
}

// UnmarshalJSON reads a Scale of autoscaling/v1.
func (s *Scale) UnmarshalJSON(text []byte) error {
	var in scaleJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	meta := in.Metadata
	*s = Scale{
		Name: meta.Name, Namespace: meta.Namespace, UID: meta.UID,
		ResourceVersion: meta.ResourceVersion, CreationTimestamp: meta.CreationTimestamp,
		Replicas: in.Spec.Replicas, CurrentReplicas: in.Status.Replicas,
		Selector: in.Status.Selector,
	}
	return nil
}
