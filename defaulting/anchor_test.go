package defaulting

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// fromRoot is the plain twin of PruneDefaults: like the server, it prunes each
// default in an object that starts at the root.
func fromRoot(root *structural.Schema) (*structural.Schema, error) {
	const steps = normalize.Prune | normalize.ResourceRoot |
		normalize.RepairMetadata | normalize.CoerceRoot
	return replaceDefaults(root, func(at *location, value any) (any, error) {
		object, ok := at.surround(nil, jsonvalue.DeepCopy(value)).(map[string]any)
		if !ok {
			return nil, errors.New("failed to prune default value: " +
				"object root default value must be of object type")
		}
		_, _ = normalize.InPlace(object, root, steps)
		return at.find(nil, object), nil
	})
}

// randomSchema returns a schema with much of what pruning depends on:
// resources, lists, maps, preserved fields and many defaults.
func randomSchema(r *rand.Rand, depth int) map[string]any {
	s := map[string]any{}
	if r.IntN(3) == 0 {
		s["default"] = randomValue(r, 4)
	}
	if r.IntN(5) == 0 {
		s["x-kubernetes-preserve-unknown-fields"] = true
	}
	if depth == 0 {
		s["type"] = "string"
		return s
	}
	switch r.IntN(5) {
	case 0:
		s["type"], s["items"] = "array", randomSchema(r, depth-1)
	case 1:
		s["type"], s["additionalProperties"] = "object", randomSchema(r, depth-1)
		if r.IntN(3) == 0 {
			s["properties"] = map[string]any{randomName(r): randomSchema(r, depth-1)}
		}
	default:
		s["type"] = "object"
		if r.IntN(3) == 0 {
			s["x-kubernetes-embedded-resource"] = true
		}
		properties := map[string]any{}
		for range r.IntN(4) {
			properties[randomName(r)] = randomSchema(r, depth-1)
		}
		s["properties"] = properties
	}
	return s
}

func randomName(r *rand.Rand) string {
	return []string{"metadata", "kind", "apiVersion", "labels", "name", "a", "*"}[r.IntN(7)]
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(7); {
	case n == 0 || depth == 0:
		return "x"
	case n == 1:
		return int64(1)
	case n < 4:
		return []any{randomValue(r, depth-1)}
	default:
		object := map[string]any{}
		for range r.IntN(4) {
			object[randomName(r)] = randomValue(r, depth-1)
		}
		return object
	}
}

// Pruning a default from its anchor gives the same result as from the root.
func TestPruneDefaultsFromAnywhere(t *testing.T) {
	changed, failed := 0, 0
	for seed := range uint64(3000) {
		document := randomSchema(rand.New(rand.NewPCG(seed, 9)), 6)
		schema, err := structural.FromMap(document)
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := fromRoot(schema)
		got, gotErr := PruneDefaults(schema)
		if fmt.Sprint(wantErr) != fmt.Sprint(gotErr) || !structural.Equal(want, got) {
			text, _ := json.Marshal(document)
			t.Fatalf("seed %d: %s\nerrors %v and %v", seed, text, wantErr, gotErr)
		}
		if wantErr != nil {
			failed++
		} else if want != schema {
			changed++
		}
	}
	if changed < 500 || failed < 100 {
		t.Errorf("%d schemas change, %d fail", changed, failed)
	}
}
