package crdsem

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/chapter/copyonwrite"
)

// ServerSideApply is what makes [Version.Apply] possible. It returns, for one
// version of a definition, the function that merges; package apply has the
// server's:
//
//	def, err := crdsem.Parse(crd, crdsem.ServerSideApply(apply.Server))
//
// It is given to [Parse] as an option. It is called once for each version, when
// it is first needed.
type applyPlug = func(*Definition, *Version) (Merge, error)

// ServerSideApply is the option.
func ServerSideApply(s applyPlug) DefinitionOption {
	return func(d *Definition) error {
		d.serverSideApply = s
		return nil
	}
}

// Merge merges an applied configuration into a live object, or into a new one
// if live is nil. The merged object has the defaults of the schema and
// metadata.managedFields. Neither argument is changed. Conflicts with other
// managers are a *[StatusError].
type Merge func(ctx context.Context, live, applied map[string]any,
	by Applier) (map[string]any, error)

// Applier says who applies.
type Applier struct {
	// Manager is the name of the field manager, e.g. "kubectl".
	Manager string
	// Subresource is empty or "status".
	Subresource string
	// Force is set if the manager takes over the fields in conflict.
	Force bool
	// Default returns a merged object with the defaults of the schema. The
	// error is a *[LimitError].
	Default func(object map[string]any) (map[string]any, error)
}

// ErrNoServerSideApply is the error of [Version.Apply] if the definition was
// parsed without the option [ServerSideApply].
var ErrNoServerSideApply = errors.New("server-side apply needs the option ServerSideApply of Parse")

// merger returns the function that merges for the version.
func (v *Version) merger() (Merge, error) {
	v.merging.Do(func() {
		if v.mergeErr = ErrNoServerSideApply; v.def.serverSideApply != nil {
			v.merge, v.mergeErr = v.def.serverSideApply(v.def, v)
		}
	})
	return v.merge, v.mergeErr
}

// takeConfig is the input of a server-side apply: the configuration merged into
// the stored object. It goes from here to step 8.
func (r *request) takeConfig(ctx context.Context, q *Request) error {
	if err := r.version.needsStatus(q, q.Object); err != nil {
		return err
	}
	merge, err := r.version.merger()
	if err != nil {
		return err
	}
	if r.choices.manager == "" {
		return missingManager()
	}
	if err := checkValues(q.Object); err != nil {
		return err
	}
	r.source = fromMerge
	var live map[string]any
	if q.Old != nil || q.Subresource != "" {
		out, err := r.readOld(ctx, q.Old)
		if err != nil {
			return err
		}
		live = out.object
		r.setOld(&out)
		r.matchLive(live)
	}
	by := Applier{
		Manager:     string(r.choices.manager),
		Subresource: string(q.Subresource),
		Force:       r.choices.conflicts == Force,
		Default:     r.version.fillDefaults,
	}
	merged, err := merge(ctx, live, q.Object, by)
	if err != nil {
		return err
	}
	r.object = copyonwrite.New(merged)
	if claim := claimOf(merged); !r.version.isTypeOf(claim) {
		return r.version.wrongVersion(claim)
	}
	return nil
}

// missingManager is the answer to an apply that names no field manager.
func missingManager() error {
	err := field.Required(field.NewPath("fieldManager"), "is required for apply patch")
	err.Origin = "PIPE-019"
	list := field.ErrorList{err}
	causes, text := causes(list)
	return &StatusError{
		Code: statusUnprocessableEntity, Reason: "Invalid", Rule: err.Origin,
		Message: `PatchOptions.meta.k8s.io "" is invalid: ` + text,
		Group:   "meta.k8s.io", Kind: "PatchOptions", Causes: causes, Errors: list,
	}
}
