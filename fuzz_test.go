package crdsem_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// FuzzCreate sends any body to a version: the answer is the same each time, an
// object and its bytes are judged alike, and what was admitted is admitted
// again unchanged.
func FuzzCreate(f *testing.F) {
	v := requests.Version(f, "v1")
	f.Add([]byte(`{`+requests.Head+`,"spec":{"a":"x","y":1,"o":null}}`), false)
	f.Add([]byte("apiVersion: g.io/v1\nkind: K\nmetadata: {name: x}\nspec: {a: 1.0, a: 2}\n"), true)
	f.Add([]byte(`{"kind":"K","kind":5}`), false)
	f.Add([]byte(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"generateName":"x","labels":{"a":null},"finalizers":["x","x"]},"spec":{"replicas":1e3}}`), true)
	f.Fuzz(func(t *testing.T, body []byte, strict bool) {
		option := crdsem.FieldValidation(crdsem.Warn)
		if strict {
			option = crdsem.FieldValidation(crdsem.Strict)
		}
		ctx := context.Background()
		first, second := v.CreateBytes(ctx, body, option), v.CreateBytes(ctx, body, option)
		if diff := cmp.Diff(requests.Lines(first), requests.Lines(second)); diff != "" {
			t.Errorf("two answers: %s", diff)
		}
		if value, duplicates, err := jsonvalue.DecodeJSON(body); err == nil &&
			len(duplicates) == 0 &&
			len(body) > 0 &&
			body[0] == '{' {
			third := v.Create(ctx, value.(map[string]any), option)
			if first.Stage != crdsem.StageDecode || third.Stage != crdsem.StageDecode {
				diff := cmp.Diff(requests.Lines(first), requests.Lines(third)) + cmp.Diff(
					first.Object,
					third.Object,
				)
				if diff != "" {
					t.Errorf("the object is judged otherwise than its bytes: %s", diff)
				}
			}
		}
		if !first.Admitted() {
			return
		}
		again := v.Create(ctx, first.Object, crdsem.FieldValidation(crdsem.Strict))
		if diff := cmp.Diff(first.Object, again.Object); diff != "" || !again.Admitted() ||
			len(again.Pruned) > 0 {
			t.Errorf("admitted again: %q %s", requests.Lines(again), diff)
		}
	})
}
