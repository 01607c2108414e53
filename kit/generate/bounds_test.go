package generate

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"
)

// manyNames returns an enum of n names.
func manyNames(n, from int) []any {
	names := make([]any, n)
	for i := range names {
		names[i] = "name-" + strconv.Itoa(from+i)
	}
	return names
}

// levels returns n objects, each a required field of the one before.
func levels(n int) node {
	at := node{"type": "string"}
	for range n {
		at = node{"type": "object", "required": []any{"a"}, "properties": node{"a": at}}
	}
	return at
}

// hostile are schemas of which no object is made, or a costly one.
func hostile() map[string]node {
	const billion = int64(1_000_000_000)
	long := strings.Repeat("k", 300_000)
	enums := node{"type": "string", "enum": manyNames(100_000, 0),
		"allOf": []any{node{"enum": manyNames(100_000, 50_000)}}}
	sets := node{"type": "array", "minItems": int64(10_000), "items": enums,
		"x-kubernetes-list-type": "set"}
	branches, names := []any{}, node{}
	for i := range 1000 {
		names["p"+strconv.Itoa(i)] = node{}
		branches = append(branches, node{"properties": node{"p" + strconv.Itoa(i): node{}}})
	}
	wide := node{"type": "array", "minItems": billion,
		"items": node{"type": "object", "properties": names, "allOf": branches}}
	for range names {
		names["x"] = node{"type": "string"}
	}
	return map[string]node{
		"items": {"type": "array", "minItems": billion, "items": node{"type": "string"}},
		"texts": {"type": "array", "minItems": billion,
			"items": node{"type": "string", "minLength": billion}},
		"members": {"type": "object", "minProperties": billion,
			"additionalProperties": node{"type": "string", "minLength": billion}},
		"large enum": {"type": "array", "minItems": billion,
			"items": node{"type": "string", "enum": []any{long}}},
		"two enums": sets,
		"wide":      wide,
		"nested repeats": {"type": "string",
			"pattern": strings.Repeat("(", 40) + strings.Repeat(")*", 40) + "x"},
		"large repeats": {"type": "array", "minItems": billion,
			"items": node{"type": "string", "pattern": "^(a{1000}|b{999}|c{998}){1}(d{1000})$"}},
		"levels": levels(1000),
		"long key": {"type": "object", "required": []any{long}, "properties": node{long: node{
			"type": "array", "minItems": int64(10_000), "items": node{"type": "string"}}}},
		"a rule": {"type": "array", "minItems": int64(3000), "items": node{"type": "integer"},
			"x-kubernetes-validations": []any{node{"rule": "self.all(a, self.exists(b, a < b))"}}},
	}
}

// searches are the ways to ask for an object.
var searches = map[string]func(s *Resources, old map[string]any) error{
	"valid": func(s *Resources, _ map[string]any) error {
		_, err := s.Valid(NewRand(1))
		return err
	},
	"boundary": func(s *Resources, _ map[string]any) error {
		_, err := s.Boundary(NewRand(1))
		return err
	},
	"broken": func(s *Resources, _ map[string]any) error {
		_, _, err := s.Broken(NewRand(1))
		return err
	},
	"update": func(s *Resources, old map[string]any) error {
		_, err := s.Update(NewRand(1), old)
		return err
	},
	"broken update": func(s *Resources, old map[string]any) error {
		_, _, err := s.BrokenUpdate(NewRand(1), old)
		return err
	},
	"status": func(s *Resources, old map[string]any) error {
		_, err := s.UpdateStatus(NewRand(1), old)
		return err
	},
	"broken status": func(s *Resources, old map[string]any) error {
		_, _, err := s.BrokenStatus(NewRand(1), old)
		return err
	},
}

// A search ends with its context, whatever the schema asks for.
func TestSearchEndsWithItsContext(t *testing.T) {
	items := make([]any, 10_000)
	for i := range items {
		items[i] = "x"
	}
	old := node{"apiVersion": "g.io/v1", "kind": "K", "metadata": node{"name": "a"},
		"spec": node{strings.Repeat("k", 300_000): items}}
	for name, spec := range hostile() {
		s, err := resourcesOf(specOf(spec), "Cluster")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for search, ask := range searches {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			err := ask(s.Within(ctx), old)
			if err != nil && !errors.Is(err, ctx.Err()) && !errors.As(err, new(*UnmadeError)) {
				t.Errorf("%s, %s: %v with a context that ends", name, search, err)
			}
			cancel()
			err = ask(s.Within(ctx), old)
			if !errors.Is(err, ctx.Err()) && !errors.As(err, new(*UnmadeError)) {
				t.Errorf("%s, %s: %v with a context that has ended", name, search, err)
			}
		}
	}
}

// Without a context a search ends as well, and says that the budget is met.
func TestBudgetIsSaid(t *testing.T) {
	for _, name := range []string{"items", "texts"} {
		s, err := resourcesOf(specOf(hostile()[name]), "Cluster")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, err = s.Valid(NewRand(1))
		const want = "objects of more than 16384 values or 3 MiB are not made"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}
