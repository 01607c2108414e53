package crdsem_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// A decoded object and its JSON give the same result, errors included.
func TestObjectsAndBytesAgree(t *testing.T) {
	v := requests.Version(t, "v1")
	for _, text := range []string{`{` + requests.Head + `,"spec":{"a":"b","x":1}}`, `{"apiVersion":"g.io/v1"}`, `{"Kind":1,"kind":"K"}`, `{"kind":"K","apiVersion":"a/b/c"}`, `{` + requests.Head + `,"spec":5}`} {
		data, err := jsonvalue.EncodeJSON(requests.Object(t, text))
		if err != nil {
			t.Fatal(err)
		}
		a, b := v.Create(context.Background(), requests.Object(t, text)), v.CreateBytes(
			context.Background(),
			data,
		)
		if diff := cmp.Diff(requests.Lines(a), requests.Lines(b)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if diff := cmp.Diff(a.Object, b.Object); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// No argument is changed, by any operation.
func TestArgumentsStay(t *testing.T) {
	v := requests.Version(t, "v1")
	ctx := context.Background()
	text := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","uid":"u","labels":{},"zz":1,"ownerReferences":[{"uid":"1"},{"uid":"1"}]},"spec":{"x":1,"o":null},"status":{"phase":"P","junk":[{}]},"more":1}`
	new, old := requests.Object(t, text), requests.Object(t, strings.Replace(text, `"x":1`, `"y":[null]`, 1))
	newBefore, oldBefore := jsonvalue.DeepCopyMap(new), jsonvalue.DeepCopyMap(old)
	for name, run := range map[string]func() *crdsem.Result{
		"Create":       func() *crdsem.Result { return v.Create(ctx, new) },
		"Update":       func() *crdsem.Result { return v.Update(ctx, new, old) },
		"UpdateStatus": func() *crdsem.Result { return v.UpdateStatus(ctx, new, old) },
		"Read":         func() *crdsem.Result { return v.Read(ctx, old) },
		"UpdateScale":  func() *crdsem.Result { return v.UpdateScale(ctx, old, crdsem.Scale{Replicas: 3}) },
	} {
		if r := run(); r.Stage == crdsem.StageDecode {
			t.Errorf("%s: %v", name, r.Err())
		}
		if diff := cmp.Diff(newBefore, new) + cmp.Diff(oldBefore, old); diff != "" {
			t.Fatalf("%s changed an argument: %s", name, diff)
		}
	}
}
