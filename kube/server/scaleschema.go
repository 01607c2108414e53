package server

import (
	"encoding/json"
	"sync"

	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// scaleTypes are the types by which applied configurations of scales are
// merged, as the server publishes them.
var scaleTypes = sync.OnceValues(func() (managedfields.TypeConverter, error) {
	schema := &spec.Schema{}
	if err := json.Unmarshal([]byte(scaleSchema), schema); err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(map[string]*spec.Schema{
		"io.k8s.api.autoscaling.v1.Scale": schema,
	}, false)
})

// scaleSchema is the schema of a scale.
const scaleSchema = `{
  "type": "object",
  "x-kubernetes-group-version-kind": [{"group": "autoscaling", "kind": "Scale", "version": "v1"}],
  "properties": {
    "apiVersion": {"type": "string"},
    "kind": {"type": "string"},
    "metadata": {"type": "object", "properties": {
      "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
      "creationTimestamp": {"type": "string", "format": "date-time"},
      "deletionGracePeriodSeconds": {"type": "integer", "format": "int64"},
      "deletionTimestamp": {"type": "string", "format": "date-time"},
      "finalizers": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
      "generateName": {"type": "string"},
      "generation": {"type": "integer", "format": "int64"},
      "labels": {"type": "object", "additionalProperties": {"type": "string"}},
      "managedFields": {"type": "array", "x-kubernetes-list-type": "atomic", "items": {
        "type": "object", "properties": {
          "apiVersion": {"type": "string"},
          "fieldsType": {"type": "string"},
          "fieldsV1": {"type": "object"},
          "manager": {"type": "string"},
          "operation": {"type": "string"},
          "subresource": {"type": "string"},
          "time": {"type": "string", "format": "date-time"}}}},
      "name": {"type": "string"},
      "namespace": {"type": "string"},
      "ownerReferences": {"type": "array", "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["uid"], "items": {
        "type": "object", "x-kubernetes-map-type": "atomic", "properties": {
          "apiVersion": {"type": "string"},
          "blockOwnerDeletion": {"type": "boolean"},
          "controller": {"type": "boolean"},
          "kind": {"type": "string"},
          "name": {"type": "string"},
          "uid": {"type": "string"}}}},
      "resourceVersion": {"type": "string"},
      "selfLink": {"type": "string"},
      "uid": {"type": "string"}}},
    "spec": {"type": "object", "properties": {"replicas": {"type": "integer", "format": "int32"}}},
    "status": {"type": "object", "properties": {
      "replicas": {"type": "integer", "format": "int32"},
      "selector": {"type": "string"}}}
  }
}`
