package crdsem

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// Scale is what the scale subresource shows of an object.
type Scale struct {
	// Name, Namespace, UID, ResourceVersion and CreationTimestamp are the
	// object's own.
	Name, Namespace, UID, ResourceVersion, CreationTimestamp string
	// Replicas is the number in the spec and CurrentReplicas that in the
	// status.
	Replicas, CurrentReplicas int32
	// Selector is the label selector in the status, e.g. "app=web".
	Selector string
}

// Scale returns the scale of a stored object, which is read as by
// [Version.Read] (PIPE-040). It fails if the version has no scale subresource,
// a field is of another type, or the spec has no replicas. The error is that of
// a read, or a *[StatusError].
func (v *Version) Scale(ctx context.Context, stored map[string]any) (*Scale, error) {
	if v.model.Scale == nil {
		return nil, notServed("PIPE-040", v.def.resource(), stored)
	}
	r := v.Read(ctx, stored)
	if err := r.Err(); err != nil {
		return nil, err
	}
	scale, found, err := v.scaleOf(r.Object)
	if err != nil {
		return nil, unclassified("PIPE-040", err.Error())
	}
	if !found {
		return nil, unclassified(
			"PIPE-040",
			fmt.Sprintf(
				"the spec replicas field %q does not exist",
				v.model.Scale.SpecReplicasPath,
			),
		)
	}
	return scale, nil
}

// scaleOf reads the scale of an object. found reports whether the spec has
// replicas.
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
		if selector, err = stringAtPath(object, paths.LabelSelectorPath); err != nil {
			return nil, false, err
		}
	}
	return &Scale{ // replicas are cut off to 32 bits as on the server
		Name:              metaString(object, "name"),
		Namespace:         metaString(object, "namespace"),
		UID:               metaString(object, "uid"),
		ResourceVersion:   metaString(object, "resourceVersion"),
		CreationTimestamp: metaString(object, "creationTimestamp"),
		Replicas:          int32(replicas), CurrentReplicas: int32(current), Selector: selector,
	}, found, nil
}

// metaString returns a string of an object's metadata, empty if it is absent.
func metaString(object map[string]any, key string) string {
	meta, _ := object["metadata"].(map[string]any)
	s, _ := meta[key].(string)
	return s
}

// takeScale is the input of an update of the scale: the stored object with the
// replicas of the scale.
func (r *request) takeScale(ctx context.Context, stored map[string]any, scale Scale) error {
	paths := r.version.model.Scale
	if paths == nil {
		return notServed("PIPE-040", r.version.def.resource(), stored)
	}
	out, err := r.readOld(ctx, stored)
	if err != nil {
		return err
	}
	r.source = fromScale
	r.setOld(&out)
	r.matchLive(out.object)
	if r.version.def.scope == metadata.ClusterScoped {
		scale.Namespace = ""
	}
	if err := scale.checkNames(&r.old); err != nil {
		return err
	}
	if _, _, err := r.version.scaleOf(r.old.Fields()); err != nil {
		return unclassified("PIPE-040", err.Error())
	}
	if scale.Replicas == math.MinInt32 {
		return badRequest("PIPE-040", "the spec replicas field %q cannot be empty",
			paths.SpecReplicasPath)
	}
	object, err := setAtPath(r.old.Fields(), paths.SpecReplicasPath, int64(scale.Replicas))
	if err != nil {
		return unclassified("PIPE-040", err.Error())
	}
	r.object = newShared(object)
	switch {
	case scale.ResourceVersion != "":
		r.object.SetMeta("resourceVersion", scale.ResourceVersion)
		r.choices.concurrency = RequireResourceVersion
	case r.choices.concurrency == Unconditional:
		r.object.RemoveMeta("resourceVersion") // setOld added it
	}
	return nil
}

// checkNames refuses a scale that has the name or the namespace of another
// object.
func (s *Scale) checkNames(old *sharedObject) error {
	if namespace := old.MetaText("namespace"); s.Namespace != "" && s.Namespace != namespace {
		return badRequest("PIPE-040", otherNamespace)
	}
	if name := old.MetaText("name"); s.Name != "" && s.Name != name {
		return badRequest("PIPE-040", otherName, s.Name, name)
	}
	return nil
}

// validateScale checks the fields of the scale subresource (PIPE-040).
func (v *Version) validateScale(object map[string]any) field.ErrorList {
	errs := validateReplicas(object, v.model.Scale.SpecReplicasPath)
	return append(errs, v.validateScaleStatus(object)...)
}

// validateScaleStatus checks the fields in the status.
func (v *Version) validateScaleStatus(object map[string]any) field.ErrorList {
	errs := validateReplicas(object, v.model.Scale.StatusReplicasPath)
	if path := v.model.Scale.LabelSelectorPath; path != "" {
		if _, err := stringAtPath(object, path); err != nil {
			invalid := field.Invalid(field.NewPath(path), "", err.Error())
			errs = append(errs, invalid.WithOrigin("PIPE-040"))
		}
	}
	return errs
}

func validateReplicas(object map[string]any, path string) field.ErrorList {
	replicas, _, err := intAtPath(object, path)
	var detail string
	switch {
	case err != nil:
		detail = err.Error()
	case replicas < 0:
		detail = "should be a non-negative integer"
	case replicas > math.MaxInt32:
		detail = fmt.Sprintf("should be less than or equal to %d", math.MaxInt32)
	default:
		return nil
	}
	invalid := field.Invalid(field.NewPath(path), replicas, detail)
	return field.ErrorList{invalid.WithOrigin("PIPE-040")}
}

func intAtPath(object map[string]any, path string) (int64, bool, error) {
	value, found, err := atPath(object, path)
	if !found || err != nil {
		return 0, false, err
	}
	n, ok := value.(int64)
	if !ok {
		return 0, false, wrongType(path, value, "int64")
	}
	return n, true, nil
}

func stringAtPath(object map[string]any, path string) (string, error) {
	value, found, err := atPath(object, path)
	if !found || err != nil {
		return "", err
	}
	s, ok := value.(string)
	if !ok {
		return "", wrongType(path, value, "string")
	}
	return s, nil
}

// atPath returns the value at a path of keys joined with dots, e.g.
// .spec.replicas; the leading dot is optional. A null on the way is an absent
// field.
func atPath(object map[string]any, path string) (value any, found bool, err error) {
	path = strings.TrimPrefix(path, ".")
	value = object
	seen := -1 // the number of bytes of the path up to here, without a dot before it
	for key := range strings.SplitSeq(path, ".") {
		if value == nil {
			return nil, false, nil
		}
		seen += 1 + len(key)
		fields, ok := value.(map[string]any)
		if !ok {
			return nil, false, wrongType(path[:seen], value, "map[string]interface{}")
		}
		if value, found = fields[key]; !found {
			return nil, false, nil
		}
	}
	return value, true, nil
}

func wrongType(path string, value any, expected string) error {
	const text = ".%s accessor error: %v is of the type %T, expected %s"
	return fmt.Errorf(text, strings.TrimPrefix(path, "."), value, value, expected)
}

// setAtPath returns an object that has a value at a path and shares everything
// else with the given one. Missing objects on the way are added. A value of
// another type on the way is an error with the server's text.
func setAtPath(object map[string]any, path string, value any) (map[string]any, error) {
	keys := strings.Split(strings.TrimPrefix(path, "."), ".")
	out := maps.Clone(object)
	at := out
	for i, key := range keys[:len(keys)-1] {
		child, present := at[key]
		fields, ok := child.(map[string]any)
		if present && !ok {
			const text = "value cannot be set because .%s is not a map[string]interface{}"
			return nil, fmt.Errorf(text, strings.Join(keys[:i+1], "."))
		}
		below := make(map[string]any, len(fields)+1)
		maps.Copy(below, fields)
		at[key] = below
		at = below
	}
	at[keys[len(keys)-1]] = value
	return out, nil
}
