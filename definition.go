package crdsem

import (
	"cmp"
	"fmt"
	"sync/atomic"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Definition is a CustomResourceDefinition that requests can be sent to. It is
// immutable and safe for concurrent use.
//
// The definition is taken to be accepted and established under the names that
// it asks for. [Parse] does not validate it; package definition/validate does.
// Definitions come from Parse and [Compile].
type Definition struct {
	model                 *definition.Model
	group, kind           string
	scope                 metadata.Scope
	preserveUnknownFields bool
	versions              []*Version

	webhook   conversion.Webhook
	converter *conversion.Converter
	// unsupported is set if the webhook supports no known version of
	// ConversionReview. Then it refuses every object.
	unsupported bool

	serverSideApply func(*Definition, *Version) facadeoptions.Merge
	ruleOptions     []structural.Option
	defaultsMemory  int64

	profile *profile.Profile

	values, rules *Cache // one and the same, or new ones
	ownCache      bool

	uncompiled atomic.Int32 // the number of served versions that are not compiled yet
	unprepared atomic.Int32 // the number of served versions whose rules may not be
}

// Parse reads a CustomResourceDefinition of apiextensions.k8s.io/v1 or v1beta1
// as YAML or JSON; text that starts with { is JSON. It is YAML 1.1: a plain key
// such as y, n, on or off is a boolean. Of several YAML documents it reads the
// first one. An empty document is a definition without versions.
//
// The error is a *definition.DecodeError if the text is not a definition.
// Otherwise it has the server's reason why a schema cannot be served, e.g.
// because it has "patternProperties". A server need not accept the definition,
// since a stored one may be invalid: validate.Create judges it.
//
// Parse cannot be stopped. Its time is linear in the length of the text; the
// server takes definitions of at most 3 MiB.
func Parse(crd []byte, options ...DefinitionOption) (*Definition, error) {
	d, err := chosen(options)
	if err != nil {
		return nil, err
	}
	decoded, _, err := definition.Parse(crd, structural.Kubernetes(d.Kubernetes()))
	if err != nil {
		return nil, err
	}
	return Compile(decoded, options...)
}

// FromMap is like [Parse] for a document that is decoded, e.g. an object of
// package manifest. It does not change it.
func FromMap(document map[string]any, options ...DefinitionOption) (*Definition, error) {
	d, err := chosen(options)
	if err != nil {
		return nil, err
	}
	decoded, _, err := definition.FromMap(document, structural.Kubernetes(d.Kubernetes()))
	if err != nil {
		return nil, err
	}
	return Compile(decoded, options...)
}

// chosen returns an empty definition with options. Those that the facade does
// not know are for the rules.
func chosen(options []DefinitionOption) (*Definition, error) {
	chosen := facadeoptions.Definition{DefaultsMemory: DefaultDefaultsMemory}
	chosen.Choose(options)
	d := &Definition{
		webhook: chosen.Webhook, ruleOptions: options, defaultsMemory: chosen.DefaultsMemory,
	}
	minor, cache := structural.Common(options...)
	if minor != "" {
		var err error
		if d.profile, err = profile.Resolve(string(minor)); err != nil {
			return nil, &OptionError{
				Option: "crdsem.Kubernetes", Value: string(minor),
				Known: fmt.Sprint(minors.All()),
			}
		}
	}
	d.values, d.rules = cache, cache
	d.serverSideApply, _ = chosen.Server.(func(*Definition, *Version) facadeoptions.Merge)
	return d, nil
}

// Compile is like [Parse] for a definition that is already decoded. It does not
// change it.
func Compile(crd *definition.CRD, options ...DefinitionOption) (*Definition, error) {
	d, err := chosen(options)
	if err != nil {
		return nil, err
	}
	if d.profile == nil {
		d.profile = profile.Named(string(crd.Kubernetes()))
	}
	if d.model, err = d.compileModel(crd); err != nil {
		return nil, err
	}
	d.group, d.kind = d.model.Group(), d.model.Names().Kind
	d.preserveUnknownFields = d.model.PreservesUnknownFields()
	if d.model.Scope() != definition.Namespaced {
		d.scope = metadata.ClusterScoped
	}
	versions := d.model.Versions()
	for i := range versions {
		v := &versions[i]
		of := typeMeta{group: d.group, version: v.Name}
		d.versions = append(d.versions,
			&Version{def: d, model: v, name: v.Name, apiVersion: of.groupVersion()})
		if v.Served {
			d.uncompiled.Add(1)
			d.unprepared.Add(1)
		}
	}
	return d, d.addConverter()
}

// compileModel compiles the model. A definition without a cache gets its own:
// what is compiled for validators and for rules is dropped at different times,
// what is for schemas at once.
func (d *Definition) compileModel(crd *definition.CRD) (*definition.Model, error) {
	if d.values != nil {
		return definition.Compile(crd, structural.InCache(d.values))
	}
	d.values, d.rules, d.ownCache = &Cache{}, &Cache{}, true
	return definition.Compile(crd)
}

// countCompiled is called once for each served version, after it was compiled.
// After the last one, nothing needs the parts that the validators shared.
func (d *Definition) countCompiled() {
	if d.uncompiled.Add(-1) == 0 && d.ownCache {
		d.values.Drop()
	}
}

// countPrepared is called once for each served version, after all its rules
// were compiled. After the last one, nothing needs what the rules shared.
func (d *Definition) countPrepared() {
	if d.unprepared.Add(-1) == 0 && d.ownCache {
		d.rules.Drop()
	}
}

// Kubernetes returns the minor version of the server.
func (d *Definition) Kubernetes() minors.Minor {
	if d.profile == nil {
		return "" // of the options alone
	}
	return minors.Minor(d.profile.Minor.String())
}

// Model returns the content of the definition.
func (d *Definition) Model() *definition.Model { return d.model }

// Version returns a served version, compiled. It fails if the definition does
// not serve a version of this name, or cannot serve it because a default does
// not fit its schema (DEF-044).
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

// title is the name of the definition in messages. A definition may have no
// name.
func (d *Definition) title() string { return cmp.Or(d.model.Name(), "the definition") }

// resource is the name of the resource in messages, e.g.
// crontabs.stable.example.com.
func (d *Definition) resource() subject { return subject{d.model.Names().Plural, d.group} }
