package definition

import "maps"

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
