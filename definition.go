package crdsem

import (
	"cmp"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/metadata"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
	"github.com/crdsem/crdsem/versionsort"
)

// Definition is a CustomResourceDefinition, ready to judge its custom resources. It is immutable and safe for concurrent use.
//
// The definition is taken to be accepted and established under the names that it asks for: [Parse] does not validate it (package
// definition does). Definitions come from Parse and [Compile]; the zero value is of no use.
type Definition struct {
	model                 *definition.Model
	group, kind           string
	scope                 metadata.Scope
	preserveUnknownFields bool
	versions              []*Version
	webhook               conversion.Webhook
	converter             *conversion.Converter
	serverSideApply       ServerSideApply
	unsupported           bool // the webhook speaks no known version of ConversionReview: not even an object of the wanted version is let through
	cache                 *Cache
	ownCache              bool
	uncompiled            atomic.Int32 // served versions
}

// Version is one version of a definition. It is compiled when [Definition.Version] first hands it out, or when a first object comes in it.
// It is immutable and safe for concurrent use. Versions come from [Definition.Version]; the zero value is of no use.
type Version struct {
	def        *Definition
	model      *definition.Version
	name       string
	apiVersion string

	pruning    sync.Once
	schema     *structural.Schema // defaults pruned; nil: the version has no schema
	schemaErr  error
	settling   bool // decoding an object twice is as decoding it once
	compiling  sync.Once
	validator  *validation.Validator
	rules      *celrules.Rules
	merger     merger
	deprecated string // the warning, empty if there is none
}

// Parse reads a CustomResourceDefinition of apiextensions.k8s.io/v1 or v1beta1, as JSON (text that starts with {) or YAML. It fails with a
// *definition.DecodeError if the text is none, and with the server's reason if a schema is not structural enough to be served. Of several YAML
// documents it reads the first; text that says nothing is a definition without versions.
func Parse(crd []byte, options ...DefinitionOption) (*Definition, error) {
	decoded, _, err := definition.Decode(crd)
	if err != nil {
		return nil, err
	}
	return Compile(decoded, options...)
}

// Compile makes a definition of one that is decoded already, which is not changed. It fails as Parse does, but for decoding.
func Compile(crd *definition.CRD, options ...DefinitionOption) (*Definition, error) {
	d := &Definition{}
	for _, o := range options {
		if o != nil {
			o.applyDefinition(d)
		}
	}
	model, err := d.modelOf(crd)
	if err != nil {
		return nil, err
	}
	d.model, d.group, d.kind, d.preserveUnknownFields = model, model.Group(), model.Names().Kind, model.PreservesUnknownFields()
	if model.Scope() == definition.Cluster {
		d.scope = metadata.ClusterScoped
	}
	versions := model.Versions()
	for i := range versions {
		v := &versions[i]
		d.versions = append(d.versions, &Version{def: d, model: v, name: v.Name, apiVersion: d.group + "/" + v.Name})
		if v.Served {
			d.uncompiled.Add(1)
		}
	}
	return d, d.addConverter()
}

// Model returns what the definition says.
func (d *Definition) Model() *definition.Model { return d.model }

// Version returns a served version, compiled. It fails if the definition does not serve one of this name, or cannot serve it because a default
// does not fit its schema (DEF-044).
func (d *Definition) Version(name string) (*Version, error) {
	v := d.find(name)
	if v == nil || !v.model.Served {
		return nil, fmt.Errorf("%s does not serve version %q", d.title(), name)
	}
	if err := v.compile(); err != nil {
		return nil, err
	}
	return v, nil
}

func (d *Definition) find(name string) *Version {
	for _, v := range d.versions {
		if v.name == name {
			return v
		}
	}
	return nil
}

// title is what messages call the definition, which may have no name.
func (d *Definition) title() string { return cmp.Or(d.model.Name(), "the definition") }

// resource is the name of the resource as messages tell it.
func (d *Definition) resource() string { return d.model.Names().Plural + "." + d.group }

// schemaOf returns the schema of a version, nil if there is no such version.
func (d *Definition) schemaOf(version string) (*structural.Schema, error) {
	v := d.find(version)
	if v == nil {
		return nil, nil
	}
	return v.prunedSchema()
}

// Name returns the version's name, such as v1.
func (v *Version) Name() string { return v.name }

// APIVersion returns the group and the version, as in an object's apiVersion.
func (v *Version) APIVersion() string { return v.apiVersion }

// Schema returns the schema by which objects of the version are pruned and defaulted; nil if it has none.
func (v *Version) Schema() *structural.Schema { return v.schema }

// Prepare compiles what is otherwise compiled when an object first needs it: the validation rules. It does so once, and changes no outcome.
func (v *Version) Prepare() { v.rules.Prepare() }

func (v *Version) prunedSchema() (*structural.Schema, error) {
	v.pruning.Do(func() {
		v.schema = v.model.Schema()
		defer v.summarize()
		if v.schema == nil || v.def.preserveUnknownFields {
			return
		}
		if v.schema, v.schemaErr = defaulting.PruneDefaults(v.schema); v.schemaErr != nil {
			v.schemaErr = fmt.Errorf("version %q cannot be served: %w", v.name, v.schemaErr)
		}
	})
	return v.schema, v.schemaErr
}

// summarize looks for what keeps a decoded object from staying as it is when it is decoded again: embedded resources, which decoding may have
// repaired in part only, defaults that hold a null, and defaults in the metadata.
func (v *Version) summarize() {
	metadata := v.schema.Child("metadata")
	v.settling = !v.schema.HasEmbeddedResources() && !v.schema.HasNullDefaults() && metadata.Default() == nil && !metadata.HasDefaults()
}

func (v *Version) compile() error {
	schema, err := v.prunedSchema()
	if err != nil {
		return err
	}
	v.compiling.Do(func() {
		v.validator = validation.Compile(schema, validation.InCache(&v.def.cache.values))
		v.rules = celrules.Compile(schema, celrules.InCache(&v.def.cache.rules))
		v.deprecated = v.deprecationWarning()
		v.def.compiled()
	})
	return nil
}

// deprecationWarning returns the warning that the version sends with every answer, its own or the default one.
func (v *Version) deprecationWarning() string {
	switch {
	case !v.model.Deprecated:
		return ""
	case v.model.DeprecationWarning != nil:
		return *v.model.DeprecationWarning
	}
	text := fmt.Sprintf("%s %s is deprecated", v.apiVersion, v.def.kind)
	var current []string
	for _, other := range v.def.versions {
		if other.model.Served && !other.model.Deprecated {
			current = append(current, other.name)
		}
	}
	if name, ok := versionsort.Successor(v.name, current); ok {
		text += fmt.Sprintf("; use %s/%s %s", v.def.group, name, v.def.kind)
	}
	return text
}
