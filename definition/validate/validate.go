package validate

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/bounded"
	"github.com/crdsem/crdsem/internal/belowfacade/decoded"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Result has the findings of the server about a definition.
type Result struct {
	// Errors are the reasons why the server rejects the definition, in its
	// order. Their paths are the server's; see "top level" in the package's
	// terms. The Origin of each is the id of the rule of the specification that
	// the definition breaks, e.g. CRD-030.
	Errors field.ErrorList
	// Warnings are the server's warnings. It returns them only if there are no
	// errors.
	Warnings []string
	// AsNew are the reasons why the server would reject a definition that it
	// has stored if it were new. Only [Stored] fills it in.
	AsNew field.ErrorList
	// Err is the cause of the context, if that ended before the definition was
	// validated. The result has nothing else then.
	Err error
}

// Create validates a definition as on create (CRD-003). To do what the server
// does, call it with the result of [definition.CRD.ForCreate].
//
// Its time is linear in the length of the definition, except for rules: one
// that is full of macros or comparisons can take a minute to compile, as on the
// server. Create ends with its context all the same; the compilation of one
// rule goes on in the background then.
//
// Calls with the same cache ([structural.InCache]) share what they compile,
// e.g. of one definition in several minors.
func Create(ctx context.Context, def *definition.CRD, options ...structural.Option) Result {
	c := newChecker(ctx, def, enforcedOnCreate(), options)
	resource := map[string]any{"metadata": c.crd.Metadata}
	names := nameRule(&c.crd.Spec)
	c.metadata(metadata.ValidateCreate(
		resource, metadata.ClusterScoped, names, c.profile))
	c.spec()
	c.rest(nil)
	return c.result(warnings(&c.crd.Spec, nil, c.profile))
}

// Stored validates a definition that a server has stored, e.g. one that
// [definition.CRD.IsEstablished]. The result has no errors: the server accepted
// it, as an older minor or on an update with ratcheting, and serves it. What
// [Create] rejects is in AsNew. The definition is prepared as by
// [definition.CRD.ForCreate].
func Stored(ctx context.Context, def *definition.CRD, options ...structural.Option) Result {
	found := Create(ctx, def.ForCreate(), options...)
	found.AsNew, found.Errors = found.Errors, nil
	return found
}

// Update validates a definition that replaces old, with all ratcheting
// (CRD-400). To do what the server does, call it with the result of
// [definition.CRD.ForUpdate]. Neither argument is changed. It ends with its
// context, as Create does.
func Update(
	ctx context.Context, def, old *definition.CRD, options ...structural.Option,
) Result {
	after, before := objectOf(def), objectOf(old)
	c := newChecker(ctx, def, enforced{}, options)
	c.enforced = enforcedOnUpdate(after, before, c.profile)
	c.metadataUpdate(before)
	c.spec()
	c.immutable(&before.Spec)
	c.rest(before)
	return c.result(warnings(&after.Spec, &before.Spec, c.profile))
}

// objectOf returns the decoded object of a definition. It is shared and must
// not be changed.
func objectOf(def *definition.CRD) *crd.CustomResourceDefinition {
	if def == nil || def.Object == nil {
		return new(crd.CustomResourceDefinition)
	}
	return def.Object
}

// result returns what was found. It is nothing if the context has ended.
func (c *checker) result(warnings []string) Result {
	if c.ctx.Err() != nil {
		return Result{Err: context.Cause(c.ctx)}
	}
	return Result{Errors: c.profile.Show(c.errs.List), Warnings: warnings}
}

// StatusUpdate validates an update of the status subresource: the metadata and
// the accepted names (CRD-112).
func StatusUpdate(def, old *definition.CRD) field.ErrorList {
	c := newChecker(context.Background(), def, enforcedOnCreate(), nil)
	c.metadataUpdate(objectOf(old))
	c.names(&c.crd.Status.AcceptedNames, field.NewPath("status", "acceptedNames"))
	return c.profile.Show(c.errs.List)
}

// checker collects the errors of one definition. Each of its methods checks one
// part of the definition.
type checker struct {
	enforced
	ctx     context.Context
	profile *profile.Profile
	minor   minors.Minor
	crd     *crd.CustomResourceDefinition
	errs    bounded.Errors
	// coerced maps a schema to the schema with coerced defaults, if they
	// differ.
	coerced map[*crd.JSONSchemaProps]*crd.JSONSchemaProps
	// clean has the visits that found no errors. Validation rules are not
	// counted.
	clean map[visit]bool
	// byVersion has the subresources of the versions, by name. It is nil before
	// the first one is asked for.
	byVersion map[string]*crd.CustomResourceSubresources

	cache   *structural.Cache // of all versions and their defaults
	convert decoded.Converter
}

func newChecker(
	ctx context.Context, def *definition.CRD, rules enforced, options []structural.Option,
) *checker {
	_, cache := structural.Common(options...)
	if cache == nil {
		cache = &structural.Cache{}
	}
	minor := def.Kubernetes()
	return &checker{
		enforced: rules, ctx: ctx, profile: profile.Named(string(minor)), minor: minor,
		crd:   objectOf(def),
		clean: map[visit]bool{},
		cache: cache, convert: converterIn(cache),
	}
}

// converterIn returns the converter of a cache. It remembers the schemas of all
// definitions that were validated with the cache.
func converterIn(cache *structural.Cache) decoded.Converter {
	own := &converterPart{}
	if kept, ok := cache.Part(partKey{},
		func() structural.CachePart { return own }).(*converterPart); ok {
		own = kept
	}
	return func(props *crd.JSONSchemaProps) (*structural.Schema, error) {
		return own.model(props, cache)
	}
}

// partKey is the key of the part in a [structural.Cache].
type partKey struct{}

// converterPart is what a cache keeps of converted schemas.
type converterPart struct {
	mu      sync.Mutex
	convert decoded.Converter // nil: none yet
}

func (p *converterPart) model(
	props *crd.JSONSchemaProps, cache *structural.Cache,
) (*structural.Schema, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.convert == nil {
		p.convert = decoded.NewConverter(cache)
	}
	return p.convert(props)
}

// Drop forgets the schemas.
func (p *converterPart) Drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.convert = nil
}

func (c *checker) add(errs ...*field.Error) { c.errs.Add(errs...) }

// The functions below report an error. Its origin is the id of the rule that
// the definition breaks, e.g. CRD-030.

// at adds an error at a path that is a text.
func (c *checker) at(rule, place string, err *field.Error) {
	err.Field = place
	c.add(err.WithOrigin(rule))
}

func (c *checker) required(rule string, path *field.Path, detail string) {
	c.add(field.Required(path, detail).WithOrigin(rule))
}

func (c *checker) forbidden(rule string, path *field.Path, detail string) {
	c.add(field.Forbidden(path, detail).WithOrigin(rule))
}

func (c *checker) invalid(rule string, path *field.Path, value any, detail string) {
	c.add(field.Invalid(path, value, detail).WithOrigin(rule))
}

// invalidAll reports one error for each reason.
func (c *checker) invalidAll(rule string, path *field.Path, value any, reasons []string) {
	for _, reason := range reasons {
		c.invalid(rule, path, value, reason)
	}
}

// oneOf reports a required value that is missing or not one of the known ones.
func (c *checker) oneOf(rule string, path *field.Path, value string, known []string) {
	if value == "" {
		c.required(rule, path, "")
		return
	}
	for _, k := range known {
		if k == value {
			return
		}
	}
	c.add(field.NotSupported(path, value, known).WithOrigin(rule))
}

// metadataUpdate validates the metadata of a definition that replaces old.
func (c *checker) metadataUpdate(old *crd.CustomResourceDefinition) {
	after := map[string]any{"metadata": c.crd.Metadata}
	before := map[string]any{"metadata": old.Metadata}
	c.metadata(metadata.ValidateUpdate(after, before, c.profile))
}

// metadata adds errors of metadata. It replaces the rules of objects by those
// of definitions.
func (c *checker) metadata(errs field.ErrorList) {
	for _, err := range errs {
		switch err.Origin {
		case "META-021":
			err.Origin = "CRD-021"
		case "META-032":
			err.Origin = "CRD-022"
		}
	}
	c.add(errs...)
}

// nameRule returns the rule for the name of a definition: it is the plural name
// and the group, e.g. crontabs.stable.example.com (CRD-020).
func nameRule(spec *crd.CustomResourceDefinitionSpec) metadata.NameRule {
	subdomain := metadata.Subdomain()
	want := spec.Names.Plural + "." + spec.Group
	must := func(check func(string) []string) func(string) []string {
		return func(name string) []string {
			reasons := check(name)
			if name != want {
				reasons = append(reasons, `must be spec.names.plural+"."+spec.group`)
			}
			return reasons
		}
	}
	return metadata.NameRule{
		Whole: must(subdomain.Whole), Prefix: must(subdomain.Prefix), Rule: "CRD-020",
	}
}

// rest validates the parts that come after the spec. old is nil on create.
func (c *checker) rest(old *crd.CustomResourceDefinition) {
	status := field.NewPath("status")
	c.names(&c.crd.Status.AcceptedNames, status.Child("acceptedNames"))
	c.storedVersions()
	c.approval(old)
	if old != nil && isTrue(old.Spec.PreserveUnknownFields) {
		return // CRD-130
	}
	if preserve := c.crd.Spec.PreserveUnknownFields; isTrue(preserve) {
		c.invalid("CRD-130", field.NewPath("spec", "preserveUnknownFields"), preserve,
			"cannot set to true, set x-kubernetes-preserve-unknown-fields to true "+
				"in spec.versions[*].schema instead")
	}
}

// named is a string that errors show as JSON, as they show values of named
// string types.
type named string

func isTrue(b *bool) bool { return b != nil && *b }

// immutable checks the fields that an update cannot change (CRD-401, CRD-402).
func (c *checker) immutable(old *crd.CustomResourceDefinitionSpec) {
	spec, path := &c.crd.Spec, field.NewPath("spec")
	same := func(rule string, path *field.Path, value, oldValue any) {
		if value != oldValue {
			c.invalid(rule, path, value, "field is immutable")
		}
	}
	if c.immutableNames {
		same("CRD-402", path.Child("scope"), named(spec.Scope), named(old.Scope))
		same("CRD-402", path.Child("names", "kind"), spec.Names.Kind, old.Names.Kind)
	}
	same("CRD-401", path.Child("group"), spec.Group, old.Group)
	same("CRD-401", path.Child("names", "plural"), spec.Names.Plural, old.Names.Plural)
}
