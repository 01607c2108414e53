package builtin_test

import (
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

// withoutType are the groups whose types are not in client-go's scheme.
var withoutType = []string{"apiextensions.k8s.io", "apiregistration.k8s.io"}

func TestResourcesHaveTypes(t *testing.T) {
	for _, r := range builtin.Resources() {
		if slices.Contains(withoutType, r.Group) {
			continue
		}
		for _, version := range r.Versions {
			gvk := schema.GroupVersionKind{Group: r.Group, Version: version, Kind: r.Kind}
			if !scheme.Scheme.Recognizes(gvk) {
				t.Errorf("%s: client-go has no type %s", r.Plural, gvk)
			}
		}
	}
}

// The typed clients of client-go know the same resources: their scopes, and
// whether they have a status.
func TestResourcesAreThoseOfTypedClients(t *testing.T) {
	without := map[schema.GroupVersionResource]bool{}
	for _, r := range builtin.Resources() {
		for _, version := range r.Versions {
			gv := schema.GroupVersion{Group: r.Group, Version: version}
			without[gv.WithResource(r.Plural)] = !slices.Contains(withoutType, r.Group)
		}
	}
	clients := reflect.TypeFor[kubernetes.Interface]()
	for i := range clients.NumMethod() {
		group := clients.Method(i)
		if group.Name == "Discovery" {
			continue
		}
		typed := group.Type.Out(0)
		for j := range typed.NumMethod() {
			method := typed.Method(j)
			if method.Name == "RESTClient" {
				continue
			}
			version := path.Base(typed.PkgPath())
			r, ok := ofClient(typed.PkgPath(), strings.ToLower(method.Name))
			if !ok {
				continue // only an older minor serves it
			}
			gv := schema.GroupVersion{Group: r.Group, Version: version}
			delete(without, gv.WithResource(r.Plural))
			if namespaced := method.Type.NumIn() == 1; namespaced != r.Namespaced {
				t.Errorf("%s.%s: namespaced %v, want %v", group.Name, method.Name,
					r.Namespaced, namespaced)
			}
			_, has := method.Type.Out(0).MethodByName("UpdateStatus")
			if has != r.Has(builtin.Status) {
				t.Errorf("%s.%s: status %v, want %v", group.Name, method.Name, !has, has)
			}
		}
	}
	// The typed client of Pods binds them.
	delete(without, schema.GroupVersionResource{Version: "v1", Resource: "bindings"})
	for resource, wanted := range without {
		if wanted {
			t.Errorf("client-go has no client of %s", resource)
		}
	}
}

// folders are the folders of typed clients that are not the first word of the
// group.
var folders = map[string]string{"": "core", "internal.apiserver.k8s.io": "apiserverinternal"}

// ofClient returns the resource of a method of a typed client, by the package
// of the client, e.g. k8s.io/client-go/kubernetes/typed/apps/v1.
func ofClient(pkg, plural string) (builtin.Resource, bool) {
	folder, version := path.Base(path.Dir(pkg)), path.Base(pkg)
	for _, r := range builtin.Resources() {
		name, _, _ := strings.Cut(r.Group, ".")
		if other := folders[r.Group]; other != "" {
			name = other
		}
		if name == folder && r.Plural == plural && slices.Contains(r.Versions, version) {
			return r, true
		}
	}
	return builtin.Resource{}, false
}

func TestDiscovery(t *testing.T) {
	deployments, ok := builtin.Find(schema.GroupKind{Group: "apps", Kind: "Deployment"})
	if !ok {
		t.Fatal("no Deployment")
	}
	for i, want := range []string{
		"deployments deployment Deployment  all deploy",
		"deployments/scale  Scale autoscaling/v1  ",
		"deployments/status  Deployment   ",
	} {
		got := deployments.Discovery()[i]
		text := strings.Join([]string{got.Name, got.SingularName, got.Kind,
			strings.Trim(got.Group+"/"+got.Version, "/"), strings.Join(got.Categories, ","),
			strings.Join(got.ShortNames, ",")}, " ")
		if text != want {
			t.Errorf("entry %d: %q, want %q", i, text, want)
		}
	}
}

func TestSubresources(t *testing.T) {
	pods, _ := builtin.Find(schema.GroupKind{Kind: "Pod"})
	for _, want := range []builtin.Subresource{
		{"eviction", schema.GroupVersionKind{Group: "policy", Version: "v1", Kind: "Eviction"},
			[]string{"create"}},
		{"log", schema.GroupVersionKind{Kind: "Pod"}, []string{"get"}},
		{"exec", schema.GroupVersionKind{Kind: "PodExecOptions"}, []string{"create", "get"}},
		{"status", schema.GroupVersionKind{Kind: "Pod"}, []string{"get", "patch", "update"}},
	} {
		i := slices.IndexFunc(pods.Subresources, func(s builtin.Subresource) bool {
			return s.Name == want.Name
		})
		if i < 0 || !reflect.DeepEqual(pods.Subresources[i], want) {
			t.Errorf("%s: %v", want.Name, pods.Subresources)
		}
	}
}

func TestFindUnknown(t *testing.T) {
	if r, ok := builtin.Find(schema.GroupKind{Group: "apps", Kind: "Pod"}); ok {
		t.Errorf("found %v", r)
	}
}
