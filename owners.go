package crdsem

import (
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// dedupOwners removes owner references that are told twice and warns of them.
func (a *admission) dedupOwners() {
	refs, _ := a.meta["ownerReferences"].([]any)
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

// distinctOwners returns the references without repetitions, and the uid of each repetition. Most have a uid of their own; of others the text
// tells whether it was there before.
func distinctOwners(refs []any) (kept []any, twice []string) {
	first := make(map[string]any, len(refs)) // by uid
	others := map[string]bool{}              // by text
	for _, ref := range refs {
		fields, _ := ref.(map[string]any)
		uid, _ := fields["uid"].(string)
		if known, ok := first[uid]; !ok {
			first[uid] = ref
		} else if jsonvalue.Equal(known, ref) || isAmong(others, ref) {
			twice = append(twice, uid)
			continue
		}
		kept = append(kept, ref)
	}
	return kept, twice
}

// isAmong tells whether a value is among those that it was asked for before.
func isAmong(texts map[string]bool, value any) bool {
	text, err := jsonvalue.EncodeJSON(value)
	if err != nil || texts[string(text)] {
		return err == nil
	}
	texts[string(text)] = true
	return false
}
