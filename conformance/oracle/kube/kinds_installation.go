//go:build !older

package kube

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/crdsem/crdsem/internal/app/protocol"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type installationInput struct {
	CRDs []protocol.Input `json:"crds"`
}

// installation answers with the controllers that write the status of
// definitions and with the discovery that the server offers after them.
func installation(ctx context.Context, in installationInput) (map[string]any, error) {
	var crds []*v1.CustomResourceDefinition
	for _, doc := range in.CRDs {
		crd, err := servedDefinition(doc)
		if err != nil {
			return nil, err
		}
		crds = append(crds, crd)
	}
	settled, err := Installed(ctx, crds, Quiet)
	if err != nil {
		return nil, err
	}
	definitions := []any{}
	for i := range settled {
		d, err := installed(&settled[i])
		if err != nil {
			return nil, err
		}
		definitions = append(definitions, d)
	}
	groups, err := discovered(ctx, settled)
	return map[string]any{"definitions": definitions, "groups": groups}, err
}

// installed returns a definition's part of an answer. Conditions have the order
// of the controllers.
func installed(crd *v1.CustomResourceDefinition) (any, error) {
	conditions := []any{}
	for _, kind := range []v1.CustomResourceDefinitionConditionType{
		v1.NamesAccepted, v1.Established, v1.Terminating,
	} {
		for _, c := range crd.Status.Conditions {
			if c.Type == kind {
				conditions = append(conditions, conditionMembers(c))
			}
		}
	}
	names, err := asValue(crd.Status.AcceptedNames)
	return map[string]any{
		"name": crd.Name, "acceptedNames": names, "conditions": conditions,
	}, err
}

// discovered returns what the discovery controller serves for definitions: the
// groups in the order of their names.
func discovered(ctx context.Context, crds []v1.CustomResourceDefinition) ([]any, error) {
	var objects []runtime.Object
	names := map[string]bool{}
	for i := range crds {
		objects = append(objects, &crds[i])
		names[crds[i].Spec.Group] = true
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	factory := externalversions.NewSharedInformerFactory(fake.NewClientset(objects...), 0)
	definitions := factory.Apiextensions().V1().CustomResourceDefinitions()
	byGroup, byVersion, run := newDiscovery(definitions)
	factory.Start(ctx.Done())
	synced := make(chan struct{})
	go run(ctx.Done(), synced)
	select {
	case <-synced:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	groups := []any{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var group metav1.APIGroup
		if !ask(byGroup, "/apis/"+name, &group) {
			continue
		}
		versions := []any{}
		for _, v := range group.Versions {
			var list metav1.APIResourceList
			ask(byVersion, "/apis/"+name+"/"+v.Version, &list)
			resources, err := asValue(inOrder(list.APIResources))
			if err != nil {
				return nil, err
			}
			versions = append(versions, map[string]any{"name": v.Version, "resources": resources})
		}
		groups = append(groups, map[string]any{"name": name, "versions": versions})
	}
	return groups, nil
}

// inOrder sorts a version's resources by the names of their definitions. Their
// order is random on the server.
func inOrder(resources []metav1.APIResource) []metav1.APIResource {
	slices.SortStableFunc(resources, func(a, b metav1.APIResource) int {
		plural := func(r metav1.APIResource) string {
			plural, _, _ := strings.Cut(r.Name, "/")
			return plural + "."
		}
		return cmp.Compare(plural(a), plural(b))
	})
	return resources
}

// ask decodes a handler's answer. It reports whether there is one.
func ask(handler http.Handler, path string, into any) bool {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code == http.StatusOK && json.Unmarshal(w.Body.Bytes(), into) == nil
}

// newDiscovery returns the server's discovery controller with the handlers that
// it fills. Their types are not exported, so they are made by reflection.
func newDiscovery(definitions informer) (
	groups, versions http.Handler, run func(stop <-chan struct{}, synced chan<- struct{}),
) {
	construct := reflect.ValueOf(apiserver.NewDiscoveryController)
	handler := func(parameter int) reflect.Value {
		v := reflect.New(construct.Type().In(parameter).Elem())
		set := func(name string, value reflect.Value) {
			field := v.Elem().FieldByName(name)
			reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(value)
		}
		set("discovery", reflect.MakeMap(v.Elem().FieldByName("discovery").Type()))
		set("delegate", reflect.ValueOf(http.NotFoundHandler()))
		return v
	}
	byVersion, byGroup := handler(1), handler(2)
	noManager := reflect.Zero(construct.Type().In(3))
	made := construct.Call([]reflect.Value{
		reflect.ValueOf(definitions), byVersion, byGroup, noManager})
	controller := made[0].Interface().(*apiserver.DiscoveryController)
	return byGroup.Interface().(http.Handler), byVersion.Interface().(http.Handler), controller.Run
}
