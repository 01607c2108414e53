package definition

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/versionsort"
)

// APIGroup is a group in discovery, e.g. stable.example.com.
type APIGroup struct {
	Name string `json:"name"`
	// Versions are the served versions, the preferred one first.
	Versions []string `json:"versions"`
}

// APIResource is a resource or a subresource in discovery, with the fields of
// the API's APIResource.
type APIResource struct {
	Name         string `json:"name"` // e.g. crontabs or crontabs/status
	SingularName string `json:"singularName"`
	Namespaced   bool   `json:"namespaced"`
	// Group and Version are those of the kind if it is another group's:
	// autoscaling and v1 of the scale subresource.
	Group              string   `json:"group,omitempty"`
	Version            string   `json:"version,omitempty"`
	Kind               string   `json:"kind"`
	Verbs              []string `json:"verbs"`
	ShortNames         []string `json:"shortNames,omitempty"`
	Categories         []string `json:"categories,omitempty"`
	StorageVersionHash string   `json:"storageVersionHash,omitempty"`
}

// Groups returns the groups that established definitions serve, in the order of
// their names, with their versions by priority (CRD-610, VER-008).
func (in *Installation) Groups() []APIGroup {
	versions := map[string][]string{}
	for _, c := range in.served() {
		spec := &c.crd.definition().Spec
		for _, v := range spec.Versions {
			if v.Served && !slices.Contains(versions[spec.Group], v.Name) {
				versions[spec.Group] = append(versions[spec.Group], v.Name)
			}
		}
	}
	var groups []APIGroup
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		groups = append(groups, APIGroup{Name: name, Versions: versionsort.Sorted(versions[name])})
	}
	return groups
}

// Resources returns the resources of a version of a group, each with its
// subresources after it (CRD-611, CRD-612). Definitions have the order of their
// names; on the server it is random.
func (in *Installation) Resources(group, version string) []APIResource {
	var resources []APIResource
	for _, c := range in.served() {
		if c.crd.definition().Spec.Group == group {
			resources = append(resources, c.resources(version)...)
		}
	}
	return resources
}

// served returns the established definitions in the order of their names.
func (in *Installation) served() []*installed {
	var list []*installed
	for _, c := range in.crds {
		if c.established.Status == "True" {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *installed) int {
		return strings.Compare(a.crd.Name(), b.crd.Name())
	})
	return list
}

// resources returns the resource of a definition in a version, and its
// subresources; nil if the version is not served.
func (c *installed) resources(version string) []APIResource {
	spec := &c.crd.definition().Spec
	at := slices.IndexFunc(spec.Versions, func(v crd.CustomResourceDefinitionVersion) bool {
		return v.Name == version
	})
	if at < 0 || !spec.Versions[at].Served {
		return nil
	}
	verbs := []string{
		"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch",
	}
	if deletion := c.deletion(); deletion != nil && deletion.Status == "True" {
		verbs = []string{"delete", "deletecollection", "get", "list", "watch"}
	}
	namespaced := Scope(spec.Scope) == Namespaced
	list := []APIResource{{
		Name: c.accepted.Plural, SingularName: c.accepted.Singular, Namespaced: namespaced,
		Kind: c.accepted.Kind, Verbs: verbs, ShortNames: c.accepted.ShortNames,
		Categories: c.accepted.Categories, StorageVersionHash: c.storageVersionHash(),
	}}
	subresources := subresourcesOf(spec, &spec.Versions[at])
	if subresources == nil {
		return list
	}
	ofSubresource := []string{"get", "patch", "update"}
	if subresources.Status != nil {
		list = append(list, APIResource{
			Name: c.accepted.Plural + "/status", Namespaced: namespaced,
			Kind: c.accepted.Kind, Verbs: ofSubresource,
		})
	}
	if subresources.Scale != nil {
		list = append(list, APIResource{
			Name: c.accepted.Plural + "/scale", Namespaced: namespaced,
			Group: "autoscaling", Version: "v1", Kind: "Scale", Verbs: ofSubresource,
		})
	}
	return list
}

// storageVersionHash returns the hash by which clients notice another storage
// version. It is empty if that version is not served.
func (c *installed) storageVersionHash() string {
	spec := &c.crd.definition().Spec
	for _, v := range spec.Versions {
		if v.Storage && v.Served {
			sum := sha256.Sum256([]byte(spec.Group + "/" + v.Name + "/" + spec.Names.Kind))
			return base64.StdEncoding.EncodeToString(sum[:8])
		}
	}
	return ""
}
