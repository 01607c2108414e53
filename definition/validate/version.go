package validate

import (
	"fmt"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// version validates one version (CRD-047).
func (c *checker) version(v *crd.CustomResourceDefinitionVersion, path *field.Path) {
	if reasons := validation.IsDNS1035Label(v.Name); len(reasons) > 0 {
		c.invalid("CRD-040", path.Child("name"), v.Name, strings.Join(reasons, ","))
	}
	c.invalidAll("CRD-100", path.Child("deprecationWarning"), v.DeprecationWarning,
		deprecationReasons(v))
	use := schemaUse{
		status:    hasStatus(c.subresourcesOf(v.Name)),
		unchanged: c.unchangedSchemas[v.Name],
	}
	c.schema(v.Schema, path.Child("schema"), use)
	c.subresources(v.Subresources, path.Child("subresources"))
	c.columns(v.AdditionalPrinterColumns, path.Child("additionalPrinterColumns"))
	if len(v.SelectableFields) == 0 {
		return
	}
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		c.invalid("CRD-082", path.Child("selectableFields"), "", c.profile.Full(
			"selectableFields may only be set when version.schema.openAPIV3Schema is not included",
			"may only be set when `version.schema.openAPIV3Schema` is not included"))
		return
	}
	c.selectable(v.SelectableFields, selection{
		schema: v.Schema.OpenAPIV3Schema, path: path.Child("selectableFields"),
		schemaPath: path.Child("schema.openAPIV3Schema"), many: c.sameFields[v.Name],
	})
}

// subresourcesOf returns the subresources of the first version with a name. If
// no version has its own, it returns those at the top.
func (c *checker) subresourcesOf(name string) *crd.CustomResourceSubresources {
	if c.byVersion != nil {
		return c.byVersion[name]
	}
	c.byVersion = map[string]*crd.CustomResourceSubresources{}
	spec := &c.crd.Spec
	haveOwn := inVersions(spec.Versions, subresourcesValue) > 0
	for i := range spec.Versions {
		v, of := &spec.Versions[i], spec.Subresources
		if haveOwn {
			of = v.Subresources
		}
		if _, known := c.byVersion[v.Name]; !known {
			c.byVersion[v.Name] = of
		}
	}
	return c.byVersion[name]
}

// maxDeprecationWarning is the maximal length of a deprecation warning, in
// bytes.
const maxDeprecationWarning = 256

// deprecationReasons returns the reasons why a deprecation warning is invalid
// (CRD-100).
func deprecationReasons(v *crd.CustomResourceDefinitionVersion) (reasons []string) {
	if v.DeprecationWarning == nil {
		return nil
	}
	if !v.Deprecated {
		return []string{"can only be set for deprecated versions"}
	}
	text := *v.DeprecationWarning
	if len(text) > maxDeprecationWarning {
		reasons = append(reasons, "must be <= 256 characters long")
	}
	if text == "" {
		reasons = append(reasons, "must not be an empty string")
	}
	if at := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); at >= 0 {
		reasons = append(reasons, fmt.Sprintf("must only contain printable UTF-8 characters; "+
			"non-printable character found at index %d", at))
	}
	return reasons
}
