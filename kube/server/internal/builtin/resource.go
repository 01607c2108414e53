package builtin

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Resource is a resource of Kubernetes in all its versions, e.g. deployments.
type Resource struct {
	// Group is empty for the group of Pod and Service.
	Group string
	// Plural is the name in paths, e.g. deployments.
	Plural     string
	Kind       string
	Namespaced bool
	// Versions are the served versions, the preferred one first.
	Versions   []string
	ShortNames []string
	Categories []string
	// Verbs are in alphabetical order. A resource that is not stored has only
	// create, e.g. subjectaccessreviews.
	Verbs        []string
	Subresources []Subresource
	// Fields are the JSON paths that field selectors may use, next to those of
	// all kinds: the name and the namespace.
	Fields []string
}

// Subresource is a part of a resource with a path of its own, e.g. scale.
type Subresource struct {
	Name string
	// Of is the kind of its bodies, e.g. Scale of autoscaling/v1. Its group and
	// version are empty if they are those of the resource.
	Of    schema.GroupVersionKind
	Verbs []string
}

// Subresources of many resources.
const (
	Status = "status"
	Scale  = "scale"
)

// The table that Resources returns. Its head describes the lines.
//
//go:embed resources.txt
var table string

// Verbs of resources and of subresources whose lines have none.
var (
	allVerbs = []string{
		"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch",
	}
	partVerbs = []string{"get", "patch", "update"}
)

// Resources returns the resources in the order of their groups and names. They
// are shared and must not be changed.
var Resources = sync.OnceValue(func() []Resource {
	var all []Resource
	group := ""
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		switch name, inBrackets := strings.CutPrefix(line, "["); {
		case line == "" || line[0] == '#':
		case inBrackets:
			if group = strings.TrimSuffix(name, "]"); group == "core" {
				group = ""
			}
		default:
			all = append(all, parse(group, line))
		}
	}
	return all
})

// parse returns the resource of a line.
func parse(group, line string) Resource {
	main, parts, _ := strings.Cut(line, " / ")
	fields := strings.Fields(main)
	r := Resource{
		Group: group, Plural: fields[0], Kind: fields[1], Namespaced: fields[2] == "Namespaced",
		Versions: strings.Split(fields[3], ","), Verbs: allVerbs,
	}
	for _, field := range fields[4:] {
		name, list, _ := strings.Cut(field, "=")
		values := strings.Split(list, ",")
		switch name {
		case "short":
			r.ShortNames = values
		case "categories":
			r.Categories = values
		case "fields":
			r.Fields = values
		case "verbs":
			r.Verbs = values
		}
	}
	for _, field := range strings.Fields(parts) {
		r.Subresources = append(r.Subresources, parsePart(r.Kind, field))
	}
	return r
}

// parsePart returns the subresource of a field like
// token=authentication.k8s.io/v1.TokenRequest:create.
func parsePart(kind, field string) Subresource {
	main, verbs, hasVerbs := strings.Cut(field, ":")
	name, of, hasKind := strings.Cut(main, "=")
	s := Subresource{Name: name, Of: schema.GroupVersionKind{Kind: kind}, Verbs: partVerbs}
	if hasVerbs {
		s.Verbs = strings.Split(verbs, ",")
	}
	if hasKind {
		s.Of.Kind = of
	}
	if group, rest, qualified := strings.Cut(of, "/"); qualified {
		version, kind, _ := strings.Cut(rest, ".")
		s.Of = schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
	}
	return s
}

// Find returns the resource of a kind. ok is false if no version of the kind is
// served.
func Find(of schema.GroupKind) (r Resource, ok bool) {
	all := Resources()
	i := slices.IndexFunc(all, func(r Resource) bool {
		return r.Group == of.Group && r.Kind == of.Kind
	})
	if i < 0 {
		return Resource{}, false
	}
	return all[i], true
}

// NoResource is the resource of errors that are about none.
var NoResource schema.GroupResource

// GroupResource returns the group and the plural name.
func (r Resource) GroupResource() schema.GroupResource {
	return schema.GroupResource{Group: r.Group, Resource: r.Plural}
}

// Singular returns the singular name, e.g. deployment.
func (r Resource) Singular() string { return strings.ToLower(r.Kind) }

// Stored reports whether objects of the resource are stored. Others are
// answered at once, e.g. subjectaccessreviews, or made from something else, as
// componentstatuses are.
func (r Resource) Stored() bool { return slices.Contains(r.Verbs, "update") }

// Has reports whether the resource has a subresource, e.g. status.
func (r Resource) Has(subresource string) bool {
	return slices.ContainsFunc(r.Subresources, func(s Subresource) bool {
		return s.Name == subresource
	})
}

// Discovery returns the resource and its subresources as discovery lists them.
// They are the same for all versions. The result shares its lists with r.
func (r Resource) Discovery() []metav1.APIResource {
	out := []metav1.APIResource{{
		Name: r.Plural, SingularName: r.Singular(), Kind: r.Kind, Namespaced: r.Namespaced,
		ShortNames: r.ShortNames, Categories: r.Categories, Verbs: r.Verbs,
	}}
	for _, s := range r.Subresources {
		out = append(out, metav1.APIResource{
			Name: r.Plural + "/" + s.Name, Kind: s.Of.Kind, Namespaced: r.Namespaced,
			Group: s.Of.Group, Version: s.Of.Version, Verbs: s.Verbs,
		})
	}
	return out
}
