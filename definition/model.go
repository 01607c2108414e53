package definition

import (
	"fmt"

	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/internal/door"
	"github.com/crdsem/crdsem/structural"
)

// Definition is the compiled model of a definition: what is needed to serve its resources. It is immutable and safe for concurrent use; what its
// methods return is shared and must not be changed.
type Definition struct {
	name                   string
	group                  string
	names                  Names
	scope                  Scope
	versions               []Version
	storedVersions         []string
	conversion             Conversion
	preservesUnknownFields bool
}

// Scope says whether the resources live in namespaces.
type Scope string

// The scopes.
const (
	Cluster    Scope = crd.ClusterScoped
	Namespaced Scope = crd.NamespaceScoped
)

// Names are the names of the defined resource (plural, singular, short names, categories) and kind.
type Names struct {
	Plural, Singular       string
	Kind, ListKind         string
	ShortNames, Categories []string
}

// Version is one version of the defined resource.
type Version struct {
	// Name is the version's, such as v1beta1.
	Name string
	// Served versions are offered to clients; objects are stored in the one that is Storage.
	Served, Storage bool
	// Deprecated versions answer with a warning: DeprecationWarning, or the default text where that is nil.
	Deprecated         bool
	DeprecationWarning *string
	schema             *structural.Schema
	// HasStatus tells whether the status subresource is on.
	HasStatus bool
	// Scale is nil if the scale subresource is off.
	Scale *Scale
	// SelectableFields are the JSON paths of the fields that field selectors may use.
	SelectableFields []string
	// PrinterColumns are the columns of the table output.
	PrinterColumns []PrinterColumn
}

// Scale tells where the fields of the scale subresource are, as JSON paths. LabelSelectorPath is empty if there is none.
type Scale struct {
	SpecReplicasPath, StatusReplicasPath, LabelSelectorPath string
}

// PrinterColumn is a column of the server's table output.
type PrinterColumn struct {
	Name, Type, Format, Description string
	Priority                        int32
	JSONPath                        string
}

// Conversion says how objects are converted between versions.
type Conversion struct {
	// Strategy is None or Webhook in a definition that the server accepts.
	Strategy string
	// Webhook is nil unless the strategy is Webhook.
	Webhook *Webhook
}

// Webhook says how a conversion webhook is reached: by Service, or if that is nil by URL.
type Webhook struct {
	URL            string
	Service        *Service
	CABundle       []byte
	ReviewVersions []string
}

// Service is a Service in the cluster. Path is empty if there is none.
type Service struct {
	Namespace, Name, Path string
	Port                  int32
}

// CompileOption is a choice made for [Compile].
type CompileOption func(*compileChoices)

type compileChoices struct{ cache *structural.Cache }

// schemas is what package structural has for this module only.
var schemas = structural.Internal.Export(door.Key)

// converter builds the model of a decoded schema, each only once.
type converter = func(*crd.JSONSchemaProps) (*structural.Schema, error)

// InCache shares the nodes of schemas with all definitions that use the same cache. Without it, the versions of a definition share theirs.
func InCache(cache *structural.Cache) CompileOption {
	return func(c *compileChoices) { c.cache = cache }
}

// Compile builds the model of a definition. It checks only what it must to build it: the error is a *structural.ConversionError, wrapped, if a version's
// schema does not convert. Whether the definition is valid is for [Validate] to say.
func Compile(crd *CRD, options ...CompileOption) (*Definition, error) {
	spec := &crd.definition().Spec
	d := &Definition{
		name:  crd.Name(),
		group: spec.Group,
		names: Names{
			Plural: spec.Names.Plural, Singular: spec.Names.Singular, Kind: spec.Names.Kind, ListKind: spec.Names.ListKind,
			ShortNames: spec.Names.ShortNames, Categories: spec.Names.Categories,
		},
		scope:                  Scope(spec.Scope),
		storedVersions:         crd.definition().Status.StoredVersions,
		conversion:             conversionOf(spec.Conversion),
		preservesUnknownFields: spec.PreserveUnknownFields == nil || *spec.PreserveUnknownFields,
	}
	var choices compileChoices
	for _, o := range options {
		if o != nil {
			o(&choices)
		}
	}
	convert := schemas.Converter(choices.cache)
	for i := range spec.Versions {
		v := &spec.Versions[i]
		schema, err := modelOf(schemaOf(spec, v), convert)
		if err != nil {
			return nil, fmt.Errorf("version %q: %w", v.Name, err)
		}
		d.versions = append(d.versions, compileVersion(spec, v))
		d.versions[i].schema = schema
	}
	return d, nil
}

// modelOf returns the model of a version's schema, nil if it has none.
func modelOf(validation *crd.CustomResourceValidation, convert converter) (*structural.Schema, error) {
	if validation == nil || validation.OpenAPIV3Schema == nil {
		return nil, nil
	}
	return convert(asStored(validation.OpenAPIV3Schema))
}

// Schema returns the model of the version's schema, nil if it has none.
func (v *Version) Schema() *structural.Schema { return v.schema }

func compileVersion(spec *crd.CustomResourceDefinitionSpec, v *crd.CustomResourceDefinitionVersion) Version {
	out := Version{Name: v.Name, Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated, DeprecationWarning: v.DeprecationWarning}
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

// schemaOf returns the schema of a version, whether it stands there or at the top.
func schemaOf(spec *crd.CustomResourceDefinitionSpec, v *crd.CustomResourceDefinitionVersion) *crd.CustomResourceValidation {
	if v.Schema != nil {
		return v.Schema
	}
	return spec.Validation
}

func subresourcesOf(spec *crd.CustomResourceDefinitionSpec, v *crd.CustomResourceDefinitionVersion) *crd.CustomResourceSubresources {
	if v.Subresources != nil {
		return v.Subresources
	}
	return spec.Subresources
}

func scaleOf(in *crd.CustomResourceSubresourceScale) *Scale {
	if in == nil {
		return nil
	}
	return &Scale{SpecReplicasPath: in.SpecReplicasPath, StatusReplicasPath: in.StatusReplicasPath, LabelSelectorPath: orEmpty(in.LabelSelectorPath)}
}

func conversionOf(in *crd.CustomResourceConversion) Conversion {
	if in == nil {
		return Conversion{Strategy: crd.NoneConverter}
	}
	if in.Strategy != crd.WebhookConverter {
		return Conversion{Strategy: in.Strategy}
	}
	webhook := &Webhook{ReviewVersions: in.ConversionReviewVersions}
	if config := in.WebhookClientConfig; config != nil {
		webhook.URL, webhook.CABundle = orEmpty(config.URL), config.CABundle
		if s := config.Service; s != nil {
			webhook.Service = &Service{Namespace: s.Namespace, Name: s.Name, Path: orEmpty(s.Path), Port: s.Port}
		}
	}
	return Conversion{in.Strategy, webhook}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
