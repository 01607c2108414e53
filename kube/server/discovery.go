package server

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/versionsort"
)

// discover answers the paths of discovery: /api, /apis, /apis/GROUP and
// /apis/GROUP/VERSION. Other paths are not found.
func (s *Handler) discover(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	ofGroup := parts[0] == "apis" && len(parts) == 2 // whatever the method
	if (r.Method == http.MethodGet || ofGroup) && len(parts) <= 3 {
		if out := s.discovered(r, parts); out != nil {
			if _, ok := out.(*apidiscovery.APIGroupDiscoveryList); ok {
				w.Header().Set("Content-Type", "application/json;"+aggregated)
			}
			writeDiscovery(w, r, out)
			return
		}
	}
	if text := s.notServed(parts); text != "" {
		writeJSON(w, http.StatusNotImplemented, &metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Message: text,
			Status: metav1.StatusFailure, Code: http.StatusNotImplemented,
		})
		return
	}
	if s.hasBuiltIn(parts) {
		writeJSON(w, http.StatusNotFound, statusOf(generic(http.StatusNotFound)))
		return
	}
	http.NotFound(w, r)
}

// hasBuiltIn reports whether a path is below that of built-in kinds.
func (s *Handler) hasBuiltIn(parts []string) bool {
	if s.cluster == nil || parts[0] != "api" && (parts[0] != "apis" || len(parts) < 2) {
		return false
	}
	return parts[0] == "api" || slices.ContainsFunc(builtin.Resources(),
		func(r builtin.Resource) bool { return r.Group == parts[1] })
}

// notServed says which built-in kinds a path is about that a handler without a
// cluster does not serve, "" for other paths. A manager that owns one of them
// would wait for it without a word.
func (s *Handler) notServed(parts []string) string {
	if parts[0] == "api" {
		parts = append([]string{"apis", ""}, parts[1:]...)
	}
	if s.cluster != nil || parts[0] != "apis" || len(parts) < 3 {
		return ""
	}
	var kinds []string
	for _, r := range builtin.Resources() {
		isOf := r.Group == parts[1] && slices.Contains(r.Versions, parts[2])
		if isOf && (len(parts) == 3 || slices.Contains(parts[3:], r.Plural)) {
			kinds = append(kinds, r.Kind)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	gv := metav1.GroupVersion{Group: parts[1], Version: parts[2]}.String()
	return fmt.Sprintf("only definitions are served here, no kinds of %s (%s): use package "+
		"kube/server", gv, strings.Join(kinds, ", "))
}

// writeDiscovery sends an answer in JSON, or in YAML if that is asked for.
func writeDiscovery(w http.ResponseWriter, r *http.Request, out any) {
	if r.Header.Get("Accept") == runtime.ContentTypeYAML {
		if text, err := yaml.Marshal(out); err == nil {
			w.Header().Set("Content-Type", runtime.ContentTypeYAML)
			_, _ = w.Write(text) // the client has gone
			return
		}
	}
	writeJSON(w, http.StatusOK, out)
}

// aggregated are the parameters of the media type of discovery in one answer.
const aggregated = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

// discovered returns the answer to a path of discovery, nil for other paths.
func (s *Handler) discovered(r *http.Request, parts []string) any {
	all := strings.Contains(r.Header.Get("Accept"), aggregated)
	core := parts[0] == "api"
	switch {
	case core && len(parts) == 1 && all:
		return s.aggregate(s.core())
	case core && len(parts) == 1:
		versions := metav1.APIVersions{
			TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{},
		}
		if s.cluster != nil {
			versions.Versions = []string{"v1"}
		}
		return versions
	case core && len(parts) == 2:
		return listOf("", parts[1], s.resources("", parts[1]))
	case parts[0] != "apis":
		return nil
	case len(parts) == 1 && all:
		return s.aggregate(s.groups())
	case len(parts) == 1:
		return metav1.APIGroupList{
			TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: s.groups(),
		}
	case len(parts) == 3:
		return listOf(parts[1], parts[2], s.resources(parts[1], parts[2]))
	}
	for _, group := range s.groups() {
		if group.Name == parts[1] {
			return group
		}
	}
	return nil
}

// listOf returns the resources of a version of a group, nil if it has none.
func listOf(group, version string, resources []metav1.APIResource) any {
	if len(resources) == 0 {
		return nil
	}
	return metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: metav1.GroupVersion{Group: group, Version: version}.String(),
		APIResources: resources,
	}
}

// core is the group without a name.
func (s *Handler) core() []metav1.APIGroup {
	if s.cluster == nil {
		return nil
	}
	return []metav1.APIGroup{{Versions: []metav1.GroupVersionForDiscovery{{
		GroupVersion: "v1", Version: "v1",
	}}}}
}

// aggregate returns groups with all their resources.
func (s *Handler) aggregate(groups []metav1.APIGroup) *apidiscovery.APIGroupDiscoveryList {
	list := &apidiscovery.APIGroupDiscoveryList{
		TypeMeta: metav1.TypeMeta{
			Kind: "APIGroupDiscoveryList", APIVersion: "apidiscovery.k8s.io/v2",
		},
		Items: []apidiscovery.APIGroupDiscovery{},
	}
	for _, g := range groups {
		group := apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: g.Name}}
		for _, v := range g.Versions {
			version := apidiscovery.APIVersionDiscovery{
				Version: v.Version, Freshness: apidiscovery.DiscoveryFreshnessCurrent,
			}
			gv := metav1.GroupVersion{Group: g.Name, Version: v.Version}
			for _, r := range s.resources(g.Name, v.Version) {
				version.Resources = addTo(version.Resources, gv, &r)
			}
			group.Versions = append(group.Versions, version)
		}
		list.Items = append(list.Items, group)
	}
	return list
}

// addTo adds a resource, or a subresource to the last one.
func addTo(
	all []apidiscovery.APIResourceDiscovery, gv metav1.GroupVersion, r *metav1.APIResource,
) []apidiscovery.APIResourceDiscovery {
	of := &metav1.GroupVersionKind{Group: gv.Group, Version: gv.Version, Kind: r.Kind}
	if r.Version != "" {
		of.Group, of.Version = r.Group, r.Version
	}
	_, part, isPart := strings.Cut(r.Name, "/")
	if isPart && len(all) > 0 {
		last := &all[len(all)-1]
		last.Subresources = append(last.Subresources, apidiscovery.APISubresourceDiscovery{
			Subresource: part, ResponseKind: of, Verbs: r.Verbs,
		})
		return all
	}
	scope := apidiscovery.ScopeCluster
	if r.Namespaced {
		scope = apidiscovery.ScopeNamespace
	}
	return append(all, apidiscovery.APIResourceDiscovery{
		Resource: r.Name, ResponseKind: of, Scope: scope, SingularResource: r.SingularName,
		Verbs: r.Verbs, ShortNames: r.ShortNames, Categories: r.Categories,
	})
}

// sorted returns the kinds in the order of their plural names.
func (s *Handler) sorted() []*kind {
	var all []*kind
	for _, k := range s.kinds.All() {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *kind) int {
		return strings.Compare(a.resource.String(), b.resource.String())
	})
	return all
}

// groups returns the groups with their versions, the preferred one first.
func (s *Handler) groups() []metav1.APIGroup {
	versions := map[string][]string{}
	for _, k := range s.kinds.All() {
		group := k.resource.Group
		if group == "" {
			continue // it is under /api
		}
		for name := range k.versions {
			if !slices.Contains(versions[group], name) {
				versions[group] = append(versions[group], name)
			}
		}
	}
	out := []metav1.APIGroup{}
	for name, all := range versions {
		slices.SortFunc(all, versionsort.Compare)
		group := metav1.APIGroup{
			TypeMeta: metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}, Name: name,
		}
		for _, version := range all {
			group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{
				GroupVersion: name + "/" + version, Version: version,
			})
		}
		group.PreferredVersion = group.Versions[0]
		out = append(out, group)
	}
	slices.SortFunc(out, func(a, b metav1.APIGroup) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// resources returns the resources of a version of a group, each with its
// subresources after it.
func (s *Handler) resources(group, version string) []metav1.APIResource {
	var out []metav1.APIResource
	for _, k := range s.sorted() {
		v := k.versions[version]
		switch {
		case k.resource.Group != group || v == nil:
		case v.builtin != nil:
			out = append(out, v.builtin.Resource.Discovery()...)
		default:
			out = append(out, v.discovery()...)
		}
	}
	return out
}

// discovery returns a custom resource with its subresources.
func (v *version) discovery() []metav1.APIResource {
	verbs := metav1.Verbs{"delete", "deletecollection", "get", "list", "patch", "create",
		"update", "watch"}
	if v.terminating {
		verbs = metav1.Verbs{"delete", "deletecollection", "get", "list", "watch"}
	}
	out := []metav1.APIResource{{
		Name: v.names.Plural, SingularName: v.names.Singular, Kind: v.names.Kind,
		Namespaced: v.namespaced, ShortNames: v.names.ShortNames,
		Categories: v.names.Categories, Verbs: verbs, StorageVersionHash: v.storageHash(),
	}}
	sub := metav1.APIResource{Namespaced: v.namespaced, Kind: v.names.Kind,
		Verbs: metav1.Verbs{"get", "patch", "update"}}
	if v.model.HasStatus {
		sub.Name = v.names.Plural + "/status"
		out = append(out, sub)
	}
	if v.model.Scale != nil {
		sub.Name, sub.Kind = v.names.Plural+"/"+scaleName, "Scale"
		sub.Group, sub.Version = "autoscaling", "v1"
		out = append(out, sub)
	}
	return out
}

// storageHash returns the hash by which clients notice another storage version,
// empty if that version is not served (CRD-611).
func (v *version) storageHash() string {
	stored := v.crd.Model().StorageVersion()
	if stored == nil || !stored.Served {
		return ""
	}
	sum := sha256.Sum256([]byte(v.resource.Group + "/" + stored.Name + "/" + v.names.Kind))
	return base64.StdEncoding.EncodeToString(sum[:8])
}

// writeJSON sends JSON. The handler may have set another content type.
func writeJSON(w http.ResponseWriter, code int, object any) {
	text, err := json.Marshal(object)
	if err != nil {
		code, text = http.StatusInternalServerError, []byte(err.Error())
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(code)
	_, _ = w.Write(append(text, '\n')) // the client has gone
}
