package crdsem

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/metadata"
)

// Create says what the server does with a new object: decoded, prepared and validated, up to where it would be stored (PIPE-010 to
// PIPE-013). The object is not changed. What the server itself makes up is not: metadata.uid and creationTimestamp stay empty,
// managedFields are left out, and a name made from generateName ends in 00000.
func (v *Version) Create(ctx context.Context, object map[string]any, options ...Option) *Result {
	a, err := v.start(object, options)
	return a.run(ctx, err, a.create)
}

// CreateBytes is Create for the body of a request.
func (v *Version) CreateBytes(ctx context.Context, data []byte, options ...Option) *Result {
	a, err := v.startBytes(data, options)
	return a.run(ctx, err, a.create)
}

// Update says what the server does with an object that replaces old (PIPE-016 to PIPE-018). Neither is changed. old is taken as what
// is stored, as [Definition.Store] makes it of an admitted object: decoded, defaulted and converted to this version first (PIPE-022).
func (v *Version) Update(ctx context.Context, object, old map[string]any, options ...Option) *Result {
	a, err := v.start(object, options)
	return a.run(ctx, a.load(ctx, old, err), a.update)
}

// UpdateBytes is Update for the body of a request.
func (v *Version) UpdateBytes(ctx context.Context, data []byte, old map[string]any, options ...Option) *Result {
	a, err := v.startBytes(data, options)
	return a.run(ctx, a.load(ctx, old, err), a.update)
}

// UpdateStatus says what the server does with an object that is sent to the status subresource: only its status counts, all else is that of
// old (PIPE-030). Neither is changed.
func (v *Version) UpdateStatus(ctx context.Context, object, old map[string]any, options ...Option) *Result {
	a, err := v.start(object, options)
	return a.run(ctx, a.load(ctx, old, err), a.updateStatus)
}

// UpdateStatusBytes is UpdateStatus for the body of a request.
func (v *Version) UpdateStatusBytes(ctx context.Context, data []byte, old map[string]any, options ...Option) *Result {
	a, err := v.startBytes(data, options)
	return a.run(ctx, a.load(ctx, old, err), a.updateStatus)
}

// run finishes a request that was decoded, unless that failed already.
func (a *admission) run(ctx context.Context, err error, finish func(context.Context) (field.ErrorList, error)) *Result {
	r := &a.result
	if ctx == nil {
		ctx = context.Background()
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		r.Errors, err = finish(ctx)
	}
	switch {
	case err != nil && len(r.Errors) == 0:
		r.Stage, r.err = StageDecode, err
		return r
	case len(r.Errors) > 0:
		r.Stage = StageInvalid
		a.name(r)
	default:
		r.Stage = StageAdmitted
	}
	r.Object = a.object
	return r
}

// name tells whose errors a result has.
func (a *admission) name(r *Result) {
	r.name = a.metaText("name")
	if r.subject == "" {
		claim := claimOf(a.object) // a patch can change the group
		r.subject = claim.kind
		if claim.group != "" {
			r.subject += "." + claim.group
		}
	}
}

// create prepares and validates a new object.
func (a *admission) create(ctx context.Context) (field.ErrorList, error) {
	for _, key := range [...]string{"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		a.removeMeta(key)
	}
	a.dropManagers()
	if err := a.place(&a.draft); err != nil {
		return nil, err
	}
	a.dedupOwners()
	if base := a.metaText("generateName"); base != "" && a.metaText("name") == "" {
		a.setMeta("name", generatedName(base))
	}
	if a.model.HasStatus {
		a.remove("status")
	}
	a.setMeta("generation", int64(1))
	errs := a.validateCreate(ctx)
	if len(errs) == 0 {
		a.warn(metadata.FinalizerWarnings(a.object, nil)...)
	}
	return errs, nil
}

// generatedName is a name as the server makes it from a generateName, with a suffix that is always the same.
func generatedName(base string) string {
	const suffix, most = "00000", 63
	return base[:min(len(base), most-len(suffix))] + suffix
}

// defaultNamespace is where requests go that name no namespace.
const defaultNamespace = "default"

// place puts the object into the namespace of the request, which is that of resident unless an option names one.
func (a *admission) place(resident *draft) error {
	namespace := a.metaText("namespace")
	if a.def.scope == metadata.ClusterScoped {
		a.removeMeta("namespace")
		return nil
	}
	expected := a.namespace
	if expected == "" {
		expected = resident.metaText("namespace")
	}
	if expected == "" {
		expected = defaultNamespace
	}
	switch namespace {
	case expected:
	case "":
		a.setMeta("namespace", expected)
	default:
		return badRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return nil
}
