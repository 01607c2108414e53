package builtin

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/prune"
)

// Result is what was found in an object.
type Result struct {
	// Unknown are the paths of the fields that the kind does not have.
	Unknown []string
	// Errors are the errors of values. An object that has none may still be
	// refused by a server, which validates more than structure.
	Errors field.ErrorList
}

// Validate validates a new object by the structure of its kind. The object
// holds what encoding/json decodes, with integers as int64; it is not changed.
// If the context ends before Validate is done, the result is one error of type
// internal, which is no verdict.
func (k *Kind) Validate(ctx context.Context, object map[string]any) *Result {
	c := k.compile()
	r := &Result{}
	object, _ = withoutNulls(object, c.schema)
	pruned := jsonvalue.DeepCopyMap(object)
	for _, change := range prune.Value(pruned, c.schema) {
		r.Unknown = append(r.Unknown, change.Path)
	}
	r.Errors = c.validator.Values(ctx, nil, pruned)
	inMetadata := hasErrorIn(r.Errors, "metadata")
	isDecoded := !hasErrorIn(ofTypes(r.Errors), "spec")
	r.Errors = append(r.Errors, checkValues(pruned, c.schema, nil)...)
	r.Errors = append(r.Errors, c.validator.ListTypes(ctx, pruned)...)
	if !inMetadata {
		r.Errors = append(r.Errors, k.metadataErrors(pruned)...)
	}
	if isDecoded { // a server goes on to its rules after errors of any other sort
		r.Errors = append(r.Errors, k.selectorErrors(pruned)...)
		r.Errors = append(r.Errors, k.kindErrors(pruned)...)
	}
	if err := ctx.Err(); err != nil {
		return &Result{Errors: field.ErrorList{field.InternalError(nil, err)}}
	}
	return r
}

// ofTypes returns the errors about values of a wrong type. A server's decoder
// stops at the first of them.
func ofTypes(errs field.ErrorList) (out field.ErrorList) {
	for _, err := range errs {
		if err.Type == field.ErrorTypeTypeInvalid {
			out = append(out, err)
		}
	}
	return out
}
