package definition

import (
	"maps"

	"github.com/crdsem/crdsem/internal/crd"
)

// ForCreate returns what the server validates when a definition is created: of the first generation, with a status that has nothing but the
// storage version as the only stored one (CRD-013).
func (c *CRD) ForCreate() *CRD {
	object := *c.definition()
	object.Status = crd.CustomResourceDefinitionStatus{}
	addStorageVersion(&object)
	object.Metadata = withGeneration(object.Metadata, 1)
	return &CRD{&object}
}

// ForUpdate returns what the server validates when a definition replaces old: it has the status of old, with its storage version added to the stored
// ones, and is of the next generation if its spec says something else (CRD-013).
func (c *CRD) ForUpdate(old *CRD) *CRD {
	object := *c.definition()
	object.Status = old.definition().Status
	addStorageVersion(&object)
	if !crd.SemanticEqual(&object.Spec, &old.definition().Spec) {
		generation, _ := old.definition().Metadata["generation"].(int64)
		object.Metadata = withGeneration(object.Metadata, generation+1)
	}
	return &CRD{&object}
}

func withGeneration(metadata map[string]any, generation int64) map[string]any {
	out := maps.Clone(metadata)
	if out == nil {
		out = map[string]any{}
	}
	out["generation"] = generation
	return out
}

// Revise returns two definitions in the roles of an update by a client that reads before it writes: old as it is stored, and
// revised as the server validates it (see [CRD.ForUpdate]). What the server wrote into the stored metadata, a document at
// hand need not have: both get a resourceVersion, and revised the uid, generation and creationTimestamp of the stored one. Neither
// argument is changed.
func Revise(old, revised *CRD) (stored, update *CRD) {
	stored = old.ForCreate()
	update = revised.ForUpdate(stored)
	before, after := maps.Clone(stored.object.Metadata), maps.Clone(update.object.Metadata)
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
	stored.object.Metadata, update.object.Metadata = before, after
	return stored, update
}
