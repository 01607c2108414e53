// Command fakeclient answers the writes with the fake client of
// controller-runtime, which many controllers are tested with. It validates,
// prunes and defaults nothing, and converts no versions.
package main

import (
	"context"
	"encoding/json"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/conformance/ports/internal/adapter"
)

func main() {
	adapter.Serve("controller-runtime fake client", "update status patch apply", write)
}

// write makes a request to a client that has the stored object.
func write(r *adapter.Request) adapter.Answer {
	builder := fake.NewClientBuilder().WithReturnManagedFields()
	stored, object := &unstructured.Unstructured{}, &unstructured.Unstructured{}
	code := 201
	if len(r.Stored) > 0 {
		if err := read(r.Stored, stored); err != nil {
			return adapter.Fault(err)
		}
		if stored.GetResourceVersion() == "" {
			stored.SetResourceVersion("1")
		}
		builder, code = builder.WithObjects(stored).WithStatusSubresource(stored), 200
		object = stored.DeepCopy()
	}
	if len(r.Object) > 0 {
		object = &unstructured.Unstructured{}
		if err := read(r.Object, object); err != nil {
			return refused(apierrors.NewBadRequest(err.Error()))
		}
	}
	if err := send(r, builder.Build(), object); err != nil {
		return refused(err)
	}
	return adapter.Answer{"code": code, "object": shown(r, object), "warnings": []any{}}
}

// send makes the request.
func send(r *adapter.Request, c client.Client, object *unstructured.Unstructured) error {
	ctx := context.Background()
	options := []client.PatchOption{}
	if r.Force {
		options = append(options, client.ForceOwnership)
	}
	if r.Manager != "" {
		options = append(options, client.FieldOwner(r.Manager))
	}
	var patch client.Patch
	switch r.Op {
	case "update":
		return c.Update(ctx, object, client.FieldOwner(r.Manager))
	case "status":
		return c.Status().Update(ctx, object)
	case "apply":
		// What replaces it takes configurations of Go types: these objects
		// have none.
		patch = client.Apply //nolint:staticcheck // deprecated for typed objects
	default:
		kinds := map[string]types.PatchType{"json": types.JSONPatchType,
			"merge": types.MergePatchType, "strategic": types.StrategicMergePatchType}
		patch = client.RawPatch(kinds[r.Type], adapter.Document(r.Patch))
	}
	if r.Subresource == "status" {
		return c.Status().Patch(ctx, object, patch, &client.SubResourcePatchOptions{
			PatchOptions: *(&client.PatchOptions{}).ApplyOptions(options)})
	}
	return c.Patch(ctx, object, patch, options...)
}

// shown leaves out what differs each time.
func shown(r *adapter.Request, object *unstructured.Unstructured) any {
	object.SetResourceVersion("")
	if r.Manager == "" {
		object.SetManagedFields(nil)
	}
	entries := object.GetManagedFields()
	for i := range entries {
		entries[i].Time = nil
	}
	object.SetManagedFields(entries)
	return object.Object
}

func refused(err error) adapter.Answer {
	answer := adapter.Answer{"code": 500, "message": err.Error(), "warnings": []any{}}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		answer["code"], answer["reason"] = status.Status().Code, status.Status().Reason
	}
	return answer
}

func read(raw json.RawMessage, into *unstructured.Unstructured) error {
	return yaml.Unmarshal(adapter.Document(raw), &into.Object)
}
