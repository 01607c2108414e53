package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// A program that routes requests has the verb in a variable. Without a verb,
// what is stored decides.
func ExampleVersion_Do() {
	crd, err := os.ReadFile("examples/crontab/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	def, err := crdsem.Parse(crd)
	if err != nil {
		log.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	var stored map[string]any
	for _, request := range []crdsem.Request{
		{Object: map[string]any{
			"apiVersion": "stable.example.com/v1", "kind": "CronTab",
			"metadata": map[string]any{"name": "a"}, "spec": map[string]any{"replicas": int64(3)},
		}},
		{Verb: crdsem.VerbPatch, PatchType: crdsem.MergePatch, Body: []byte(`{"spec":{"replicas":4}}`)},
		{Verb: crdsem.VerbPatch, PatchType: crdsem.MergePatch, Body: []byte(`{"spec":{"replicas":40}}`)},
		{Verb: crdsem.VerbRead},
	} {
		request.Old = stored
		result := v.Do(context.Background(), request)
		fmt.Println(result.Stage, result.Errors)
		if result.Admitted() {
			stored = def.Store(context.Background(), result.Object).Object
		}
	}
	// Output:
	// admitted []
	// admitted []
	// invalid [spec.replicas: Invalid value: 40: spec.replicas in body should be less than or equal to 10]
	// read []
}

const stored = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"5"},"spec":{}}`

// The zero verb creates or updates.
func TestDoWithoutVerb(t *testing.T) {
	v, ctx := requests.Version(t, "v1"), context.Background()
	object, old := requests.Object(t, stored), requests.Object(t, stored)
	created := v.Do(ctx, crdsem.Request{
		Object: object, Concurrency: crdsem.RequireResourceVersion,
	})
	updated := v.Do(ctx, crdsem.Request{
		Object: object, Old: old, Concurrency: crdsem.RequireResourceVersion,
	})
	if created.Admitted() || !updated.Admitted() {
		t.Errorf("with a resourceVersion: create %v, update %v", created.Err(), updated.Err())
	}
}

// Every verb can be asked for with a body or an object, of every subresource
// that it has.
func TestDo(t *testing.T) {
	v, ctx := requests.Version(t, "v1"), context.Background()
	object, old := requests.Object(t, stored), requests.Object(t, stored)
	type pair struct {
		method  *crdsem.Result
		request crdsem.Request
	}
	scale, patch := crdsem.Scale{Replicas: 3}, []byte(`{}`)
	for name, pair := range map[string]pair{
		"no body":   {v.CreateBytes(ctx, nil), crdsem.Request{}},
		"no object": {v.Create(ctx, nil), crdsem.Request{Object: map[string]any{}}},
		"status": {v.UpdateStatus(ctx, object, old),
			crdsem.Request{Subresource: "status", Object: object, Old: old}},
		"nothing stored": {v.Update(ctx, object, nil),
			crdsem.Request{Verb: "update", Body: []byte(stored)}},
		"scale": {v.UpdateScale(ctx, old, scale),
			crdsem.Request{Subresource: "scale", Scale: &scale, Old: old}},
		"patch type": {v.Patch(ctx, patch, "", old),
			crdsem.Request{Verb: "patch", Body: patch, Old: old}},
		"patch": {v.PatchStatus(ctx, patch, crdsem.MergePatch, old), crdsem.Request{
			Verb: "patch", Subresource: "status", PatchType: crdsem.MergePatch, Body: patch, Old: old,
		}},
		"read": {v.Read(ctx, old),
			crdsem.Request{Verb: "read", Subresource: "status", Old: old}},
	} {
		result := v.Do(ctx, pair.request)
		got := fmt.Sprint(requests.Lines(result), result.Err())
		want := fmt.Sprint(requests.Lines(pair.method), pair.method.Err())
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	bare := requests.Version(t, "v1beta1")
	object["apiVersion"] = "g.io/v1beta1"
	for _, verb := range []crdsem.Verb{"patch", "apply", "update", "read"} {
		request := crdsem.Request{Verb: verb, Subresource: "status", Old: old}
		if verb == "update" {
			request.Object = object
		}
		r := bare.Do(ctx, request)
		if status := statusOf(r); status == nil || status.Code != 404 {
			t.Errorf("%s of the status that v1beta1 does not have: %v", verb, r.Err())
		}
	}
}

// A field that the verb cannot use is an error that names it.
func TestRequestErrors(t *testing.T) {
	v := requests.Version(t, "v1")
	object, scale := requests.Object(t, stored), &crdsem.Scale{}
	for want, request := range map[string]crdsem.Request{
		`Verb: unknown verb "upsert": want one of [create update patch apply read]`: {Verb: "upsert"},
		`Subresource: unknown subresource "exec": want one of [status scale]`:       {Subresource: "exec"},
		"Subresource: a create has no subresource: the object is created first":     {Subresource: "status", Object: object},
		"Subresource: the scale is not an object of the version: call Version.Scale": {
			Verb: "read", Subresource: "scale", Old: object},
		"Subresource: the scale takes no patch: send it as an update": {
			Verb: "patch", Subresource: "scale", Old: object},
		"Old: must be empty for a create":                  {Verb: "create", Object: object, Old: object},
		"Object: must be empty for a patch":                {Verb: "patch", Object: object, Old: object},
		"Object: must be empty for an update of the scale": {Subresource: "scale", Object: object, Old: object},
		"Body: must be empty for a read of the status": {
			Verb: "read", Subresource: "status", Body: []byte("{}"), Old: object},
		"PatchType: must be empty for an update":          {PatchType: crdsem.MergePatch, Old: object},
		"Scale: must be empty for an update":              {Scale: scale, Old: object},
		"Body: must be empty if Object is given":          {Object: object, Body: []byte("{}")},
		"Scale: is missing in an update of the scale":     {Subresource: "scale", Old: object},
		"Scale: must be empty for a create":               {Object: object, Scale: scale},
		"Object: must be empty for a read":                {Verb: "read", Object: object, Old: object},
		"Object: must be empty for a patch of the status": {Verb: "patch", Subresource: "status", Object: object},
		"Scale: must be empty for an apply of the status": {Verb: "apply", Subresource: "status", Scale: scale},
		"PatchType: must be empty for an update of the scale": {
			Subresource: "scale", Scale: scale, PatchType: "x", Old: object},
		"Subresource: the scale takes no create: send it as an update": {
			Subresource: "scale", Scale: scale},
	} {
		r := v.Do(context.Background(), request)
		bad, ok := errors.AsType[*crdsem.RequestError](r.Err())
		if !ok || r.Stage != crdsem.StageDecode {
			t.Errorf("want %s: %s %v", want, r.Stage, r.Err())
			continue
		}
		field, reason, _ := strings.Cut(want, ": ")
		if want := "field " + field + " of crdsem.Request: " + reason; bad.Error() != want {
			t.Errorf("got %s, want %s", bad, want)
		}
	}
}
