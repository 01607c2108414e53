package server

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/lru"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/merge/apply"
)

// The kind of definitions.
const (
	definitionGroup = "apiextensions.k8s.io"
	definitionKind  = "CustomResourceDefinition"
)

// newBuiltInKind returns the kind of a built-in resource, without objects.
func (s *Handler) newBuiltInKind(r *builtin.Resource) *kind {
	objects := s.store.Collection
	if r.GroupResource() == definitions {
		objects = s.store.Decoded
	}
	k := &kind{
		resource: r.GroupResource(),
		names: definition.Names{
			Plural: r.Plural, Singular: r.Singular(), Kind: r.Kind, ListKind: r.Kind + "List",
			ShortNames: r.ShortNames, Categories: r.Categories,
		},
		namespaced: r.Namespaced,
		versions:   map[string]*version{},
		objects:    objects(),
		replaced:   make(chan struct{}),
		storage:    r.Versions[0],
	}
	for _, name := range r.Versions {
		v := &version{
			kind: k, builtin: builtin.NewModel(*r, name),
			shown: lru.New(maxShown),
			model: &definition.Version{
				Name: name, Served: true, HasStatus: r.Has(builtin.Status),
				SelectableFields: r.Fields,
			},
		}
		if r.Has(builtin.Scale) {
			v.model.Scale = &definition.ScalePaths{
				SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas",
			}
			v.scaler = sync.OnceValues(func() (*crdsem.Version, error) { return scaler(r, name) })
		}
		k.versions[name] = v
	}
	return k
}

// scaler returns a version that scales the objects of a resource. Its objects
// have any fields.
func scaler(r *builtin.Resource, version string) (*crdsem.Version, error) {
	crd, _, err := definition.FromMap(map[string]any{
		"apiVersion": definitionGroup + "/v1", "kind": definitionKind,
		"metadata": map[string]any{"name": r.Plural + "." + r.Group},
		"spec": map[string]any{
			"group": r.Group, "scope": string(definition.Namespaced),
			"names": map[string]any{"plural": r.Plural, "kind": r.Kind},
			"versions": []any{map[string]any{
				"name": version, "served": true, "storage": true,
				"subresources": map[string]any{
					"status": map[string]any{},
					"scale": map[string]any{
						"specReplicasPath":   ".spec.replicas",
						"statusReplicasPath": ".status.replicas",
					},
				},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object", "x-kubernetes-preserve-unknown-fields": true,
				}},
			}},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Plural, err)
	}
	compiled, err := crdsem.Compile(crd, apply.Server())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Plural, err)
	}
	return compiled.Version(version)
}

// as returns an object of a built-in kind in one of its versions. The fields of
// all versions are taken to be the same.
func as(object map[string]any, apiVersion string) map[string]any {
	if object["apiVersion"] == apiVersion {
		return object
	}
	out := maps.Clone(object)
	out["apiVersion"] = apiVersion
	return out
}

// serveBuiltIn answers a request for a built-in kind.
func (r *request) serveBuiltIn() (*answer, error) {
	if r.subresource == scaleName {
		scaled, err := r.scaler()
		if err != nil {
			return nil, err
		}
		v := *r.version
		v.api = scaled
		r.version = &v
		if err := r.scaleFromProtobuf(); err != nil {
			return nil, err
		}
		return r.serveVerb()
	}
	if !r.builtin.Resource.Stored() {
		if r.name != "" {
			return nil, generic(http.StatusNotFound)
		}
		return r.review()
	}
	switch {
	case r.subresource == "proxy":
		return nil, apierrors.NewServiceUnavailable("no endpoints available for " +
			r.resource.Resource + " " + strconv.Quote(r.name))
	case r.http.Method == http.MethodPost && r.name == "":
		return r.createBuiltIn()
	case r.http.Method == http.MethodPut && r.name != "":
		return r.updateBuiltIn()
	case r.http.Method == http.MethodPatch && r.name != "":
		return r.patchBuiltIn()
	case r.http.Method == http.MethodGet && r.isPart():
		return r.get()
	case r.http.Method == http.MethodDelete && r.name == "" &&
		!slices.Contains(r.builtin.Resource.Verbs, "deletecollection"):
		return nil, generic(http.StatusMethodNotAllowed)
	}
	return r.serveVerb()
}

// isPart reports whether a subresource is a part of the object, which is read
// as the object itself, e.g. ephemeralcontainers.
func (r *request) isPart() bool {
	return slices.ContainsFunc(r.builtin.Resource.Subresources, func(s builtin.Subresource) bool {
		return s.Name == r.subresource && s.Name != "proxy" && slices.Contains(s.Verbs, "get") &&
			slices.Contains(s.Verbs, "patch")
	})
}

// scaleFromProtobuf makes the JSON of a scale the body of the request.
func (r *request) scaleFromProtobuf() error {
	if r.media() != runtime.ContentTypeProtobuf || r.http.Method == http.MethodGet {
		return nil
	}
	scale, err := r.partOf()
	if err != nil {
		return err
	}
	if err := r.takeJSON(scale, runtime.ContentTypeJSON); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}
