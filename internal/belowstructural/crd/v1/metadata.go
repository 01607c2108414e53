package v1

import (
	stdjson "encoding/json"
	"time"

	"github.com/crdsem/crdsem/internal/belowstructural/crd/v1/types"
)

// TypeMeta names the kind of an object.
type TypeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// ObjectMeta is the metadata of an object.
type ObjectMeta struct {
	Name                       string               `json:"name,omitempty"`
	GenerateName               string               `json:"generateName,omitempty"`
	Namespace                  string               `json:"namespace,omitempty"`
	SelfLink                   string               `json:"selfLink,omitempty"`
	UID                        types.UID            `json:"uid,omitempty"`
	ResourceVersion            string               `json:"resourceVersion,omitempty"`
	Generation                 int64                `json:"generation,omitempty"`
	CreationTimestamp          Time                 `json:"creationTimestamp"`
	DeletionTimestamp          *Time                `json:"deletionTimestamp,omitempty"`
	DeletionGracePeriodSeconds *int64               `json:"deletionGracePeriodSeconds,omitempty"`
	Labels                     map[string]string    `json:"labels,omitempty"`
	Annotations                map[string]string    `json:"annotations,omitempty"`
	OwnerReferences            []OwnerReference     `json:"ownerReferences,omitempty"`
	Finalizers                 []string             `json:"finalizers,omitempty"`
	ManagedFields              []ManagedFieldsEntry `json:"managedFields,omitempty"`
}

// OwnerReference names the owner of an object.
type OwnerReference struct {
	APIVersion         string    `json:"apiVersion"`
	Kind               string    `json:"kind"`
	Name               string    `json:"name"`
	UID                types.UID `json:"uid"`
	Controller         *bool     `json:"controller,omitempty"`
	BlockOwnerDeletion *bool     `json:"blockOwnerDeletion,omitempty"`
}

// ManagedFieldsEntry lists the fields that a field manager owns.
type ManagedFieldsEntry struct {
	Manager     string                     `json:"manager,omitempty"`
	Operation   ManagedFieldsOperationType `json:"operation,omitempty"`
	APIVersion  string                     `json:"apiVersion,omitempty"`
	Time        *Time                      `json:"time,omitempty"`
	FieldsType  string                     `json:"fieldsType,omitempty"`
	FieldsV1    *JSON                      `json:"fieldsV1,omitempty"`
	Subresource string                     `json:"subresource,omitempty"`
}

// ManagedFieldsOperationType is Apply or Update.
type ManagedFieldsOperationType string

// Time is a point in time, to the second. The zero value is written as null.
type Time struct{ at time.Time }

// UnmarshalJSON decodes null or a time of RFC 3339.
func (t *Time) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		t.at = time.Time{}
		return nil
	}
	var text string
	err := stdjson.Unmarshal(data, &text)
	if err == nil {
		t.at, err = time.Parse(time.RFC3339, text)
	}
	return err
}

// MarshalJSON encodes the time in UTC.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.at.IsZero() {
		return []byte("null"), nil
	}
	return stdjson.Marshal(t.at.UTC().Format(time.RFC3339))
}
