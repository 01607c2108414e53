package conversion

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// checkType checks that a converted object has the target's version and the
// original's kind (CONV-030).
func checkType(original, converted map[string]any, target groupVersion) error {
	got := kindOf(converted)
	if got.groupVersion != target {
		const text = "invalid groupVersion (expected %v, received %v)"
		return refused("CONV-030", text, target, got.groupVersion)
	}
	if want := kindOf(original).kind; got.kind != want {
		return refused("CONV-030", "invalid kind (expected %v, received %v)", want, got.kind)
	}
	return nil
}

// checkIdentity checks that name, namespace and uid did not change (CONV-030).
func checkIdentity(original, converted map[string]any) error {
	before, _ := original["metadata"].(map[string]any)
	after, _ := converted["metadata"].(map[string]any)
	for _, id := range [...]struct{ field, name string }{
		{"name", "name"}, {"namespace", "namespace"}, {"uid", "UID"},
	} {
		if want, got := stringAt(before, id.field), stringAt(after, id.field); want != got {
			return refused("CONV-030", "must have the same %s: %v != %v", id.name, want, got)
		}
	}
	return nil
}

// restoreMetadata replaces the metadata of the converted object by that of the
// original. Only labels and annotations stay those of the converted object
// (CONV-031).
func (c *Converter) restoreMetadata(original, converted map[string]any) error {
	value, found := converted["metadata"]
	if !found {
		return errors.New("missing metadata in converted object")
	}
	answered, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("invalid metadata of type %T in converted object", value)
	}
	metadata := map[string]any{}
	if before, found := original["metadata"]; found {
		object, ok := before.(map[string]any)
		if !ok {
			return fmt.Errorf("invalid metadata of type %T in input object", before)
		}
		if object != nil {
			metadata = jsonvalue.DeepCopyMap(object)
		}
	}
	converted["metadata"] = metadata
	for _, name := range [...]string{"labels", "annotations"} {
		if err := c.setTexts(metadata, name, answered[name]); err != nil {
			return err
		}
	}
	return nil
}

// setTexts sets the labels or annotations of metadata to those of the webhook's
// answer. Null removes them.
func (c *Converter) setTexts(metadata map[string]any, name string, value any) error {
	if value == nil {
		delete(metadata, name)
		return nil
	}
	answered, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("invalid metadata.%s of type %T in converted object", name, value)
	}
	before, ok := metadata[name].(map[string]any)
	if !ok && metadata[name] != nil {
		return fmt.Errorf("invalid metadata.%s of type %T in original object", name, metadata[name])
	}
	changed := len(before) != len(answered)
	for _, key := range slices.Sorted(maps.Keys(answered)) {
		text, ok := answered[key].(string)
		if !ok {
			return fmt.Errorf("metadata.%s[%s] must be a string, but is %T in converted object",
				name, key, answered[key])
		}
		changed = changed || before[key] != any(text)
	}
	if changed {
		if errs := c.validateTexts(answered, name); len(errs) > 0 {
			return errs.ToAggregate()
		}
	}
	metadata[name] = answered
	return nil
}

func (c *Converter) validateTexts(texts map[string]any, name string) field.ErrorList {
	if name == "labels" {
		return metadata.ValidateLabels(texts, c.profile)
	}
	// The server's path lacks the plural.
	return metadata.ValidateAnnotations(texts, "annotation", c.profile)
}
