package crdsem_test

import (
	"context"
	"encoding/json"
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
		judgedAsSent(t, v, body, option)
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

// judgedAsSent holds that an object is judged as the body that a client sends
// of it.
func judgedAsSent(t *testing.T, v *crdsem.Version, text []byte, option crdsem.Option) {
	t.Helper()
	value, duplicates, err := jsonvalue.DecodeJSON(text)
	object, ok := value.(map[string]any)
	if err != nil || !ok || len(duplicates) > 0 {
		return
	}
	body, err := json.Marshal(object)
	if err != nil {
		return
	}
	ctx := context.Background()
	sent, given := v.CreateBytes(ctx, body, option), v.Create(ctx, object, option)
	if sent.Stage == crdsem.StageDecode && given.Stage == crdsem.StageDecode {
		return
	}
	diff := cmp.Diff(requests.Lines(sent), requests.Lines(given)) +
		cmp.Diff(sent.Object, given.Object)
	if diff != "" {
		t.Errorf("the object is judged otherwise than its body: %s", diff)
	}
}
