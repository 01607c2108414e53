package crdsem

import (
	"context"
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateScaleSpec checks the replicas that the scale subresource sets (PIPE-040).
func (a *admission) validateScaleSpec() field.ErrorList {
	if a.model.Scale == nil {
		return nil
	}
	return validateReplicas(a.object, a.model.Scale.SpecReplicasPath)
}

// validateScaleStatus checks what the scale subresource reports.
func (a *admission) validateScaleStatus() field.ErrorList {
	if a.model.Scale == nil {
		return nil
	}
	errs := validateReplicas(a.object, a.model.Scale.StatusReplicasPath)
	if path := a.model.Scale.LabelSelectorPath; path != "" {
		if _, _, err := stringAtPath(a.object, path); err != nil {
			errs = append(errs, field.Invalid(field.NewPath(path), "", err.Error()))
		}
	}
	return errs
}

func validateReplicas(object map[string]any, path string) field.ErrorList {
	replicas, _, err := intAtPath(object, path)
	switch {
	case err != nil:
		return field.ErrorList{field.Invalid(field.NewPath(path), replicas, err.Error())}
	case replicas < 0:
		return field.ErrorList{field.Invalid(field.NewPath(path), replicas, "should be a non-negative integer")}
	case replicas > math.MaxInt32:
		return field.ErrorList{field.Invalid(field.NewPath(path), replicas, fmt.Sprintf("should be less than or equal to %d", math.MaxInt32))}
	}
	return nil
}

// Scale is what the scale subresource shows of an object.
type Scale struct {
	// Name, Namespace, UID, ResourceVersion and CreationTimestamp are the object's own.
	Name, Namespace, UID, ResourceVersion, CreationTimestamp string
	// Replicas is what the spec asks for, CurrentReplicas what the status tells, and Selector the label selector there.
	Replicas, CurrentReplicas int32
	Selector                  string
}

// Scale returns the scale of a stored object, read as by [Version.Read] (PIPE-040). It fails with the server's text if the version has no scale
// subresource, a field is of another type, or there are no replicas in the spec.
func (v *Version) Scale(ctx context.Context, stored map[string]any) (*Scale, error) {
	if v.model.Scale == nil {
		return nil, notFound()
	}
	r := v.Read(ctx, stored)
	if r.err != nil {
		return nil, r.err
	}
	scale, found, err := v.scaleOf(r.Object)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("the spec replicas field %q does not exist", v.model.Scale.SpecReplicasPath)
	}
	return scale, nil
}

// scaleOf reads the scale of an object; found tells whether the spec has replicas.
func (v *Version) scaleOf(object map[string]any) (scale *Scale, found bool, err error) {
	paths := v.model.Scale
	replicas, found, err := intAtPath(object, paths.SpecReplicasPath)
	if err != nil {
		return nil, false, err
	}
	current, _, err := intAtPath(object, paths.StatusReplicasPath)
	if err != nil {
		return nil, false, err
	}
	selector := ""
	if paths.LabelSelectorPath != "" {
		if selector, _, err = stringAtPath(object, paths.LabelSelectorPath); err != nil {
			return nil, false, err
		}
	}
	return &Scale{ // replicas are cut off to 32 bits as on the server
		Name: metaString(object, "name"), Namespace: metaString(object, "namespace"), UID: metaString(object, "uid"),
		ResourceVersion: metaString(object, "resourceVersion"), CreationTimestamp: metaString(object, "creationTimestamp"),
		Replicas: int32(replicas), CurrentReplicas: int32(current), Selector: selector,
	}, found, nil
}

// UpdateScale says what the server does when a scale is sent to the scale subresource of a stored object: the object gets the replicas and is
// updated as by [Version.Update]. A resourceVersion in the scale must be the object's. The object is not changed.
func (v *Version) UpdateScale(ctx context.Context, stored map[string]any, scale Scale, options ...Option) *Result {
	a := v.admission(options)
	if v.model.Scale == nil {
		return a.run(ctx, notFound(), a.update)
	}
	return a.run(ctx, a.rescale(ctx, stored, scale), a.update)
}

// rescale makes the object that a scale stands for.
func (a *admission) rescale(ctx context.Context, stored map[string]any, scale Scale) error {
	if err := a.load(ctx, stored, nil); err != nil {
		return err
	}
	if _, _, err := a.scaleOf(a.old.object); err != nil {
		return err
	}
	path := a.model.Scale.SpecReplicasPath
	if scale.Replicas == math.MinInt32 {
		return badRequest("the spec replicas field %q cannot be empty", path)
	}
	object, err := setAtPath(a.old.object, path, int64(scale.Replicas))
	if err != nil {
		return err
	}
	a.draft = newDraft(object, false)
	if scale.ResourceVersion != "" {
		a.setMeta("resourceVersion", scale.ResourceVersion)
		a.concurrency = RequireResourceVersion
	}
	return nil
}
