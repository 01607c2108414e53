package validation_test

import (
	"maps"
	"slices"
)

func sortedKeys(object map[string]any) []string { return sortedNames(object) }

func deepCopy(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, field := range v {
			out[name] = deepCopy(field)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = deepCopy(item)
		}
		return out
	default:
		return value
	}
}

// shrink makes a value smaller while it still differs. The value is changed in
// place; edits that do not help are undone.
func shrink(value any, differs func() bool) {
	for smaller(value, differs) {
	}
}

func smaller(value any, differs func() bool) (done bool) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			field := v[name]
			delete(v, name)
			if differs() {
				done = true
				continue
			}
			v[name] = field
			list, ok := field.([]any)
			if ok && shortened(list, func(l []any) { v[name] = l }, differs) {
				done = true
			}
			done = smaller(v[name], differs) || done
		}
	case []any:
		for _, item := range v {
			done = smaller(item, differs) || done
		}
	}
	return done
}

func shortened(list []any, set func([]any), differs func() bool) (done bool) {
	for i := 0; i < len(list); {
		shorter := slices.Delete(slices.Clone(list), i, i+1)
		set(shorter)
		if differs() {
			list, done = shorter, true
			continue
		}
		set(list)
		i++
	}
	return done
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
