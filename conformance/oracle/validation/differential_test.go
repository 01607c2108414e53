package validation_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// cases is the number of cases (schema, object, old object) that a test
// generates: CRDSEM_CASES, or a default.
func cases(t *testing.T) int {
	text := os.Getenv("CRDSEM_CASES")
	if text == "" {
		return 3000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func seed(t *testing.T) uint64 {
	text := os.Getenv("CRDSEM_SEED")
	if text == "" {
		return 1
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const objectsPerSchema = 10

// Generated schemas and objects have the same errors in both implementations,
// on create, update and status update.
func TestGenerated(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(seed(t), 0))}
	invalid, ratcheted := 0, 0
	for done := 0; done < cases(t); done += objectsPerSchema {
		schema := g.root()
		s, err := newSubject(encode(t, schema))
		if err != nil {
			t.Fatalf("%s: %v", encode(t, schema), err)
		}
		for range objectsPerSchema {
			object := map[string]any{
				"apiVersion": "g.io/v1",
				"kind":       "K",
				"metadata":   map[string]any{"name": "n"},
			}
			for name, value := range g.object(schema) {
				object[name] = value
			}
			old, ok := g.changed(object, pick(g, 0, 3, 10, 30)).(map[string]any)
			if !ok {
				old = map[string]any{}
			}
			if c, _, _ := s.difference(object, old); c != nil {
				report(t, schema, object, old)
			}
			if len(s.ours.Validate(context.Background(), object)) > 0 {
				invalid++
				if _, r := s.ours.ValidateUpdate(context.Background(), object, old); len(r) > 0 {
					ratcheted++
				}
			}
		}
	}
	t.Logf("%d cases, of which %d invalid, %d with ratcheted errors", cases(t), invalid, ratcheted)
	if invalid == 0 || ratcheted == 0 {
		t.Error("nothing to compare")
	}
}

// report shrinks a difference and reports it.
func report(t *testing.T, schema, object, old map[string]any) {
	t.Helper()
	differs := func() bool {
		s, err := newSubject(encode(t, schema))
		if err != nil {
			return false
		}
		c, _, _ := s.difference(object, old)
		return c != nil
	}
	for _, part := range []any{schema, object, old, schema} {
		shrink(part, differs)
	}
	s, err := newSubject(encode(t, schema))
	if err != nil {
		t.Fatal(err)
	}
	c, realErrs, ours := s.difference(object, old)
	if c == nil {
		t.Fatal("the difference is gone after shrinking")
	}
	t.Fatalf("%s differs\nschema %s\nobject %#v\nold    %#v\nreal %q\nours %q", c.name,
		encode(t, schema), object, old, realErrs, ours)
}
