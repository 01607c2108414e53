package validation

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/correlate"
)

// ValidateUpdate validates an object that replaces old, as Validate does, and
// ratchets: errors of values that did not change are returned as ratcheted.
// Both objects must be pruned and defaulted (RAT-034).
func (v *Validator) ValidateUpdate(
	ctx context.Context, object, old map[string]any,
) (errs, ratcheted field.ErrorList) {
	if v == nil {
		return nil, nil
	}
	errs, ratcheted = v.ValuesUpdate(ctx, object, old)
	errs = append(errs, v.EmbeddedResources(ctx, nil, object)...)
	listErrs, listRatcheted := v.ListTypesUpdate(ctx, object, old)
	return append(errs, listErrs...), append(ratcheted, listRatcheted...)
}

// ValidateStatusUpdate validates an object whose status replaces that of old:
// the values of its status and the list types of the whole object (RAT-040,
// LST-041). It does not validate embedded resources (META-031).
func (v *Validator) ValidateStatusUpdate(
	ctx context.Context, object, old map[string]any,
) (errs, ratcheted field.ErrorList) {
	if v == nil {
		return nil, nil
	}
	errs, ratcheted = v.StatusValuesUpdate(ctx, object, old)
	listErrs, listRatcheted := v.ListTypesUpdate(ctx, object, old)
	return append(errs, listErrs...), append(ratcheted, listRatcheted...)
}

// ValuesUpdate validates an object, or any other value, that replaces old.
// Errors of values that did not change are returned as ratcheted (RAT-001 to
// RAT-036).
func (v *Validator) ValuesUpdate(
	ctx context.Context, value, old any,
) (errs, ratcheted field.ErrorList) {
	w := watching(ctx)
	if v == nil || v.values.passes(value, &w) {
		return nil, nil
	}
	correlated := &correlation{New: value, Old: old, Schema: v.schema}
	return v.collect(nil, v.values, value, correlated, w)
}

// StatusValuesUpdate validates the values of an object's status, which replaces
// that of old, and ratchets. Without a status or a schema for it there is
// nothing to validate.
func (v *Validator) StatusValuesUpdate(
	ctx context.Context, object, old map[string]any,
) (errs, ratcheted field.ErrorList) {
	if v == nil || v.status == nil {
		return nil, nil
	}
	status, ok := object["status"]
	w := watching(ctx)
	if !ok || v.status.passes(status, &w) {
		return nil, nil
	}
	correlated := &correlation{New: status, Old: old["status"], Schema: v.schema.Property("status")}
	if !v.profile.StatusRatcheting {
		correlated = nil
	}
	var base *field.Path
	if v.profile.StatusPaths {
		base = field.NewPath("status")
	}
	return v.collect(base, v.status, status, correlated, w)
}

// ListTypesUpdate validates the list types of an object that replaces old. If
// old has an error of this kind, all errors of the new object are ratcheted
// (LST-040).
func (v *Validator) ListTypesUpdate(
	ctx context.Context, object, old map[string]any,
) (errs, ratcheted field.ErrorList) {
	errs = v.ListTypes(ctx, object)
	if len(errs) == 0 {
		return nil, nil
	}
	w := watching(ctx)
	if v.listTypes.validFields(old, v.indexes, &w) || w.err != nil || ctx.Err() != nil {
		return errs, nil
	}
	return nil, errs
}

// correlation is a new value and the old value that it replaces, e.g.
// spec.replicas of both objects.
type correlation = correlate.Correlation

// oldItem returns the correlation of a list's item. It reports false if the
// item is not correlatable.
func oldItem(old *correlation, i int) (child correlation, ok bool) {
	if old == nil {
		return correlation{}, false
	}
	return old.Item(i)
}

// oldField returns the correlation of an object's field. It reports false if
// the field is not correlatable.
func oldField(old *correlation, name string) (child correlation, ok bool) {
	if old == nil {
		return correlation{}, false
	}
	return old.Field(name)
}

// ratchet makes the errors from a mark on ratcheted ones.
func (f *findings) ratchet(mark int) {
	f.ratcheted = append(f.ratcheted, f.errors[mark:]...)
	f.errors = f.errors[:mark]
}
