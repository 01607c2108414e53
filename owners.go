package crdsem

import (
	"strings"

	"github.com/crdsem/crdsem/internal/unstructured"
)

// dedupOwners removes owner references that are told twice and warns of them.
func (a *admission) dedupOwners() {
	refs, _ := a.metadata()["ownerReferences"].([]any)
	if len(refs) < 2 {
		return
	}
	kept, twice := distinctOwners(refs)
	if len(twice) == 0 {
		return
	}
	when := ""
	if a.patched { // the server looks at patched objects only after admission
		when = " after mutating admission happens"
	}
	a.warn(".metadata.ownerReferences contains duplicate entries" + when + "; API server dedups owner references in 1.20+, " +
		"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " + strings.Join(twice, ", "))
	a.setMeta("ownerReferences", kept)
}

// distinctOwners returns the references without repetitions, and the uid of each repetition.
func distinctOwners(refs []any) (kept []any, twice []string) {
	byUID := map[string][]any{}
	for _, ref := range refs {
		fields, _ := ref.(map[string]any)
		uid, _ := fields["uid"].(string)
		if hasEqual(byUID[uid], ref) {
			twice = append(twice, uid)
			continue
		}
		byUID[uid] = append(byUID[uid], ref)
		kept = append(kept, ref)
	}
	return kept, twice
}

func hasEqual(list []any, value any) bool {
	for _, other := range list {
		if unstructured.Equal(value, other) {
			return true
		}
	}
	return false
}
