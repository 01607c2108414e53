package crdsem

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
)

// ErrNoServerSideApply is the error of [Version.Apply] if the definition was
// parsed without the option of package apply:
//
//	def, err := crdsem.Parse(crd, apply.Server())
var ErrNoServerSideApply = errors.New("server-side apply needs the option apply.Server of Parse")

// merger returns the function that merges for the version.
func (v *Version) merger() (facadeoptions.Merge, error) {
	if v.def.serverSideApply == nil {
		return nil, ErrNoServerSideApply
	}
	v.merging.Do(func() { v.merge = v.def.serverSideApply(v.def, v) })
	return v.merge, nil
}

// takeConfig is the input of a server-side apply: the configuration merged into
// the stored object. It goes from here to step 8.
func (r *request) takeConfig(ctx context.Context, q *Request) error {
	config := r.version.decodeConfig(q)
	if err := r.version.needsStatus(q, config.object); err != nil {
		return err
	}
	merge, err := r.version.merger()
	if err != nil {
		return err
	}
	if r.choices.manager == "" {
		return missingManager()
	}
	if config.unread != nil {
		return config.unread
	}
	if err := checkValues(config.object); err != nil {
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
	if config.malformed != nil {
		return config.malformed
	}
	by := facadeoptions.Applier{
		Manager:     r.choices.manager,
		Subresource: string(q.Subresource),
		Force:       r.choices.force,
		Default:     r.version.fillDefaults,
	}
	merged, err := merge(ctx, live, config.object, by)
	if err != nil {
		return err
	}
	if err := r.strictConfig(config.strict); err != nil {
		return err
	}
	r.object = newShared(merged)
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
	causes, text := causes(list, 0)
	return &StatusError{
		Code: statusUnprocessableEntity, Reason: "Invalid", Rule: err.Origin,
		Message: `PatchOptions.meta.k8s.io "" is invalid: ` + text,
		Group:   "meta.k8s.io", Kind: "PatchOptions", Causes: causes, Errors: list,
	}
}
