package kube_test

import (
	"context"
	"strings"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/contexts"
	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// Every exported function of the module that takes a context ends with it.
func TestEverythingEndsWithItsContext(t *testing.T) {
	def, err := kube.Parse([]byte(contexts.Definition(0)), crdsem.Stored())
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	object, old := contexts.Object("x"), contexts.Object("y")
	patch := []byte(`[` + strings.TrimSuffix(strings.Repeat(
		`{"op":"copy","from":"/spec/l","path":"/spec/l"},`, 10_000), ",") + `]`)
	manager := []crdsem.Option{crdsem.FieldManager("m"), crdsem.Force()}
	rows := map[string]func(context.Context){
		". Definition.Store":     func(ctx context.Context) { def.Store(ctx, object) },
		". Version.Create":       func(ctx context.Context) { v.Create(ctx, object) },
		". Version.Update":       func(ctx context.Context) { v.Update(ctx, object, old) },
		". Version.UpdateStatus": func(ctx context.Context) { v.UpdateStatus(ctx, object, old) },
		". Version.Apply":        func(ctx context.Context) { v.Apply(ctx, object, old, manager...) },
		". Version.ApplyStatus": func(ctx context.Context) {
			v.ApplyStatus(ctx, object, old, manager...)
		},
		". Version.Patch": func(ctx context.Context) {
			v.Patch(ctx, patch, types.JSONPatchType, old)
		},
		". Version.PatchStatus": func(ctx context.Context) {
			v.PatchStatus(ctx, patch, types.JSONPatchType, old)
		},
		". Version.Read": func(ctx context.Context) { v.Read(ctx, old) },
		". Version.Scale": func(ctx context.Context) {
			_, _ = v.Scale(ctx, old)
		},
		". Version.UpdateScale": func(ctx context.Context) {
			v.UpdateScale(ctx, old, &autoscalingv1.Scale{})
		},
		"fake Client.IndexField": index(t, def),
	}
	contexts.Run(t, ".", rows)
}

// index returns a row: a new field of the kind is indexed.
func index(t *testing.T, def *kube.Definition) func(context.Context) {
	t.Helper()
	s, err := fake.NewServer(def)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Client(clientfake.NewClientBuilder().Build(), nil)
	if err != nil {
		t.Fatal(err)
	}
	kind := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "g.io/v1", "kind": "K"}}
	field := "f"
	return func(ctx context.Context) {
		field += "f"
		none := func(client.Object) []string { return nil }
		if err := c.IndexField(ctx, kind, field, none); err != nil {
			t.Error(err)
		}
	}
}
