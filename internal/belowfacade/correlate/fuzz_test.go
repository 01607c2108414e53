package correlate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// plainEqual is Equal as the rules state it, without care for speed.
func plainEqual(value, old any, schema *structural.Schema) bool {
	switch value := value.(type) {
	case map[string]any:
		old, ok := old.(map[string]any)
		if !ok || len(value) != len(old) {
			return false
		}
		for name := range value {
			child := schema.Child(name)
			_, there := old[name]
			if !there || child == nil || !plainEqual(value[name], old[name], child) {
				return false
			}
		}
		return true
	case []any:
		old, ok := old.([]any)
		if !ok || len(value) != len(old) {
			return false
		}
		if schema.ListType() != "map" {
			return jsonvalue.Equal(value, old)
		}
		for _, item := range value {
			partner := plainPartner(item, old, schema)
			if partner == nil || !plainEqual(item, partner, schema.Items()) {
				return false
			}
		}
		return true
	default:
		return jsonvalue.Equal(value, old)
	}
}

func plainPartner(item any, old []any, schema *structural.Schema) any {
	key := plainKey(item, schema.ListMapKeys())
	for _, candidate := range old {
		if key != nil && key == plainKey(candidate, schema.ListMapKeys()) {
			return candidate
		}
	}
	return nil
}

// plainKey returns the value of a single key, or the text of several keys.
func plainKey(item any, keys []string) any {
	fields, _ := item.(map[string]any)
	var text strings.Builder
	for _, key := range keys {
		switch v := fields[key].(type) {
		case float64:
			fmt.Fprintf(&text, "%f\x00", v)
		case string, bool, int64:
			fmt.Fprintf(&text, "%T %v\x00", v, v)
		default:
			return nil
		}
	}
	if len(keys) == 1 {
		return fields[keys[0]]
	}
	return text.String()
}

// FuzzEqual compares Equal and Item with their plain twins, for short lists,
// which are searched, and for long lists, which are indexed.
func FuzzEqual(f *testing.F) {
	for _, text := range []string{
		`[{"k":1,"v":1},{"k":2}]`, `[{"k":2},{"k":1,"v":1}]`, `[{"k":1.0},{"k":1}]`, `[{"k":"a","l":1.00000001},{"k":"a","l":1.00000002}]`, `[{"k":-0.0,"l":0},{"k":0.0,"l":0}]`,
		`[{"k":null},3,null,[]]`, `[{"k":[1]},{"k":{}},{}]`, `{"k":1,"z":2}`, `[[1],[1.0]]`,
		`[{"k":1},{"k":2},{"k":3},{"k":4},{"k":5},{"k":6},{"k":7},{"k":8},{"k":9},{"k":1,"v":2}]`,
	} {
		f.Add(text, text)
		f.Add(text, `[{"k":2},{"k":1,"v":1}]`)
	}
	f.Fuzz(func(t *testing.T, text, oldText string) {
		value, _, err := jsonvalue.DecodeJSON([]byte(text))
		old, _, err2 := jsonvalue.DecodeJSON([]byte(oldText))
		if err != nil || err2 != nil {
			return
		}
		for _, schema := range []*structural.Schema{byK, byKL, atomic, set, anyMap, point} {
			c := correlation{New: value, Old: old, Schema: schema}
			if got, want := c.Equal(), plainEqual(value, old, schema); got != want {
				t.Errorf("Equal(%s, %s): %v, want %v", text, oldText, got, want)
			}
			items, _ := value.([]any)
			oldItems, _ := old.([]any)
			for i := range items {
				var want any
				if schema.ListType() == "map" {
					want = plainPartner(items[i], oldItems, schema)
				}
				if got, ok := c.Item(i); ok != (want != nil) ||
					ok && !jsonvalue.Equal(got.Old, want) {
					t.Errorf(
						"item %d of %s and %s: %v, %v, want %v",
						i,
						text,
						oldText,
						got.Old,
						ok,
						want,
					)
				}
			}
		}
	})
}
