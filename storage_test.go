package crdsem_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// A field that the storage version does not have is lost on the way to storage:
// the client of the request is answered without it, and so is every other one
// (PIPE-021, PIPE-022).
func TestWrite(t *testing.T) {
	ctx := context.Background()
	v := requests.Version(t, "v1beta1")
	admitted := v.Create(ctx, requests.Object(t,
		`{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"},"spec":{"a":"x"}}`))
	if b := nested(admitted.Object, "spec", "b"); b != "only in v1beta1" {
		t.Fatalf("%v %v", admitted.Err(), admitted.Object)
	}
	w := v.Write(ctx, admitted.Object)
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	stored := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K",
		"metadata":{"name":"n","namespace":"default","generation":1},"spec":{"a":"x"}}`)
	if diff := cmp.Diff(stored, w.Stored.Object); diff != "" {
		t.Errorf("stored: %s", diff)
	}
	lost := []crdsem.Change{{
		Action: crdsem.Pruned, Path: "spec.b", Schema: "openAPIV3Schema.properties[spec]",
		Pointer: "/spec/b", Value: "only in v1beta1",
	}}
	if diff := cmp.Diff(lost, w.Stored.Provenance); diff != "" {
		t.Errorf("lost: %s", diff)
	}
	stored["apiVersion"] = "g.io/v1beta1"
	if diff := cmp.Diff(stored, w.Answer.Object); diff != "" {
		t.Errorf("answered: %s", diff)
	}
	var versions []string
	for _, read := range v.Definition().ReadServed(ctx, w.Stored.Object) {
		versions = append(versions, read.Version.Name())
		stored["apiVersion"] = "g.io/" + read.Version.Name()
		if diff := cmp.Diff(stored, read.Object); diff != "" {
			t.Errorf("read as %s: %s", read.Version.Name(), diff)
		}
	}
	if diff := cmp.Diff([]string{"v1", "v1beta1"}, versions); diff != "" {
		t.Errorf("served: %s", diff)
	}
}

// An object that cannot be stored has no answer but the error.
func TestWriteRefused(t *testing.T) {
	ctx := context.Background()
	text := strings.Replace(requests.DefinitionText, `"scope": "Namespaced",`, `"scope": "Namespaced",
		"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com"}}},`, 1)
	v, err := requests.Parse(t, text).Version("v1beta1")
	if err != nil {
		t.Fatal(err)
	}
	w := v.Write(ctx, requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"}}`))
	if err := w.Err(); !errors.Is(err, crdsem.ErrNoWebhook) || w.Answer != nil {
		t.Errorf("without a webhook: %v, %v", err, w.Answer)
	}
	w = v.Write(ctx, map[string]any{"a": 1})
	if _, ok := errors.AsType[*crdsem.ValueError](w.Err()); !ok {
		t.Errorf("not JSON: %v", w.Err())
	}
	if w := v.Write(ctx, nil); w.Err() == nil {
		t.Errorf("nothing: %v", w.Stored.Object)
	}
}
