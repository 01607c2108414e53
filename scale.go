package crdsem

import (
	"fmt"
	"math"
	"strings"

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

func stringAtPath(object map[string]any, path string) (string, bool, error) {
	value, found, err := atPath(object, path)
	if !found || err != nil {
		return "", false, err
	}
	s, ok := value.(string)
	if !ok {
		return "", false, wrongType(path, value, "string")
	}
	return s, true, nil
}

// atPath finds a value by a path of keys joined with dots; a leading dot counts for nothing. A null on the way is an absent field.
func atPath(object map[string]any, path string) (value any, found bool, err error) {
	path = strings.TrimPrefix(path, ".")
	value = object
	seen := -1 // bytes of the path gone by, the dot before it not counted
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
	return fmt.Errorf(".%s accessor error: %v is of the type %T, expected %s", strings.TrimPrefix(path, "."), value, value, expected)
}
