package conformance_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/structural"
)

// listsSchema has a set and a list-map, each three times. The three lists of a
// kind share one schema node, so that CEL gives them one type and x + y == z
// compiles.
const listsSchema = `{"type":"object","properties":{
	"sets":{"type":"object","additionalProperties":SET,"x-kubernetes-validations":[{"rule":"self['x'] + self['y'] == self['z']","message":"sets differ"}]},
	"maps":{"type":"object","additionalProperties":MAP,"x-kubernetes-validations":[{"rule":"self['x'] + self['y'] == self['z']","message":"maps differ"}]}}}`

const (
	setSchema = `{"type":"array","x-kubernetes-list-type":"set","maxItems":10,"items":{"type":"string","maxLength":3}}`
	mapSchema = `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l"],"maxItems":10,"items":{"type":"object","required":["k","l"],
		"properties":{"k":{"type":"string","maxLength":3},"l":{"type":"integer"},"v":{"type":"string","maxLength":3}}}}`
)

func listsOf(t *testing.T) (*merge.Type, *celrules.Rules) {
	t.Helper()
	text := strings.NewReplacer("SET", setSchema, "MAP", mapSchema).Replace(listsSchema)
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return merge.Compile(schema), celrules.Compile(schema)
}

// plus reports whether CEL's x + y equals the merge of y into x.
func plus(t *testing.T, typ *merge.Type, rules *celrules.Rules, kind string, x, y []any) bool {
	t.Helper()
	merged, err := typ.Merge(map[string]any{kind: map[string]any{"x": x}},
		map[string]any{kind: map[string]any{"x": y}})
	if err != nil {
		t.Fatal(err)
	}
	z := merged[kind].(map[string]any)["x"]
	result := rules.Validate(context.Background(),
		map[string]any{kind: map[string]any{"x": x, "y": y, "z": z}}, nil)
	for _, e := range result.Errors {
		if !strings.Contains(e.Error(), kind+" differ") {
			t.Fatalf("%v + %v: %v", x, y, e)
		}
	}
	return len(result.Errors) == 0
}

// CEL's + on sets and list-maps equals the merge of server-side apply if each
// item of the second list has every field of the item it replaces.
func TestPlusOfCELIsMerge(t *testing.T) {
	typ, rules := listsOf(t)
	for seed := range 2_000 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var lists [2][]any
		for i := range lists {
			lists[i] = distinct(r, func() any { return string(rune('a' + r.IntN(6))) },
				func(item any) any { return item })
		}
		if !plus(t, typ, rules, "sets", lists[0], lists[1]) {
			t.Fatalf("sets %v + %v is not their merge", lists[0], lists[1])
		}
		for i := range lists {
			lists[i] = distinct(r, func() any {
				return map[string]any{
					"k": string(rune('a' + r.IntN(3))),
					"l": int64(r.IntN(2)),
					"v": string(rune('x' + r.IntN(3))),
				}
			}, func(item any) any {
				return [2]any{item.(map[string]any)["k"], item.(map[string]any)["l"]}
			})
		}
		if !plus(t, typ, rules, "maps", lists[0], lists[1]) {
			t.Fatalf("maps %v + %v is not their merge", lists[0], lists[1])
		}
	}
}

// Kubernetes itself has the two differ if an item of the second list leaves out
// a field. CEL replaces the whole item; the merge keeps the field.
func TestPlusOfCELReplacesItems(t *testing.T) {
	typ, rules := listsOf(t)
	x := []any{map[string]any{"k": "a", "l": int64(1), "v": "x"}}
	y := []any{map[string]any{"k": "a", "l": int64(1)}}
	if plus(t, typ, rules, "maps", x, y) {
		t.Error("an item that leaves out a field is merged the same way by both")
	}
}

// distinct returns a short list of items with different keys.
func distinct(r *rand.Rand, item func() any, key func(any) any) []any {
	list := []any{}
	seen := map[any]bool{}
	for range r.IntN(6) {
		made := item()
		if k := key(made); !seen[k] {
			seen[k] = true
			list = append(list, made)
		}
	}
	return list
}
