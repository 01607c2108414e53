package definition

import (
	"maps"
	"slices"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// ForCreate returns the definition that the server validates on create, as its
// strategy's PrepareForCreate does: its generation is 1, and its status is
// empty but for storedVersions, which names the storage version (CRD-013).
func (c *CRD) ForCreate() *CRD {
	object := *c.definition()
	object.Status = crd.CustomResourceDefinitionStatus{}
	addStorageVersion(&object)
	if !c.minor().SelectableFieldsKept {
		dropSelectableFields(&object.Spec)
	}
	object.Metadata = withGeneration(object.Metadata, 1)
	return newCRD(&object, c.minor())
}

// ForUpdate returns the definition that the server validates when it replaces
// old, as its strategy's PrepareForUpdate does: it has the status of old, with
// its storage version added to storedVersions. Its generation is one more if
// the spec changed (CRD-013).
func (c *CRD) ForUpdate(old *CRD) *CRD {
	object := *c.definition()
	object.Status = old.definition().Status
	addStorageVersion(&object)
	if !c.minor().SelectableFieldsKept && !hasSelectableFields(&old.definition().Spec) {
		dropSelectableFields(&object.Spec)
	}
	if !crd.SemanticEqual(&object.Spec, &old.definition().Spec) {
		generation, _ := old.definition().Metadata["generation"].(int64)
		object.Metadata = withGeneration(object.Metadata, generation+1)
	}
	return newCRD(&object, c.minor())
}

// dropSelectableFields removes the selectable fields of a spec, which it does
// not change in place.
func dropSelectableFields(spec *crd.CustomResourceDefinitionSpec) {
	spec.SelectableFields = nil
	spec.Versions = slices.Clone(spec.Versions)
	for i := range spec.Versions {
		spec.Versions[i].SelectableFields = nil
	}
}

// hasSelectableFields reports whether a spec has selectable fields.
func hasSelectableFields(spec *crd.CustomResourceDefinitionSpec) bool {
	return len(spec.SelectableFields) > 0 ||
		slices.ContainsFunc(spec.Versions, func(v crd.CustomResourceDefinitionVersion) bool {
			return len(v.SelectableFields) > 0
		})
}

func withGeneration(metadata map[string]any, generation int64) map[string]any {
	out := maps.Clone(metadata)
	if out == nil {
		out = map[string]any{}
	}
	out["generation"] = generation
	return out
}

// HasConditions reports whether the status has conditions. A server adds them
// soon after it stores a definition. A definition from a file has no conditions
// as a rule.
func (c *CRD) HasConditions() bool { return len(c.definition().Status.Conditions) > 0 }

// IsEstablished reports whether a server serves the definition: its first
// condition Established is True. kubectl get crd prints such a status.
func (c *CRD) IsEstablished() bool { return c.definition().IsEstablished() }

// asEstablished returns the definition as it is stored. One without conditions
// is taken to be established, with its storage version stored.
func (c *CRD) asEstablished() *CRD {
	object := *c.definition()
	if !c.HasConditions() {
		object.Status.Conditions = []crd.CustomResourceDefinitionCondition{
			{Type: crd.Established, Status: crd.ConditionTrue},
		}
		addStorageVersion(&object)
	}
	return newCRD(&object, c.minor())
}

// Revise returns two definitions that are ready for validate.Update: old as it
// is stored, and revised as the server validates it (see [CRD.ForUpdate]). It
// stands for a client that reads the stored definition before it writes the
// revised one.
//
// The old definition keeps its status. If it has no conditions (see
// [CRD.HasConditions]), it is taken to be established, so that its scope and
// kind cannot change, and its storage version is taken to be stored.
//
// Documents at hand often lack the metadata that the server wrote, so both get
// a resourceVersion, and revised gets the uid, generation and creationTimestamp
// of old. Neither argument is changed.
func Revise(old, revised *CRD) (stored, update *CRD) {
	stored = old.asEstablished()
	update = revised.ForUpdate(stored)
	before, after := maps.Clone(stored.Object.Metadata), maps.Clone(update.Object.Metadata)
	if before == nil {
		before = map[string]any{}
	}
	if after == nil {
		after = map[string]any{}
	}
	if before["resourceVersion"] == nil {
		before["resourceVersion"] = "1"
	}
	for _, key := range [...]string{"resourceVersion", "uid", "generation", "creationTimestamp"} {
		if value, ok := before[key]; ok {
			after[key] = value
		} else {
			delete(after, key)
		}
	}
	stored.Object.Metadata, update.Object.Metadata = before, after
	return stored, update
}
