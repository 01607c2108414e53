package server

import (
	"encoding/json"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

// The kind of definitions.
const (
	definitionGroup = "apiextensions.k8s.io"
	definitionKind  = "CustomResourceDefinition"
)

// builtIn returns definitions of the built-in kinds whose objects are stored:
// with any fields.
func builtIn() ([]*definition.CRD, error) {
	var all []*definition.CRD
	for _, r := range builtin.Resources() {
		if !r.Stored() {
			continue
		}
		crd, err := anyFields(&r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Plural, err)
		}
		all = append(all, crd)
	}
	return all, nil
}

// anyFields returns a definition of a resource whose objects have any fields.
func anyFields(r *builtin.Resource) (*definition.CRD, error) {
	subresources := map[string]any{}
	if r.Has(builtin.Status) {
		subresources[builtin.Status] = map[string]any{}
	}
	if r.Has(builtin.Scale) {
		subresources[builtin.Scale] = map[string]any{
			"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
		}
	}
	var versions []any
	for i, name := range r.Versions {
		versions = append(versions, map[string]any{
			"name": name, "served": true, "storage": i == 0, "subresources": subresources,
			"schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "x-kubernetes-preserve-unknown-fields": true,
			}},
		})
	}
	scope := definition.Cluster
	if r.Namespaced {
		scope = definition.Namespaced
	}
	crd, _, err := definition.FromMap(map[string]any{
		"apiVersion": definitionGroup + "/v1", "kind": definitionKind,
		"metadata": map[string]any{"name": r.Plural + "." + r.Group},
		"spec": map[string]any{
			"group": r.Group, "scope": string(scope), "versions": versions,
			"names": map[string]any{
				"plural": r.Plural, "singular": r.Singular(), "kind": r.Kind,
				"listKind": r.Kind + "List", "shortNames": texts(r.ShortNames),
				"categories": texts(r.Categories),
			},
		},
	})
	return crd, err
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, text := range list {
		out[i] = text
	}
	return out
}

// fromProtobuf takes a body in protobuf, as clients of built-in kinds send it,
// as JSON. Answers are JSON, which these clients read, too.
func (r *request) fromProtobuf() error {
	if r.media() != runtime.ContentTypeProtobuf || len(r.body) == 0 || r.server.cluster == nil {
		return nil
	}
	of := r.groupVersion().WithKind(r.names.Kind)
	switch {
	case r.http.Method == http.MethodDelete:
		of.Kind = "DeleteOptions"
	case r.subresource == scaleName:
		of = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	case r.subresource == eviction:
		of = schema.GroupVersionKind{Group: "policy", Version: "v1", Kind: "Eviction"}
	}
	object, _, err := builtin.Decode(r.body, r.media(), of)
	if err != nil && of.Kind == "DeleteOptions" {
		object, _, err = builtin.Decode(r.body, r.media(), metav1.Unversioned.WithKind(of.Kind))
	}
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return r.sendInstead(object)
}

// Subresources of one kind each: eviction deletes a Pod, and no budget is
// asked; approval writes the status of a request for a certificate.
const (
	eviction = "eviction"
	approval = "approval"
)

// evict answers the eviction of a Pod.
func (r *request) evict() (*answer, error) {
	out, err := r.remove(&metav1.DeleteOptions{})
	if err == nil {
		out.code = http.StatusCreated
	}
	return out, err
}

// sendInstead makes an object the body of the request.
func (r *request) sendInstead(object map[string]any) (err error) {
	if r.body, err = json.Marshal(object); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	r.http.Header.Set("Content-Type", runtime.ContentTypeJSON)
	return nil
}

// strategicPatch answers a PATCH of a built-in kind by its Go type.
func (r *request) strategicPatch() (*answer, error) {
	old, err := r.live()
	if err != nil {
		return nil, err
	}
	patch := map[string]any{}
	if err := decodeBody(r.body, &patch); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	live, err := r.readForWrite(old)
	if err != nil {
		return nil, err
	}
	object, err := builtin.StrategicPatch(r.groupVersion().WithKind(r.names.Kind), live, patch)
	if err != nil {
		return nil, err
	}
	if err := r.sendInstead(object); err != nil {
		return nil, err
	}
	return r.update()
}

// isBuiltIn reports whether the kind is one of Kubernetes.
func (r *request) isBuiltIn() bool {
	if r.server.cluster == nil {
		return false
	}
	of, ok := builtin.Find(r.groupVersion().WithKind(r.names.Kind).GroupKind())
	return ok && of.Plural == r.resource.Resource
}
