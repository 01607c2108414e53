package validate

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// spec validates the spec, in the server's order.
func (c *checker) spec() {
	spec, path := &c.crd.Spec, field.NewPath("spec")
	c.group(spec.Group, path.Child("group"))
	c.oneOf("CRD-033", path.Child("scope"), spec.Scope,
		[]string{crd.ClusterScoped, crd.NamespaceScoped})
	c.decideStructural(spec)
	c.schemasPresent(spec, path)
	c.defaultsNeedPruning(spec, path)
	for i := range spec.Versions {
		if c.ctx.Err() != nil {
			return
		}
		c.version(&spec.Versions[i], path.Child("versions").Index(i))
	}
	c.onceOnly(spec, path)
	c.versionList(spec, path)
	c.requiredNames(&spec.Names, path.Child("names"))
	c.names(&spec.Names, path.Child("names"))
	c.topLevel(spec, path)
	conversion := spec.Conversion
	if conversion != nil && conversion.Strategy != crd.NoneConverter && spec.Preserves() {
		c.invalid("CONV-050", path.Child("conversion", "strategy"), named(conversion.Strategy),
			"must be None if spec.preserveUnknownFields is true")
	}
	c.conversion(spec.Conversion, path.Child("conversion"))
	c.showCoerced()
}

// group checks the API group (CRD-030).
func (c *checker) group(group string, path *field.Path) {
	if group == "" {
		c.required("CRD-030", path, "")
		return
	}
	if reasons := validation.IsDNS1123Subdomain(group); len(reasons) > 0 {
		c.invalid("CRD-030", path, group, strings.Join(reasons, ","))
	} else if !strings.Contains(group, ".") {
		c.invalid("CRD-030", path, group, "should be a domain with at least one dot")
	}
}

// decideStructural requires structural schemas of a definition that prunes, or
// that uses a feature that needs them (CRD-037).
func (c *checker) decideStructural(spec *crd.CustomResourceDefinitionSpec) {
	needs := func(s *crd.JSONSchemaProps) bool {
		return s.Default != nil || s.XEmbeddedResource || s.XPreserveUnknownFields != nil ||
			s.XIntOrString || len(s.XListMapKeys) > 0 || s.XListType != nil ||
			len(s.XValidations) > 0
	}
	if spec.Prunes() || spec.AnyNode(needs) {
		c.structural = true
	}
}

// schemasPresent checks that every version has a schema (CRD-034). Where that
// is not required, a definition that prunes needs one in every served version
// (CRD-035).
func (c *checker) schemasPresent(spec *crd.CustomResourceDefinitionSpec, path *field.Path) {
	if spec.Validation != nil && spec.Validation.OpenAPIV3Schema != nil ||
		!c.schemaRequired && !spec.Prunes() {
		return
	}
	rule, detail := "CRD-034", c.profile.Full("schemas are required", "")
	if !c.schemaRequired {
		rule, detail = "CRD-035", "because otherwise all fields are pruned"
	}
	for i, v := range spec.Versions {
		if (c.schemaRequired || v.Served) && (v.Schema == nil || v.Schema.OpenAPIV3Schema == nil) {
			at := path.Child("versions").Index(i).Child("schema", "openAPIV3Schema")
			c.required(rule, at, detail)
		}
	}
}

// defaultsNeedPruning checks that a definition with defaults does not preserve
// unknown fields (CRD-036).
func (c *checker) defaultsNeedPruning(spec *crd.CustomResourceDefinitionSpec, path *field.Path) {
	hasDefault := func(s *crd.JSONSchemaProps) bool { return s.Default != nil }
	if spec.Preserves() && spec.AnyNode(hasDefault) {
		c.invalid("CRD-036", path.Child("preserveUnknownFields"), true,
			"must be false in order to use defaults in the schema")
	}
}

// onceOnly checks that nothing stands both at the top and in versions
// (CRD-045), and that what all versions share stands at the top (CRD-046). Only
// a definition of v1beta1 can break these rules.
func (c *checker) onceOnly(spec *crd.CustomResourceDefinitionSpec, path *field.Path) {
	const columns = "additionalPrinterColumns"
	kinds := [...]struct {
		name, top string
		atTop     bool
		of        func(*crd.CustomResourceDefinitionVersion) any
	}{
		{"schemas", "validation", spec.Validation != nil, schemaValue},
		{"subresources", "subresources", spec.Subresources != nil, subresourcesValue},
		{columns, columns, len(spec.AdditionalPrinterColumns) > 0, columnsValue},
	}
	for _, k := range kinds {
		if k.atTop && inVersions(spec.Versions, k.of) > 0 {
			c.forbidden("CRD-045", path.Child(k.top),
				"top-level and per-version "+k.name+" are mutually exclusive")
		}
	}
	versions := c.coercedVersions(spec.Versions)
	for _, k := range kinds {
		n := len(versions)
		if n > 0 && inVersions(versions, k.of) == n && identical(versions, k.of) {
			c.invalid("CRD-046", path.Child("versions"), spec.Versions, "per-version "+k.name+
				" may not all be set to identical values (top-level "+k.top+
				" should be used instead)")
		}
	}
}

func schemaValue(v *crd.CustomResourceDefinitionVersion) any {
	if v.Schema == nil {
		return nil
	}
	return v.Schema
}

func subresourcesValue(v *crd.CustomResourceDefinitionVersion) any {
	if v.Subresources == nil {
		return nil
	}
	return v.Subresources
}

func columnsValue(v *crd.CustomResourceDefinitionVersion) any {
	if len(v.AdditionalPrinterColumns) == 0 {
		return nil
	}
	return v.AdditionalPrinterColumns
}

// inVersions returns the number of versions that have a value.
func inVersions(
	versions []crd.CustomResourceDefinitionVersion,
	of func(*crd.CustomResourceDefinitionVersion) any,
) (n int) {
	for i := range versions {
		if of(&versions[i]) != nil {
			n++
		}
	}
	return n
}

// identical reports whether a value is equal in all versions.
func identical(
	versions []crd.CustomResourceDefinitionVersion,
	of func(*crd.CustomResourceDefinitionVersion) any,
) bool {
	for i := range versions {
		if !crd.SemanticEqual(of(&versions[i]), of(&versions[0])) {
			return false
		}
	}
	return true
}

// versionList checks the versions as a whole (CRD-041 to CRD-044).
func (c *checker) versionList(spec *crd.CustomResourceDefinitionSpec, path *field.Path) {
	storage, seen, unique := 0, map[string]bool{}, true
	for _, v := range spec.Versions {
		if v.Storage {
			storage++
		}
		unique = unique && !seen[v.Name]
		seen[v.Name] = true
	}
	if !unique {
		c.invalid("CRD-041", path.Child("versions"), spec.Versions,
			"must contain unique version names")
	}
	if storage != 1 {
		c.invalid("CRD-042", path.Child("versions"), spec.Versions,
			"must have exactly one version marked as storage version")
	}
	if spec.Version == "" {
		return
	}
	if reasons := validation.IsDNS1035Label(spec.Version); len(reasons) > 0 {
		c.invalid("CRD-044", path.Child("version"), spec.Version, strings.Join(reasons, ","))
	}
	if len(spec.Versions) > 0 && spec.Versions[0].Name != spec.Version {
		c.invalid("CRD-044", path.Child("version"), spec.Version,
			"must match the first version in spec.versions")
	}
}

// topLevel validates what all versions share.
func (c *checker) topLevel(spec *crd.CustomResourceDefinitionSpec, path *field.Path) {
	c.schema(spec.Validation, path.Child("validation"),
		schemaUse{status: anyStatus(spec), unchanged: c.unchangedSchemas[spec.Version]})
	c.subresources(spec.Subresources, path.Child("subresources"))
	c.columns(spec.AdditionalPrinterColumns, path.Child("additionalPrinterColumns"))
	if len(spec.SelectableFields) == 0 {
		return
	}
	at := path.Child("selectableFields")
	if spec.Validation == nil {
		const short = "may only be set when validations.schema is included"
		c.invalid("CRD-082", at, "", c.profile.Full("selectableFields "+short, short))
		return
	}
	c.selectable(spec.SelectableFields, selection{
		schema: spec.Validation.OpenAPIV3Schema, path: at,
		schemaPath: path.Child("schema.openAPIV3Schema"), many: c.sameFields[""],
	})
}

// anyStatus reports whether some version has the status subresource.
func anyStatus(spec *crd.CustomResourceDefinitionSpec) bool {
	if hasStatus(spec.Subresources) {
		return true
	}
	for i := range spec.Versions {
		if hasStatus(spec.Versions[i].Subresources) {
			return true
		}
	}
	return false
}

func hasStatus(s *crd.CustomResourceSubresources) bool { return s != nil && s.Status != nil }
