package structural_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
)

// root is the path of the vectors' schemas.
var root = field.NewPath("openAPIV3Schema")

// schemas returns the vectors' schemas as JSON, by the vectors' ids.
func schemas(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, v := range vectors.Eval(t, protocol.OpStructural) {
		out[v.ID] = vectors.JSON(t, v.Req.Schema)
	}
	return out
}

// found returns the answer of a vector for a schema.
func found(schema *structural.Schema, err error) protocol.Errors {
	if err == nil {
		return protocol.Errors{Errors: protocol.FieldErrors(structural.Validate(schema, root))}
	}
	answer := protocol.FieldError{
		Type: protocol.DecodeError, Detail: err.Error(), Text: err.Error(),
	}
	var conversion *structural.ConversionError
	var decoding *structural.DecodeError
	switch {
	case errors.As(err, &conversion):
		answer.Type, answer.Rule = protocol.ConversionError, conversion.Rule
	case errors.As(err, &decoding):
		answer.Rule = decoding.Rule
	}
	return protocol.Errors{Errors: []protocol.FieldError{answer}}
}

// Schemas decode, convert and are structural as the vectors say (STR-002 to
// STR-105), read from JSON and from maps.
func TestVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpStructural) {
		text := vectors.JSON(t, v.Req.Schema)
		parsed, err := structural.Parse(text)
		v.Check(t, found(parsed, err))
		object, _, decodeErr := jsonvalue.DecodeObject(text)
		if decodeErr != nil {
			continue
		}
		fromMap, mapErr := structural.FromMap(object)
		v.Check(t, found(fromMap, mapErr))
		if err == nil && mapErr == nil && !structural.Equal(parsed, fromMap) {
			t.Errorf("%s: Parse and FromMap build different models", v.ID)
		}
	}
}

// Errors are in the order of their strings.
func TestErrorsAreOrdered(t *testing.T) {
	for id, text := range schemas(t) {
		schema, err := structural.Parse(text)
		if err != nil {
			continue
		}
		errs := structural.Validate(schema, root)
		if !slices.IsSortedFunc(
			errs,
			func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) },
		) {
			t.Errorf("%s: errors are not in the order of their strings: %v", id, errs)
		}
	}
}

var allowances = map[string]structural.Allowance{
	"AllowNestedAdditionalProperties":                   structural.AllowNestedAdditionalProperties,
	"AllowNestedXValidations":                           structural.AllowNestedRules,
	"AllowValidationPropertiesWithAdditionalProperties": structural.AllowPropertiesOfMaps,
}

// Allowances allow what the vectors say (STR-092 to STR-102).
func TestAllowances(t *testing.T) {
	type input struct {
		Schema  protocol.Input `json:"schema"`
		Options []string       `json:"options"`
	}
	type answer struct {
		Errors []protocol.FieldError `json:"errors"`
	}
	for _, c := range vectors.Cases[input, answer](t, "structuralOptions") {
		schema, err := structural.Parse(vectors.JSON(t, c.Input.Schema))
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		var allowed []structural.Option
		for _, name := range c.Input.Options {
			allowed = append(allowed, structural.Allow(allowances[name]))
		}
		vectors.CheckErrors(t, c.ID, c.Want.Errors, structural.Validate(schema, root, allowed...))
	}
}
