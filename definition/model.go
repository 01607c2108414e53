package definition

import (
	"fmt"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/belowfacade/decoded"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// Model is a compiled definition: what is needed to serve its resources. It is
// immutable and safe for concurrent use. What its methods return is shared and
// must not be changed.
type Model struct {
	name                   string
	group                  string
	names                  Names
	scope                  Scope
	versions               []Version
	storedVersions         []string
	conversion             Conversion
	preservesUnknownFields bool
}

// Scope is where resources live: in namespaces or in the cluster.
type Scope string

// The scopes.
const (
	Cluster    Scope = crd.ClusterScoped
	Namespaced Scope = crd.NamespaceScoped
)

// Names are the names of the defined resource (plural, singular, short names,
// categories) and kind.
type Names struct {
	Plural     string   `json:"plural"`
	Singular   string   `json:"singular,omitempty"`
	Kind       string   `json:"kind"`
	ListKind   string   `json:"listKind,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

// Version is one version of the defined resource.
type Version struct {
	// Name is the name of the version, e.g. v1beta1.
	Name string
	// Served versions are offered to clients. Objects are stored in the Storage
	// version.
	Served, Storage bool
	// Deprecated versions return a warning: DeprecationWarning, or the default
	// text if that is nil.
	Deprecated         bool
	DeprecationWarning *string
	schema             *structural.Schema
	// HasStatus reports whether the status subresource is on.
	HasStatus bool
	// Scale is nil if the scale subresource is off.
	Scale *ScalePaths
	// SelectableFields are the JSON paths of the fields that field selectors
	// may use.
	SelectableFields []string
	// PrinterColumns are the columns of the table output.
	PrinterColumns []PrinterColumn
}

// ScalePaths has the JSON paths of the fields of the scale subresource, e.g.
// .spec.replicas. LabelSelectorPath may be empty.
type ScalePaths struct {
	SpecReplicasPath, StatusReplicasPath, LabelSelectorPath string
}

// PrinterColumn is a column of the server's tables.
type PrinterColumn struct {
	Name, Type, Format, Description string
	Priority                        int32
	JSONPath                        string
}

// Conversion describes how objects are converted between versions.
type Conversion struct {
	// Strategy is StrategyNone or StrategyWebhook in a valid definition.
	Strategy conversion.Strategy
	// Webhook is nil unless the strategy is Webhook.
	Webhook *Webhook
}

// Webhook describes the webhook of a conversion.
type Webhook struct {
	// ClientConfig tells how the webhook is reached.
	ClientConfig conversion.ClientConfig
	// ReviewVersions are the versions of ConversionReview that the webhook
	// understands, the preferred one first, e.g. ["v1", "v1beta1"].
	ReviewVersions []string
}

// Name returns metadata.name: the plural name and the group, joined by a dot.
func (m *Model) Name() string { return m.name }

// Group returns the API group of the resource.
func (m *Model) Group() string { return m.group }

// Names returns the names of the resource and its kind.
func (m *Model) Names() Names { return m.names }

// Scope returns where the resources live.
func (m *Model) Scope() Scope { return m.scope }

// Versions returns the versions in the order of the document.
func (m *Model) Versions() []Version { return m.versions }

// Version returns the version with a name, nil if the definition lacks it.
func (m *Model) Version(name string) *Version {
	for i := range m.versions {
		if m.versions[i].Name == name {
			return &m.versions[i]
		}
	}
	return nil
}

// StorageVersion returns the version in which objects are stored. It is nil
// only if the definition is not valid.
func (m *Model) StorageVersion() *Version {
	for i := range m.versions {
		if m.versions[i].Storage {
			return &m.versions[i]
		}
	}
	return nil
}

// StoredVersions returns status.storedVersions: the names of the versions in
// which objects may be stored.
func (m *Model) StoredVersions() []string { return m.storedVersions }

// Conversion returns how objects are converted between versions.
func (m *Model) Conversion() Conversion { return m.conversion }

// PreservesUnknownFields reports whether fields that no schema specifies are
// kept (spec.preserveUnknownFields).
func (m *Model) PreservesUnknownFields() bool { return m.preservesUnknownFields }

// Compile builds the model of a definition. The versions of the definition
// share their equal schema nodes. Compile fails only if the schema of a version
// does not convert: the error wraps a *structural.ConversionError. It does not
// check whether the definition is valid; see package validate.
//
// Definitions that are compiled with the same cache share schema nodes too
// ([structural.InCache]).
func Compile(crd *CRD, options ...structural.Option) (*Model, error) {
	_, cache := structural.Common(options...)
	spec := &crd.definition().Spec
	m := newModel(crd)
	convert := decoded.NewConverter(cache)
	for i := range spec.Versions {
		v := &spec.Versions[i]
		schema, err := modelOf(schemaOf(spec, v), convert)
		if err != nil {
			return nil, fmt.Errorf("version %q: %w", v.Name, err)
		}
		m.versions = append(m.versions, compileVersion(spec, v))
		m.versions[i].schema = schema
	}
	return m, nil
}

// newModel returns the model of a definition without its versions.
func newModel(crd *CRD) *Model {
	spec := &crd.definition().Spec
	return &Model{
		name:  crd.Name(),
		group: spec.Group,
		names: Names{
			Plural: spec.Names.Plural, Singular: spec.Names.Singular,
			Kind: spec.Names.Kind, ListKind: spec.Names.ListKind,
			ShortNames: spec.Names.ShortNames, Categories: spec.Names.Categories,
		},
		scope:                  Scope(spec.Scope),
		storedVersions:         crd.definition().Status.StoredVersions,
		conversion:             conversionOf(spec.Conversion),
		preservesUnknownFields: spec.Preserves(),
	}
}

// modelOf returns the model of a version's schema, nil if there is no schema.
func modelOf(
	validation *crd.CustomResourceValidation, convert decoded.Converter,
) (*structural.Schema, error) {
	if validation == nil || validation.OpenAPIV3Schema == nil {
		return nil, nil
	}
	return convert(asStored(validation.OpenAPIV3Schema))
}

// Schema returns the structural schema of the version. It may be nil.
func (v *Version) Schema() *structural.Schema { return v.schema }

func compileVersion(
	spec *crd.CustomResourceDefinitionSpec, v *crd.CustomResourceDefinitionVersion,
) Version {
	out := Version{
		Name: v.Name, Served: v.Served, Storage: v.Storage,
		Deprecated: v.Deprecated, DeprecationWarning: v.DeprecationWarning,
	}
	if subresources := subresourcesOf(spec, v); subresources != nil {
		out.HasStatus = subresources.Status != nil
		out.Scale = scaleOf(subresources.Scale)
	}
	fields := v.SelectableFields
	if len(fields) == 0 {
		fields = spec.SelectableFields
	}
	for _, f := range fields {
		out.SelectableFields = append(out.SelectableFields, f.JSONPath)
	}
	columns := v.AdditionalPrinterColumns
	if len(columns) == 0 {
		columns = spec.AdditionalPrinterColumns
	}
	for _, c := range columns {
		out.PrinterColumns = append(out.PrinterColumns, PrinterColumn(c))
	}
	return out
}

// schemaOf returns the schema of a version: its own, or the one at the top.
func schemaOf(
	spec *crd.CustomResourceDefinitionSpec, v *crd.CustomResourceDefinitionVersion,
) *crd.CustomResourceValidation {
	if v.Schema != nil {
		return v.Schema
	}
	return spec.Validation
}

func subresourcesOf(
	spec *crd.CustomResourceDefinitionSpec, v *crd.CustomResourceDefinitionVersion,
) *crd.CustomResourceSubresources {
	if v.Subresources != nil {
		return v.Subresources
	}
	return spec.Subresources
}

func scaleOf(in *crd.CustomResourceSubresourceScale) *ScalePaths {
	if in == nil {
		return nil
	}
	return &ScalePaths{
		SpecReplicasPath:   in.SpecReplicasPath,
		StatusReplicasPath: in.StatusReplicasPath,
		LabelSelectorPath:  orEmpty(in.LabelSelectorPath),
	}
}

func conversionOf(in *crd.CustomResourceConversion) Conversion {
	if in == nil {
		return Conversion{Strategy: conversion.StrategyNone}
	}
	out := Conversion{Strategy: conversion.Strategy(in.Strategy)}
	if out.Strategy == conversion.StrategyWebhook {
		out.Webhook = &Webhook{
			ClientConfig:   clientConfigOf(in.WebhookClientConfig),
			ReviewVersions: in.ConversionReviewVersions,
		}
	}
	return out
}

func clientConfigOf(in *crd.WebhookClientConfig) conversion.ClientConfig {
	if in == nil {
		return conversion.ClientConfig{}
	}
	out := conversion.ClientConfig{URL: orEmpty(in.URL), CABundle: in.CABundle}
	if s := in.Service; s != nil {
		out.Service = &conversion.Service{
			Namespace: s.Namespace, Name: s.Name, Path: orEmpty(s.Path), Port: s.Port,
		}
	}
	return out
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
