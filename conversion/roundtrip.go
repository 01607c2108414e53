package conversion

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// LossKind is the way in which a value differs after a round trip.
type LossKind string

const (
	// Lost values are missing afterwards.
	Lost LossKind = "lost"
	// Added values were not there before.
	Added LossKind = "added"
	// Changed values are different afterwards.
	Changed LossKind = "changed"
)

// Loss is one difference between an object and the object converted back.
type Loss struct {
	Kind LossKind
	// Path locates the value as in validation errors, e.g.
	// spec.toppings[0].name.
	Path string
	// Before is nil for an added value, After for a lost one.
	Before, After any
}

// String describes the loss in one line.
func (l Loss) String() string {
	switch l.Kind {
	case Lost:
		return fmt.Sprintf("%s: lost, was %v", l.Path, l.Before)
	case Added:
		return fmt.Sprintf("%s: added, is %v", l.Path, l.After)
	}
	return fmt.Sprintf("%s: changed from %v to %v", l.Path, l.Before, l.After)
}

// Check validates an object of an apiVersion, e.g. by the schema of that
// version.
type Check func(apiVersion string, object map[string]any) field.ErrorList

// Trip is the result of a round trip.
type Trip struct {
	// There is the object in the other version, Back the object converted back.
	There, Back map[string]any
	// Losses are the differences between the object and Back, sorted by path.
	// They are empty if the conversion of this object is lossless.
	Losses []Loss
	// Invalid has the errors that the check returned for There.
	Invalid field.ErrorList
}

// RoundTrip converts a copy of an object to the apiVersion via and back, and
// compares the two. The check may be nil; it is called with the object in the
// other version. The error is that of a conversion and names its direction.
func RoundTrip(
	ctx context.Context, c ObjectConverter, object map[string]any, via string, check Check,
) (Trip, error) {
	if err := jsonvalue.Check(object); err != nil {
		return Trip{}, err
	}
	from := stringAt(object, "apiVersion")
	there, err := c.Convert(ctx, jsonvalue.DeepCopyMap(object), via)
	if err != nil {
		return Trip{}, fmt.Errorf("converting from %s to %s: %w", from, via, err)
	}
	trip := Trip{There: there}
	if check != nil {
		trip.Invalid = check(via, jsonvalue.DeepCopyMap(there))
	}
	trip.Back, err = c.Convert(ctx, jsonvalue.DeepCopyMap(there), from)
	if err != nil {
		return Trip{}, fmt.Errorf("converting back from %s to %s: %w", via, from, err)
	}
	trip.Losses = Compare(object, trip.Back)
	return trip, nil
}

// Compare returns the differences between two objects, sorted by path.
func Compare(before, after map[string]any) []Loss {
	var losses []Loss
	compareMaps(before, after, nil, &losses)
	return losses
}

// compare appends the differences of two values to losses.
func compare(before, after any, path *field.Path, losses *[]Loss) {
	switch a := before.(type) {
	case map[string]any:
		if b, ok := after.(map[string]any); ok {
			compareMaps(a, b, path, losses)
			return
		}
	case []any:
		if b, ok := after.([]any); ok {
			compareLists(a, b, path, losses)
			return
		}
	}
	if !jsonvalue.Equal(before, after) {
		loss := Loss{Kind: Changed, Path: path.String(), Before: before, After: after}
		*losses = append(*losses, loss)
	}
}

func compareMaps(before, after map[string]any, path *field.Path, losses *[]Loss) {
	keys := slices.Collect(maps.Keys(before))
	for key := range after {
		if _, found := before[key]; !found {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		a, had := before[key]
		b, has := after[key]
		switch at := path.Child(key); {
		case !has:
			*losses = append(*losses, Loss{Kind: Lost, Path: at.String(), Before: a})
		case !had:
			*losses = append(*losses, Loss{Kind: Added, Path: at.String(), After: b})
		default:
			compare(a, b, at, losses)
		}
	}
}

func compareLists(before, after []any, path *field.Path, losses *[]Loss) {
	for i := range max(len(before), len(after)) {
		switch at := path.Index(i); {
		case i >= len(after):
			*losses = append(*losses, Loss{Kind: Lost, Path: at.String(), Before: before[i]})
		case i >= len(before):
			*losses = append(*losses, Loss{Kind: Added, Path: at.String(), After: after[i]})
		default:
			compare(before[i], after[i], at, losses)
		}
	}
}
