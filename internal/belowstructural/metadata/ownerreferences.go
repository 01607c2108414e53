package metadata

import "github.com/crdsem/crdsem/internal/base/jsonvalue"

// DistinctOwnerReferences returns owner references without repetitions, and the
// uid of each repetition. Most references have a uid of their own; those that
// share one are compared by their JSON.
func DistinctOwnerReferences(refs []any) (kept []any, repeated []string) {
	first := make(map[string]any, len(refs)) // by uid
	others := map[string]bool{}              // by JSON
	for _, ref := range refs {
		fields, _ := ref.(map[string]any)
		uid, _ := fields["uid"].(string)
		if known, ok := first[uid]; !ok {
			first[uid] = ref
		} else if jsonvalue.Equal(known, ref) || seenBefore(others, ref) {
			repeated = append(repeated, uid)
			continue
		}
		kept = append(kept, ref)
	}
	return kept, repeated
}

// seenBefore reports whether it was called with an equal value before.
func seenBefore(texts map[string]bool, value any) bool {
	text, err := jsonvalue.EncodeJSON(value)
	if err != nil || texts[string(text)] {
		return err == nil
	}
	texts[string(text)] = true
	return false
}
