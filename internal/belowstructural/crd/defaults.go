package crd

import "strings"

// Values of fields that rules depend on.
const (
	ClusterScoped    = "Cluster"
	NamespaceScoped  = "Namespaced"
	NoneConverter    = "None"
	WebhookConverter = "Webhook"
	Established      = "Established"
	ConditionTrue    = "True"
)

// setDefaults fills in the defaults of a definition of v1, as the server does
// when it decodes one (CRD-010).
func setDefaults(d *CustomResourceDefinition) {
	spec := &d.Spec
	if spec.Names.Singular == "" {
		spec.Names.Singular = strings.ToLower(spec.Names.Kind)
	}
	if spec.Names.ListKind == "" && spec.Names.Kind != "" {
		spec.Names.ListKind = spec.Names.Kind + "List"
	}
	if spec.Conversion == nil {
		spec.Conversion = &CustomResourceConversion{Strategy: NoneConverter}
	}
	if spec.PreserveUnknownFields == nil {
		spec.PreserveUnknownFields = new(bool)
	}
	if len(d.Status.StoredVersions) == 0 {
		d.Status.StoredVersions = AddStorageVersion(d.Status.StoredVersions, spec.Versions)
	}
}

// setDefaultsBeta fills in the defaults of a definition of v1beta1: more fields
// than those of v1 (CRD-010).
func setDefaultsBeta(d *CustomResourceDefinition) {
	spec := &d.Spec
	if spec.Scope == "" {
		spec.Scope = NamespaceScoped
	}
	if len(spec.Versions) == 0 && spec.Version != "" {
		spec.Versions = []CustomResourceDefinitionVersion{
			{Name: spec.Version, Served: true, Storage: true},
		}
	}
	if spec.Version == "" && len(spec.Versions) > 0 {
		spec.Version = spec.Versions[0].Name
	}
	if spec.PreserveUnknownFields == nil {
		preserve := true
		spec.PreserveUnknownFields = &preserve
	}
	if c := spec.Conversion; c != nil && c.Strategy == WebhookConverter &&
		len(c.ConversionReviewVersions) == 0 {
		c.ConversionReviewVersions = []string{"v1beta1"}
	}
	setDefaults(d)
}

// hoist moves what all versions share to the top of the spec, e.g. their schema
// (CRD-011).
func hoist(spec *CustomResourceDefinitionSpec) {
	if len(spec.Versions) == 0 {
		return
	}
	first := spec.Versions[0]
	spec.Version = first.Name
	subresources, schema, columns, fields := true, true, true, true
	for _, v := range spec.Versions[1:] {
		subresources = subresources && SemanticEqual(v.Subresources, first.Subresources)
		schema = schema && SemanticEqual(v.Schema, first.Schema)
		columns = columns &&
			SemanticEqual(v.AdditionalPrinterColumns, first.AdditionalPrinterColumns)
		fields = fields && SemanticEqual(v.SelectableFields, first.SelectableFields)
	}
	for i := range spec.Versions {
		v := &spec.Versions[i]
		if subresources {
			spec.Subresources, v.Subresources = first.Subresources, nil
		}
		if schema {
			spec.Validation, v.Schema = first.Schema, nil
		}
		if columns {
			spec.AdditionalPrinterColumns = first.AdditionalPrinterColumns
			v.AdditionalPrinterColumns = nil
		}
		if fields {
			spec.SelectableFields, v.SelectableFields = first.SelectableFields, nil
		}
	}
}
