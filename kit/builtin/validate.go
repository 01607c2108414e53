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
	// Warnings are what a server warns of, e.g. that the version is deprecated,
	// and what only some requests are refused for.
	Warnings []string
}

// Validate validates a new object by the structure of its kind. The object
// holds what encoding/json decodes, with integers as int64; it is not changed.
// A context that ends gives an error of type internal, see
// [validation.Validator].
func (k *Kind) Validate(ctx context.Context, object map[string]any) *Result {
	c := k.compile()
	r := &Result{}
	if text := k.Deprecation(); text != "" {
		r.Warnings = append(r.Warnings, text)
	}
	object, _ = withoutNulls(object, c.schema)
	pruned := jsonvalue.DeepCopyMap(object)
	for _, change := range prune.Value(pruned, c.schema) {
		r.Unknown = append(r.Unknown, change.Path)
	}
	r.Errors = c.validator.Values(ctx, nil, pruned)
	inMetadata, inSpec := hasErrorIn(r.Errors, "metadata"), hasErrorIn(r.Errors, "spec")
	r.Errors = append(r.Errors, checkValues(pruned, c.schema, nil)...)
	r.Errors = append(r.Errors, c.validator.ListTypes(ctx, pruned)...)
	if !inMetadata {
		r.Errors = append(r.Errors, k.metadataErrors(pruned)...)
	}
	if !inSpec {
		r.Errors = append(r.Errors, k.selectorErrors(pruned)...)
	}
	return r
}
