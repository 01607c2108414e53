// Command fakeclient answers the writes with the fake client of
// controller-runtime, which many controllers are tested with. It validates,
// prunes and defaults nothing, and converts no versions.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"
)

type request struct {
	ID, Op, Type, Subresource, Manager string
	Force                              bool
	Object, Stored, Patch              json.RawMessage
}

func main() {
	fmt.Println(`{"protocol":1,"name":"controller-runtime fake client",` +
		`"ops":["update","status","patch","apply"]}`)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		_ = json.Unmarshal(line, &r)
		answer := write(&r)
		answer["id"] = r.ID
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}

func write(r *request) (answer map[string]any) {
	defer func() {
		if p := recover(); p != nil {
			answer = map[string]any{"fault": fmt.Sprint("panic: ", p)}
		}
	}()
	builder := fake.NewClientBuilder().WithReturnManagedFields()
	stored, object := &unstructured.Unstructured{}, &unstructured.Unstructured{}
	code := 201
	if len(r.Stored) > 0 {
		if err := read(r.Stored, stored); err != nil {
			return map[string]any{"fault": err.Error()}
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
	if err := r.send(builder.Build(), object); err != nil {
		return refused(err)
	}
	return map[string]any{"code": code, "object": r.shown(object), "warnings": []any{}}
}

// send makes the request.
func (r *request) send(c client.Client, object *unstructured.Unstructured) error {
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
		patch = client.Apply //nolint:staticcheck // the way of unstructured objects
	default:
		kinds := map[string]types.PatchType{"json": types.JSONPatchType,
			"merge": types.MergePatchType, "strategic": types.StrategicMergePatchType}
		patch = client.RawPatch(kinds[r.Type], document(r.Patch))
	}
	if r.Subresource == "status" {
		return c.Status().Patch(ctx, object, patch, &client.SubResourcePatchOptions{
			PatchOptions: *(&client.PatchOptions{}).ApplyOptions(options)})
	}
	return c.Patch(ctx, object, patch, options...)
}

// shown leaves out what differs each time.
func (r *request) shown(object *unstructured.Unstructured) any {
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

func refused(err error) map[string]any {
	answer := map[string]any{"code": 500, "message": err.Error(), "warnings": []any{}}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		answer["code"], answer["reason"] = status.Status().Code, status.Status().Reason
	}
	return answer
}

func read(raw json.RawMessage, into *unstructured.Unstructured) error {
	return yaml.Unmarshal(document(raw), &into.Object)
}

// document returns an input as text: a string of JSON or YAML, or a value.
func document(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}
