package crdsem

import (
	"context"
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ServerSideApply is what makes [Version.Apply] possible. It returns, for one
// version of a definition, the function that merges; package apply has the
// server's:
//
//	def, err := crdsem.Parse(crd, crdsem.ServerSideApply(apply.Server))
//
// It is given to [Parse] as an option. It is called once for each version, when
// it is first needed.
type ServerSideApply func(*Definition, *Version) (Merge, error)

func (s ServerSideApply) applyDefinition(d *Definition) { d.serverSideApply = s }

// Merge merges an applied configuration into a live object, or into a new one
// if live is nil. The merged object has the defaults of the schema and
// metadata.managedFields. Neither argument is changed. Conflicts with other
// managers are a *[StatusError].
type Merge func(ctx context.Context, live, applied map[string]any, by Applier) (map[string]any, error)

// Applier says who applies.
type Applier struct {
	// Manager is the name of the field manager, e.g. "kubectl".
	Manager string
	// Subresource is empty or "status".
	Subresource string
	// Force is set if the manager takes over the fields in conflict.
	Force bool
}

// ErrNoServerSideApply is the error of [Version.Apply] if the definition was
// parsed without the option [ServerSideApply].
var ErrNoServerSideApply = errors.New("server-side apply needs the option ServerSideApply of Parse")

// merger returns what merges for the version.
type merger struct {
	once  sync.Once
	merge Merge
	err   error
}

func (v *Version) merging() (Merge, error) {
	m := &v.merger
	m.once.Do(func() {
		if m.err = ErrNoServerSideApply; v.def.serverSideApply != nil {
			m.merge, m.err = v.def.serverSideApply(v.def, v)
		}
	})
	return m.merge, m.err
}

// Apply does a server-side apply (PIPE-019). The configuration is merged into
// the stored object, which is read as by [Version.Read]; nil means that nothing
// is stored, and the object is created. The merged object is not decoded: no
// field is pruned, and no default is filled in except by the merge. Then it is
// prepared and validated like any other object. No argument is changed.
//
// The option [FieldManager] is required. Conflicts with other managers are a
// *[StatusError] with code 409, unless the option [Force] is given. The result
// holds metadata.managedFields; Apply expects them in the stored object.
func (v *Version) Apply(ctx context.Context, config, stored map[string]any, options ...Option) *Result {
	a := v.admission(options)
	finish := a.update
	if stored == nil {
		finish = a.create
	}
	return a.run(ctx, a.apply(ctx, config, stored, ""), finish)
}

// ApplyStatus is like Apply for the status subresource: only the status of the
// merged object counts (PIPE-030).
func (v *Version) ApplyStatus(ctx context.Context, config, stored map[string]any, options ...Option) *Result {
	a := v.admission(options)
	if !v.model.HasStatus {
		return a.run(ctx, notFound(), a.updateStatus)
	}
	return a.run(ctx, a.apply(ctx, config, stored, "status"), a.updateStatus)
}

// apply merges what is applied.
func (a *admission) apply(ctx context.Context, config, stored map[string]any, subresource string) error {
	merge, err := a.merging()
	if err != nil {
		return err
	}
	if a.manager == "" {
		return missingManager()
	}
	if err := checkValues(config); err != nil {
		return err
	}
	a.source = Applied
	var live map[string]any
	if stored != nil || subresource != "" {
		out, err := a.read(ctx, stored)
		if err != nil {
			return err
		}
		live = out.object
		a.settle(&out)
		a.concurrency = RequireResourceVersion
		if metaString(live, "resourceVersion") == "" {
			a.concurrency = Unconditional
		}
	}
	merged, err := merge(ctx, live, config, Applier{string(a.manager), subresource, a.conflicts == Force})
	if err != nil {
		return err
	}
	return a.decode(merged, nil)
}

// missingManager is the answer to an apply that names no field manager.
func missingManager() error {
	err := field.Required(field.NewPath("fieldManager"), "is required for apply patch")
	list := field.ErrorList{err}
	return &StatusError{
		Code: statusUnprocessableEntity, Reason: "Invalid",
		Message: `PatchOptions.meta.k8s.io "" is invalid: ` + err.Error(), Causes: causes(list), Errors: list,
	}
}
