package server

import (
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem/versionsort"
)

// discover answers the paths of discovery: /api, /apis, /apis/GROUP and
// /apis/GROUP/VERSION. Other paths are not found.
func (s *Handler) discover(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	groups := s.groups()
	switch {
	case r.Method == http.MethodGet && slices.Equal(parts, []string{"api"}):
		versions := metav1.APIVersions{
			TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{},
		}
		if s.cluster != nil {
			versions.Versions = []string{"v1"}
		}
		writeJSON(w, http.StatusOK, versions)
		return
	case r.Method == http.MethodGet && slices.Equal(parts, []string{"api", "v1"}):
		if list := s.resources("", "v1"); len(list) > 0 {
			writeJSON(w, http.StatusOK, metav1.APIResourceList{
				TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
				GroupVersion: "v1", APIResources: list,
			})
			return
		}
	case r.Method == http.MethodGet && slices.Equal(parts, []string{"apis"}):
		writeJSON(w, http.StatusOK, metav1.APIGroupList{
			TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: groups,
		})
		return
	case r.Method == http.MethodGet && parts[0] == "apis" && len(parts) > 1:
		i := slices.IndexFunc(groups, func(g metav1.APIGroup) bool { return g.Name == parts[1] })
		if i < 0 {
			break
		}
		if len(parts) == 2 {
			writeJSON(w, http.StatusOK, groups[i])
			return
		}
		if list := s.resources(parts[1], parts[2]); len(parts) == 3 && len(list) > 0 {
			writeJSON(w, http.StatusOK, metav1.APIResourceList{
				TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
				GroupVersion: parts[1] + "/" + parts[2], APIResources: list,
			})
			return
		}
	}
	http.NotFound(w, r)
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

// resources returns the resources of a version of a group.
func (s *Handler) resources(group, version string) []metav1.APIResource {
	var out []metav1.APIResource
	for _, k := range s.sorted() {
		v := k.versions[version]
		if k.resource.Group != group || v == nil {
			continue
		}
		out = append(out, metav1.APIResource{
			Name: k.names.Plural, SingularName: k.names.Singular, Kind: k.names.Kind,
			Namespaced: k.namespaced, ShortNames: k.names.ShortNames,
			Categories: k.names.Categories,
			Verbs: metav1.Verbs{"delete", "deletecollection", "get", "list", "patch",
				"create", "update", "watch"},
		})
		sub := metav1.APIResource{Namespaced: k.namespaced, Kind: k.names.Kind,
			Verbs: metav1.Verbs{"get", "patch", "update"}}
		if v.model.HasStatus {
			sub.Name = k.names.Plural + "/status"
			out = append(out, sub)
		}
		if v.model.Scale != nil {
			sub.Name, sub.Kind = k.names.Plural+"/"+scaleName, "Scale"
			sub.Group, sub.Version = "autoscaling", "v1"
			out = append(out, sub)
		}
	}
	return out
}
