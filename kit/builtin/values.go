package builtin

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// checkValues returns the errors of values whose Go types read them by code of
// their own, e.g. quantities. Values of another type than their schema's are
// left to the validator.
func checkValues(value any, s *structural.Schema, at *field.Path) (errs field.ErrorList) {
	if s == nil {
		return nil
	}
	if values := s.Values(); values != nil && checks[values.Format] != nil {
		return checks[values.Format](value, at)
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := s.Property(key)
			switch {
			case below != nil:
				errs = append(errs, checkValues(v[key], below, child(at, key))...)
			default:
				errs = append(errs, checkValues(v[key], s.AdditionalSchema(), at.Key(key))...)
			}
		}
	case []any:
		for i, item := range v {
			errs = append(errs, checkValues(item, s.Items(), at.Index(i))...)
		}
	}
	return errs
}

// child returns the path of a field below another one, or of the whole object.
func child(at *field.Path, name string) *field.Path {
	if at == nil {
		return field.NewPath(name)
	}
	return at.Child(name)
}

// checks return the errors of a value of a format.
var checks = map[string]func(value any, at *field.Path) field.ErrorList{
	formatQuantity:    checking(quantityError),
	formatIntOrString: checking(intOrStringError),
	formatBytes:       checking(bytesError),
	formatTime:        checking(func(value any) string { return timeError(value, time.RFC3339) }),
	formatMicroTime:   checking(func(value any) string { return timeError(value, microTime) }),
	formatLabels:      unlessRoot(labelsErrors),
	formatAnnotations: unlessRoot(annotationsErrors),
}

// checking makes a check of a function that returns what is wrong with a value,
// "" if nothing is.
func checking(wrong func(value any) string) func(any, *field.Path) field.ErrorList {
	return func(value any, at *field.Path) field.ErrorList {
		if text := wrong(value); text != "" {
			return field.ErrorList{field.TypeInvalid(at, value, text)}
		}
		return nil
	}
}

// unlessRoot makes a check leave out the object's own metadata, which is
// validated as a whole.
func unlessRoot(
	check func(any, *field.Path) field.ErrorList,
) func(any, *field.Path) field.ErrorList {
	return func(value any, at *field.Path) field.ErrorList {
		if path := at.String(); path == "metadata.labels" || path == "metadata.annotations" {
			return nil
		}
		return check(value, at)
	}
}

// microTime is the layout of MicroTime.
const microTime = "2006-01-02T15:04:05.000000Z07:00"

func quantityError(value any) string {
	var text string
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		text = strings.TrimSpace(v)
	case int64:
		text = strconv.FormatInt(v, 10)
	case float64:
		text = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return "must be a quantity, e.g. 500m or 1Gi: a string or a number"
	}
	if _, err := resource.ParseQuantity(text); err != nil {
		return err.Error()
	}
	return ""
}

func intOrStringError(value any) string {
	if v, ok := value.(int64); ok && (v < math.MinInt32 || v > math.MaxInt32) {
		return "must fit into 32 bits"
	}
	return ""
}

func timeError(value any, layout string) string {
	text, ok := value.(string)
	if !ok {
		return ""
	}
	if _, err := time.Parse(layout, text); err != nil {
		return fmt.Sprintf("must be a time like %s", strings.ReplaceAll(layout, "Z07:00", "Z"))
	}
	return ""
}

// bytesError knows that Go also reads a list of numbers as bytes.
func bytesError(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		if _, err := base64.StdEncoding.DecodeString(v); err != nil {
			return "must be encoded in base64: " + err.Error()
		}
		return ""
	case []any:
		if !slices.ContainsFunc(v, func(item any) bool { return !isByte(item) }) {
			return ""
		}
	}
	return "must be a string, encoded in base64"
}

func isByte(value any) bool {
	number, ok := value.(int64)
	return value == nil || ok && number >= 0 && number <= math.MaxUint8
}
