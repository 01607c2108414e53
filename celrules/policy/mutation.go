package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"google.golang.org/protobuf/types/known/structpb"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
)

// Configuration evaluates an expression of the role [Configuration] and returns
// the object that it makes, with values as a server has them before it merges
// them, e.g. a list without items is a nil slice. The error is as that of
// [Run.Eval], or says that a type is not named by the path of its field.
func (r *Run) Configuration(ctx context.Context, e *Expression) (map[string]any, error) {
	value, err := r.made(ctx, e)
	if err != nil {
		return nil, err
	}
	made, ok := value.(*k8scel.Object)
	if !ok {
		return nil, fmt.Errorf("unsupported return type from ApplyConfiguration expression: %v",
			value.Type())
	}
	if err := made.CheckNames(); err != nil {
		return nil, fmt.Errorf("type mismatch: %w", err)
	}
	object, err := made.Native()
	if err != nil {
		return nil, errors.New("invalid return type: *dynamic.ObjectVal")
	}
	return object, nil
}

// Patch evaluates an expression of the role [Patch] and returns the JSON patch
// that it makes. The error is as that of [Run.Configuration].
func (r *Run) Patch(ctx context.Context, e *Expression) ([]byte, error) {
	value, err := r.made(ctx, e)
	if err != nil {
		return nil, err
	}
	list, ok := value.(traits.Lister)
	if !ok {
		return nil, fmt.Errorf(
			"type mismatch: JSONPatchType.expression should evaluate to array")
	}
	patch := []map[string]any{}
	for it := list.Iterator(); it.HasNext() == types.True; {
		made, ok := it.Next().(*k8scel.Patch)
		if !ok {
			return nil, fmt.Errorf(
				"type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch")
		}
		operation, err := operationOf(made)
		if err != nil {
			return nil, err
		}
		patch = append(patch, operation)
	}
	return json.Marshal(patch)
}

// made evaluates what a mutation makes.
func (r *Run) made(ctx context.Context, e *Expression) (ref.Val, error) {
	if e.err != nil {
		return nil, e.err
	}
	return r.eval(ctx, e)
}

// operationOf returns an operation of a JSON patch.
func operationOf(made *k8scel.Patch) (map[string]any, error) {
	operation := map[string]any{"op": made.Op, "path": made.Path}
	if made.From != "" {
		operation["from"] = made.From
	}
	value := made.Content
	if value == nil {
		return operation, nil
	}
	if object, ok := value.(*k8scel.Object); ok {
		if err := object.CheckNames(); err != nil {
			return nil, fmt.Errorf("type mismatch: %w", err)
		}
	}
	const frame = "JSONPath valueExpression evaluated to a type that could not marshal to JSON: %w"
	native, err := value.ConvertToNative(reflect.TypeFor[*structpb.Value]())
	if err != nil {
		return nil, fmt.Errorf(frame, err)
	}
	text, err := json.Marshal(native)
	if err != nil {
		return nil, fmt.Errorf(frame, err)
	}
	operation["value"] = json.RawMessage(text)
	return operation, nil
}
