package repository

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
)

// likeItemPlainly is [sources.likeItem] without an index: it compares the item
// with each of the patch.
func likeItemPlainly(said any, list []any, key string) string {
	items, _ := said.([]any)
	index, err := strconv.Atoi(key)
	found := ""
	for i, item := range items {
		isItem := err == nil && index >= 0 && index < len(list)
		if isItem && isWithin(item, list[index]) && (found == "" || i == index) {
			found = strconv.Itoa(i)
		}
	}
	return found
}

// Items of lists are found by an index as they are by comparing all.
func TestLikeItem(t *testing.T) {
	random := rand.New(rand.NewPCG(56, 1))
	scalar := func() any {
		return []any{"a", "b", int64(1), 1.0, true, nil}[random.IntN(6)]
	}
	item := func() any {
		switch random.IntN(6) {
		case 0:
			return scalar()
		case 1:
			return []any{scalar(), scalar()}
		}
		object := map[string]any{}
		for range random.IntN(4) {
			object[[]string{"", "name", "port", "$patch"}[random.IntN(4)]] = scalar()
		}
		if random.IntN(3) == 0 {
			object["in"] = map[string]any{"a": scalar()}
		}
		return object
	}
	found := 0
	for range 20_000 {
		var said, list []any
		for range random.IntN(6) {
			said = append(said, item())
		}
		for range random.IntN(6) {
			list = append(list, item())
		}
		for range random.IntN(4) { // items of the patch, in any order
			if len(said) > 0 {
				list = append(list, said[random.IntN(len(said))])
			}
		}
		s := newSources(nil)
		for i := -1; i <= len(list); i++ {
			key := strconv.Itoa(i)
			want := likeItemPlainly(said, list, key)
			if want != "" {
				found++
			}
			for range 2 { // the second time it is known
				if got := s.likeItem(said, list, key); got != want {
					t.Fatalf("item %d of %v comes of %q in %v, want %q", i, list, got, said, want)
				}
			}
		}
	}
	if found < 10_000 {
		t.Errorf("only %d items were found", found)
	}
}

// What an operation says is found at its index, also behind one that appends
// and behind a test, which writes nothing.
func TestSourceOfOperations(t *testing.T) {
	patch := newPatch("patch", `[
		{"op": "add", "path": "/l/-", "value": {"a": 1}},
		{"op": "test", "path": "/l/1/a", "value": 1},
		{"op": "add", "path": "/l/-", "value": {"a": 2}},
		{"op": "add", "path": "/l/2/b", "value": 3},
		{"op": "replace", "path": "/m", "value": {"x~y": {"z": 1}}},
		{"op": "replace", "path": "/m/x~0y/z", "value": 2},
		{"op": "remove", "path": "/gone"}
	]`, map[string]any{"kind": "K"})
	if patch.Err != nil {
		t.Fatal(patch.Err)
	}
	o := patched{object: map[string]any{
		"kind": "K", "l": []any{map[string]any{}}, "m": int64(1), "gone": "x",
	}}
	o.patch(&patch)
	after := Patched{Object: o.object, steps: o.steps}
	for path, want := range map[string]string{
		"l[0]": "none", "l[1].a": "0", "l[2].a": "2", "l[2].b": "3", "l[2]": "3 shared",
		"m.x~y.z": "5", "m": "5 shared", "gone": "6", "kind": "none",
	} {
		got := "none"
		if s, ok := after.Source(path); ok {
			got = fmt.Sprint(s.Index)
			if s.Shared {
				got += " shared"
			}
		}
		if got != want {
			t.Errorf("%s comes of %s, want %s", path, got, want)
		}
	}
}
