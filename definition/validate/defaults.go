package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/bounded"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/objectmeta"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// defaults validates the defaults on the spine of a structural schema, the
// model of props (CRD-300 to CRD-313). It skips those below
// additionalProperties.
func (c *checker) defaults(
	props *crd.JSONSchemaProps, s *structural.Schema, path *field.Path,
) field.ErrorList {
	if s.Default() == nil && !s.HasDefaults() {
		return nil
	}
	root := structural.AsEmbeddedResource(s)
	d := defaultChecker{
		ctx: c.ctx, profile: c.profile, minor: c.minor,
		prunedOnly: c.prunedDefaults, cache: c.cache,
		budget: celrules.Budget,
	}
	d.node(root, path, inMeta{})
	c.recordCoerced(props, root, d.coerced)
	return d.errs.List
}

// defaultChecker collects errors of defaults until the cost budget of their
// rules is used up.
type defaultChecker struct {
	ctx        context.Context
	profile    *profile.Profile
	minor      minors.Minor
	prunedOnly bool
	cache      *structural.Cache
	budget     int64
	errs       bounded.Errors
	coerced    coercedDefaults
}

// inMeta locates a node relative to the embedded resource that holds it. Its
// zero value means that no resource does.
type inMeta struct {
	resource *structural.Schema // the schema of the resource
	inside   bool               // the node is in its apiVersion, kind or metadata
	steps    *metaStep          // the way from the resource to the node
}

// metaStep is one step from a resource to a node: to the property name, or to
// the items of a list.
type metaStep struct {
	up     *metaStep
	name   string
	isItem bool
}

// surround returns a resource that has only value, at the place where the steps
// lead.
func (s *metaStep) surround(value any) any {
	for ; s != nil; s = s.up {
		if s.isItem {
			value = []any{value}
		} else {
			value = map[string]any{s.name: value}
		}
	}
	return value
}

func (d *defaultChecker) node(s *structural.Schema, path *field.Path, in inMeta) {
	if s.Default() == nil && !s.HasDefaults() || d.ctx.Err() != nil || d.errs.Full() {
		return
	}
	if s.EmbeddedResource() {
		in = inMeta{resource: s}
	}
	if s.Default() != nil {
		d.value(s, path.Child("default"), in)
		if d.budget < 0 {
			return
		}
	}
	if s.Items() != nil {
		in := in
		in.steps = &metaStep{up: in.steps, isItem: true}
		d.node(s.Items(), path.Child("items"), in)
	}
	for name, property := range s.Properties() {
		if d.budget < 0 {
			return
		}
		in := in
		in.steps = &metaStep{up: in.steps, name: name}
		if s.EmbeddedResource() && ofResource(name) {
			in.inside = true
		}
		d.node(property, path.Child("properties").Key(name), in)
	}
}

// ofResource reports whether every resource has a property of that name.
func ofResource(name string) bool {
	return name == "metadata" || name == "apiVersion" || name == "kind"
}

// value validates one default in stages, until one fails: its metadata, its
// schema, then its rules.
func (d *defaultChecker) value(s *structural.Schema, at *field.Path, in inMeta) {
	value := jsonvalue.DeepCopy(s.Default())
	if !in.inside && d.prunedOnly && !isPruned(s) {
		err := field.Invalid(at, value, "must not have unknown fields")
		d.errs.Add(err.WithOrigin("CRD-302"))
	}
	var errs field.ErrorList
	validator := d.validator(s)
	if in.inside {
		errs = d.metadataErrors(s, at, in)
	} else {
		errs = d.resourceErrors(value, s, validator, at)
	}
	if len(errs) == 0 {
		errs = validator.Values(d.ctx, at, value)
	}
	if len(errs) == 0 {
		run := defaultRules{
			schema: s, value: value, path: at, budget: d.budget,
			options: d.options(),
		}
		if s != in.resource {
			run.options = append(run.options, inside())
		}
		errs, d.budget = run.errors(d.ctx)
	}
	d.errs.Add(errs...)
}

// validator returns the validator of a node's default.
func (d *defaultChecker) validator(s *structural.Schema) *validation.Validator {
	return validation.Compile(s, append(d.options(), validation.OfDefaults())...)
}

func (d *defaultChecker) options() []structural.Option {
	return []structural.Option{structural.InCache(d.cache), structural.Kubernetes(d.minor)}
}

// isPruned reports whether a default has only fields that its schema specifies
// (CRD-302).
func isPruned(s *structural.Schema) bool {
	value := jsonvalue.DeepCopy(s.Default())
	if object, ok := value.(map[string]any); ok && s.EmbeddedResource() {
		prune.Resource(object, s)
	} else {
		prune.Value(value, s)
	}
	return jsonvalue.Equal(value, s.Default())
}

// resourceErrors validates the embedded resources in a default, and coerces
// their metadata (CRD-306): it changes value, and records it in d.coerced if it
// differs from the default.
func (d *defaultChecker) resourceErrors(
	value any, s *structural.Schema, v *validation.Validator, at *field.Path,
) field.ErrorList {
	_, err := objectmeta.Coerce(value, s)
	if s.HasEmbeddedResources() && !jsonvalue.Equal(value, s.Default()) {
		if d.coerced == nil {
			d.coerced = coercedDefaults{}
		}
		d.coerced[s] = value
	}
	if err != nil {
		return metadata.At(at, err)
	}
	return v.EmbeddedResources(d.ctx, at, value)
}

// metadataErrors validates a default inside the metadata of a resource: it
// makes a resource that has the default (CRD-305).
func (d *defaultChecker) metadataErrors(
	s *structural.Schema, at *field.Path, in inMeta,
) field.ErrorList {
	// The first step leads to a property, therefore this is an object.
	resource, _ := in.steps.surround(jsonvalue.DeepCopy(s.Default())).(map[string]any)
	for key, value := range map[string]any{"apiVersion": "validation/v1", "kind": "Validation"} {
		if _, ok := resource[key]; !ok {
			resource[key] = value
		}
	}
	invalid := func(err error) field.ErrorList {
		detail := "must result in valid metadata: " + err.Error()
		return field.ErrorList{field.Invalid(at, s.Default(), detail).WithOrigin("DEF-054")}
	}
	_, err := objectmeta.Coerce(resource, in.resource)
	if err != nil {
		d.profile.Show(field.ErrorList{err})
		return invalid(err)
	}
	if errs := d.validator(in.resource).EmbeddedResources(d.ctx, nil, resource); len(errs) > 0 {
		return invalid(errs.ToAggregate())
	}
	return nil
}
