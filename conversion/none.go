package conversion

import (
	"fmt"
	"maps"

	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// None converts an object by the strategy None: it returns the object with
// another apiVersion, for any apiVersion (CONV-010). The argument is not
// changed. The result shares everything but the top level with it.
func None(object map[string]any, apiVersion string) map[string]any {
	return retyped(object, parseTarget(apiVersion))
}

// parseTarget parses an apiVersion. One that does not parse becomes a version.
func parseTarget(apiVersion string) groupVersion {
	group, version, err := metadata.ParseGroupVersion(apiVersion)
	if err != nil {
		return groupVersion{version: apiVersion}
	}
	return groupVersion{group, version}
}

// retyped returns a copy of the top level of an object with another apiVersion.
// A kind that is absent or not a string becomes "".
func retyped(object map[string]any, target groupVersion) map[string]any {
	out := make(map[string]any, len(object)+1)
	maps.Copy(out, object)
	out["apiVersion"] = target.String()
	out["kind"] = kindOf(object).kind
	return out
}

// retypedList is retyped for a list and its items.
func retypedList(list map[string]any, items []map[string]any, target groupVersion) map[string]any {
	out := retyped(list, target)
	converted := make([]any, len(items))
	for i, item := range items {
		converted[i] = retyped(item, target)
	}
	out["items"] = converted
	return out
}

// itemsOf returns the items of a list. They may be absent.
func itemsOf(list map[string]any) ([]map[string]any, error) {
	values, ok := list["items"].([]any)
	if !ok && list["items"] != nil {
		return nil, fmt.Errorf("the items of a list must be an array, not %T", list["items"])
	}
	items := make([]map[string]any, len(values))
	for i, value := range values {
		if items[i], ok = value.(map[string]any); !ok {
			return nil, fmt.Errorf("item %d of the list must be an object, not %T", i, value)
		}
	}
	return items, nil
}
