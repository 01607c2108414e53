package builtin

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// names are the rules for names that are not the usual ones, by what
// conformance/oracle/kubernetes found.
var names = map[string]validation.ValidateNameFunc{
	"CertificateSigningRequest": segment,
	"ClusterRole":               segment,
	"ClusterRoleBinding":        segment,
	"Event":                     segment,
	"Namespace":                 validation.ValidateNamespaceName,
	"PodDisruptionBudget":       segment,
	"Role":                      segment,
	"RoleBinding":               segment,
	"Service":                   validation.NameIsDNSLabel,
	"StatefulSet":               validation.NameIsDNSLabel,
}

// segment is the rule for a name that has to be a segment of a path.
func segment(name string, prefix bool) []string {
	if prefix {
		return path.IsValidPathSegmentPrefix(name) //nolint:staticcheck // 0.35 has no successor
	}
	return path.IsValidPathSegmentName(name) //nolint:staticcheck // 0.35 has no successor
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
	}
	errs = append(errs, lacks(object, m.Kind.Kind, nil)...)
	if check := valuesOf[m.Kind.Kind]; check != nil {
		errs = append(errs, check(object, old)...)
	}
	return errs
}

// whole are the kinds of which all refusals of a server were found
// (conformance/oracle/kubernetes, TestCreate).
var whole = []string{
	"ConfigMap", "CustomResourceDefinition", "EndpointSlice", "Lease", "Namespace", "Secret",
	"ServiceAccount",
}

// IsPartial reports whether a server validates objects of the kind by rules
// that are not here.
func (m *Model) IsPartial() bool { return !slices.Contains(whole, m.Kind.Kind) }

// ValidateStructure returns the errors of an object by the structure of its
// kind, without those of its metadata. Definitions are validated as such, and
// kinds without a Go type are not validated.
func (m *Model) ValidateStructure(ctx context.Context, object map[string]any) field.ErrorList {
	kind, err := builtin.Find(manifest.Type{
		GroupKind: manifest.GroupKind{Group: m.Kind.Group, Kind: m.Kind.Kind},
		Version:   m.Kind.Version,
	}, "")
	if err != nil || !m.HasType() || m.Kind.Kind == "CustomResourceDefinition" {
		return nil
	}
	return slices.DeleteFunc(kind.Validate(ctx, object).Errors, func(e *field.Error) bool {
		return strings.HasPrefix(e.Field, "metadata")
	})
}
