package crdsem

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
	"github.com/crdsem/crdsem/versionsort"
)

// Version is one version of a definition, e.g. v1. It comes from
// [Definition.Version]. It is immutable and safe for concurrent use.
//
// [Version.Do] says what the server does with a request, and Scale what a
// client gets of the scale subresource. The methods named after a verb are one
// line each over Do. None of them changes an object that it is given.
type Version struct {
	def        *Definition
	model      *definition.Version
	name       string
	apiVersion string

	pruning   sync.Once
	schema    *structural.Schema // defaults pruned; nil if the version has no schema
	schemaErr error
	settling  bool // decoding an object twice gives the same as decoding it once

	compiling  sync.Once
	validator  *validation.Validator
	rules      *celrules.Rules
	preparing  sync.Once
	deprecated string // the warning of a deprecated version, or empty

	merging sync.Once
	merge   facadeoptions.Merge
}

// Definition returns the definition that the version belongs to.
func (v *Version) Definition() *Definition { return v.def }

// Name returns the version's name, e.g. v1.
func (v *Version) Name() string { return v.name }

// APIVersion returns the group and the version as in an object's apiVersion,
// e.g. stable.example.com/v1.
func (v *Version) APIVersion() string { return v.apiVersion }

// Schema returns the schema by which objects of the version are pruned and
// defaulted; nil if it has none.
func (v *Version) Schema() *structural.Schema { return v.schema }

// SchemaPath returns the path of a schema node in the definition, e.g.
// `spec.versions[0].schema.openAPIV3Schema.properties[spec]`. The node is given
// as in [Change.Schema]: `openAPIV3Schema.properties[spec]`.
func (v *Version) SchemaPath(node string) string {
	return fmt.Sprintf("spec.versions[%d].schema.%s", slices.Index(v.def.versions, v), node)
}

// Prepare compiles the validation rules, which are otherwise compiled when an
// object first needs them. It changes no result. It fails only if the context
// ends before all rules are compiled.
//
// A rule of a hostile definition can take a minute to compile. A request waits
// for the rules that it needs until its own context ends, but not for those of
// other definitions in the same [Cache].
func (v *Version) Prepare(ctx context.Context) error {
	if err := v.rules.Prepare(ctx); err != nil {
		return err
	}
	v.preparing.Do(v.def.countPrepared)
	return nil
}

// Create says what the server does with a new object, up to where it would be
// stored (PIPE-010 to PIPE-013). What the server makes up is missing:
// metadata.uid and creationTimestamp stay empty, managedFields are left out,
// and a name made from generateName ends in 00000.
func (v *Version) Create(ctx context.Context, object map[string]any, options ...Option) *Result {
	return v.Do(ctx, Request{Verb: VerbCreate, Object: given(object)}.With(options...))
}

// CreateBytes is like Create for the body of a request, as JSON or YAML.
func (v *Version) CreateBytes(ctx context.Context, data []byte, options ...Option) *Result {
	return v.Do(ctx, Request{Verb: VerbCreate, Body: data}.With(options...))
}

// Update says what the server does with an object that replaces old
// (PIPE-016 to PIPE-018). old is taken as it is stored (see
// [Definition.Store]): it is decoded, defaulted and converted to this version
// first (PIPE-022).
func (v *Version) Update(
	ctx context.Context, object, old map[string]any, options ...Option,
) *Result {
	return v.Do(ctx, Request{Verb: VerbUpdate, Object: given(object), Old: old}.With(options...))
}

// UpdateBytes is like Update for the body of a request, as JSON or YAML.
func (v *Version) UpdateBytes(
	ctx context.Context, data []byte, old map[string]any, options ...Option,
) *Result {
	return v.Do(ctx, Request{Verb: VerbUpdate, Body: data, Old: old}.With(options...))
}

// UpdateStatus says what the server does with an object that is sent to the
// status subresource: only its status counts, everything else is that of old
// (PIPE-030).
func (v *Version) UpdateStatus(
	ctx context.Context, object, old map[string]any, options ...Option,
) *Result {
	return v.Do(ctx, Request{
		Verb: VerbUpdate, Subresource: SubresourceStatus, Object: given(object), Old: old,
	}.With(options...))
}

// UpdateStatusBytes is like UpdateStatus for the body of a request, as JSON or
// YAML.
func (v *Version) UpdateStatusBytes(
	ctx context.Context, data []byte, old map[string]any, options ...Option,
) *Result {
	return v.Do(ctx, Request{
		Verb: VerbUpdate, Subresource: SubresourceStatus, Body: data, Old: old,
	}.With(options...))
}

// Patch says what the server does with a patch of a stored object (PIPE-019).
// The object is read as by [Version.Read], patched as JSON, decoded as the body
// of a request, and updated as by [Version.Update]. A resourceVersion in the
// patch must be the object's, whatever the [Concurrency]. A patch of another
// type than those of [PatchType] is refused as an unknown media type: for a
// server-side apply there is [Version.Apply].
func (v *Version) Patch(
	ctx context.Context,
	patch []byte,
	patchType PatchType,
	stored map[string]any,
	options ...Option,
) *Result {
	return v.Do(ctx, Request{
		Verb: VerbPatch, Body: patch, PatchType: patchType, Old: stored,
	}.With(options...))
}

// PatchStatus is like Patch for the status subresource: only the status of the
// patched object counts, as in [Version.UpdateStatus] (PIPE-030).
func (v *Version) PatchStatus(
	ctx context.Context,
	patch []byte,
	patchType PatchType,
	stored map[string]any,
	options ...Option,
) *Result {
	return v.Do(ctx, Request{
		Verb: VerbPatch, Subresource: SubresourceStatus, Body: patch, PatchType: patchType,
		Old: stored,
	}.With(options...))
}

// Apply does a server-side apply (PIPE-019). The configuration is merged into
// the stored object, which is read as by [Version.Read]. If stored is nil,
// nothing is stored, and the object is created. The merged object is not
// decoded: no field is pruned, and only the merge fills in defaults. Then it is
// prepared and validated like any other object.
//
// The definition must be parsed with the option apply.Server. The option
// [FieldManager] is required. Conflicts with other managers are a
// *[StatusError] with code 409, unless the option [Force] is given. The result
// holds metadata.managedFields, and Apply expects them in the stored object.
func (v *Version) Apply(
	ctx context.Context, config, stored map[string]any, options ...Option,
) *Result {
	return v.Do(ctx, Request{Verb: VerbApply, Object: config, Old: stored}.With(options...))
}

// ApplyStatus is like Apply for the status subresource: only the status of the
// merged object counts (PIPE-030). There must be a stored object.
func (v *Version) ApplyStatus(
	ctx context.Context, config, stored map[string]any, options ...Option,
) *Result {
	return v.Do(ctx, Request{
		Verb: VerbApply, Subresource: SubresourceStatus, Object: config, Old: stored,
	}.With(options...))
}

// UpdateScale says what the server does when a scale is sent to the scale
// subresource of a stored object: the object gets the replicas and is updated
// as by [Version.Update] (PIPE-040). A name, a namespace and a resourceVersion
// in the scale must be the object's. The other fields of the scale, except for
// the replicas, do not count.
func (v *Version) UpdateScale(
	ctx context.Context, stored map[string]any, scale Scale, options ...Option,
) *Result {
	return v.Do(ctx, Request{
		Verb: VerbUpdate, Subresource: SubresourceScale, Scale: &scale, Old: stored,
	}.With(options...))
}

// given returns an object that is sent. It is empty if it is nil.
func given(object map[string]any) map[string]any {
	if object == nil {
		return map[string]any{}
	}
	return object
}

func (v *Version) compile() error {
	schema, err := v.prunedSchema()
	if err != nil {
		return err
	}
	v.compiling.Do(func() {
		minor := v.def.Kubernetes()
		v.validator = validation.Compile(schema,
			structural.InCache(v.def.values), structural.Kubernetes(minor))
		v.rules = celrules.Compile(schema, append(slices.Clone(v.def.ruleOptions),
			structural.InCache(v.def.rules), structural.Kubernetes(minor))...)
		v.deprecated = v.deprecationWarning()
		v.def.countCompiled()
	})
	return nil
}

// deprecationWarning returns the warning that the version sends with every
// answer: its own, or the default one.
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
