package builtin

import (
	pathcontent "k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// names are the rules for names that are not the usual ones.
var names = map[string]validation.ValidateNameFunc{
	"Namespace":          validation.ValidateNamespaceName,
	"Service":            validation.NameIsDNS1035Label,
	"ClusterRole":        pathSegment,
	"ClusterRoleBinding": pathSegment,
	"Role":               pathSegment,
	"RoleBinding":        pathSegment,
}

func pathSegment(name string, prefix bool) []string {
	if prefix {
		return pathcontent.IsPathSegmentPrefix(name)
	}
	return pathcontent.IsPathSegmentName(name)
}

// Validate returns what is wrong with the metadata of an object, and with its
// fields as far as this package knows them. old is nil on a create.
func (m *Model) Validate(object, old map[string]any) field.ErrorList {
	meta, at := &unstructured.Unstructured{Object: object}, field.NewPath("metadata")
	rule := names[m.Kind.Kind]
	if rule == nil {
		rule = validation.NameIsDNSSubdomain
	}
	errs := validation.ValidateObjectMetaAccessor(meta, m.Resource.Namespaced, rule, at)
	if old != nil {
		before := &unstructured.Unstructured{Object: old}
		errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(meta, before, at)...)
		errs = append(errs, changes(object, old, m.Kind.Kind)...)
	}
	return append(errs, lacks(object, m.Kind.Kind, nil)...)
}
