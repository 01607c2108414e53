package crdsem_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/merge"
)

// A server-side apply: package merge makes an object of what is stored and what is applied, the facade says what the server does with it.
func Example_serverSideApply() {
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
	resource, err := merge.NewFieldManager("CronTab", []merge.Version{{APIVersion: v.APIVersion(), Type: merge.Compile(v.Schema())}},
		merge.Hooks{Default: func(object map[string]any) { defaulting.Default(object, v.Schema()) }})
	if err != nil {
		log.Fatal(err)
	}
	apply := func(manager string, stored, spec map[string]any) *crdsem.Result {
		ctx := context.Background()
		config := map[string]any{
			"apiVersion": v.APIVersion(), "kind": "CronTab", "metadata": map[string]any{"name": "my-cron"}, "spec": spec,
		}
		if stored == nil {
			merged, err := resource.Apply(nil, config, merge.Request{APIVersion: v.APIVersion(), Manager: manager})
			if err != nil {
				log.Fatal(err)
			}
			return v.Create(ctx, merged, crdsem.Applied)
		}
		merged, err := resource.Apply(v.Read(ctx, stored).Object, config, merge.Request{APIVersion: v.APIVersion(), Manager: manager})
		if err != nil {
			log.Fatal(err)
		}
		return v.Update(ctx, merged, stored, crdsem.Applied, crdsem.RequireResourceVersion)
	}
	created := apply("gitops", nil, map[string]any{"image": "my-image"})
	fmt.Println(created.Stage, created.Object["spec"])
	created.Object["metadata"].(map[string]any)["resourceVersion"] = "1" // as the server stores it
	applied := apply("scheduler", created.Object, map[string]any{"cronSpec": "1 1 * * *"})
	fmt.Println(applied.Stage, applied.Object["spec"])
	owners, err := merge.ManagedFields(applied.Object)
	if err != nil {
		log.Fatal(err)
	}
	for _, owner := range owners {
		fmt.Println(owner.Manager, owner.Fields.Paths())
	}
	applied = apply("gitops", created.Object, map[string]any{"image": "my-image", "replicas": int64(15)})
	fmt.Println(applied.Stage, applied.Errors)
	// Output:
	// admitted map[cronSpec:5 0 * * * foo:default image:my-image replicas:1]
	// admitted map[cronSpec:1 1 * * * foo:default image:my-image replicas:1]
	// gitops [.spec.image]
	// scheduler [.spec.cronSpec]
	// invalid [spec.replicas: Invalid value: 15: spec.replicas in body should be less than or equal to 10]
}

// What was applied is neither pruned nor does it lose its nulls; it gets no defaults but those of the merge, and it is validated (PIPE-019).
func TestApplied(t *testing.T) {
	ctx, v := context.Background(), versionOf(t, "v1")
	const (
		merged = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"default","generation":1,"resourceVersion":"5","managedFields":[{"manager":"m","operation":"Apply","apiVersion":"g.io/v1","fieldsType":"FieldsV1","fieldsV1":{}}],"zz":1},"spec":{"zz":null,"o":{"zz":1}},"zz":1}`
		old    = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"default","generation":1,"resourceVersion":"5"},"spec":{"a":"d"}}`
	)
	r := v.Update(ctx, object(t, merged), object(t, old), crdsem.Applied, crdsem.RequireResourceVersion, crdsem.Strict)
	want := object(t, merged)
	want["metadata"].(map[string]any)["generation"] = int64(2)
	if diff := cmp.Diff(want, r.Object) + cmp.Diff([]string(nil), told(r)); !r.Admitted() || diff != "" {
		t.Errorf("update: %s %s", r.Stage, diff)
	}
	r = v.UpdateStatus(ctx, object(t, merged), object(t, old), crdsem.Applied)
	status := object(t, old)
	status["metadata"].(map[string]any)["managedFields"] = want["metadata"].(map[string]any)["managedFields"]
	if diff := cmp.Diff(status, r.Object); !r.Admitted() || diff != "" {
		t.Errorf("status: %s %s", r.Stage, diff)
	}
	r = v.Create(ctx, object(t, merged), crdsem.Applied)
	want["metadata"].(map[string]any)["generation"] = int64(1)
	if diff := cmp.Diff(want["spec"], r.Object["spec"]); !r.Admitted() || diff != "" {
		t.Errorf("create: %s %s", r.Stage, diff)
	}
	for text, want := range map[string][]string{
		`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"5"},"spec":{"a":"long","replicas":"x"}}`: {
			`error: spec.a: Too long: may not be more than 3 bytes`, `error: spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"`,
			`error: .spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64`,
			"error: <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"},
		`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"4"},"spec":{}}`: {
			`refused: Operation cannot be fulfilled on ks.g.io "n": the object has been modified; please apply your changes to the latest version and try again`},
		`{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n","resourceVersion":"5"},"spec":{}}`: {
			`refused: the API version in the data (g.io/v1beta1) does not match the expected API version (g.io/v1)`},
	} {
		r := v.Update(ctx, object(t, text), object(t, old), crdsem.Applied, crdsem.RequireResourceVersion)
		if diff := cmp.Diff(want, told(r)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
