package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// kind answers the cases of one kind. It decodes a case's input and returns the
// members of the answer, which hold only map[string]any, []any, string, bool,
// int64, float64 and nil.
type kind func(ctx context.Context, input json.RawMessage) (map[string]any, error)

// kinds are the kinds of vectors/other, by the names of their files. A new kind
// also needs a row in vectors/README.md, an entry in vectors/case.schema.json,
// and its file.
func kinds() map[string]kind {
	all := map[string]kind{
		"structuralOptions":    of(structuralOptions),
		"prunedValue":          of(prunedValue),
		"droppedNulls":         of(droppedNulls),
		"prunedDefaults":       of(prunedDefaults),
		"coercedObject":        of(coercedObject),
		"unpreparedObject":     of(unpreparedObject),
		"unpreparedDefinition": of(unpreparedDefinition),
		"cancelled":            of(cancelled),
		"webhookConversion":    of(webhookConversion),
		"versionCompare":       of(versionCompare),
		"fieldLabel":           of(fieldLabel),
		"refusal":              of(refusal),
		"definitionStatus":     of(definitionStatus),
		"definitionOrder":      of(definitionOrder),
		"rewrittenSchema":      of(rewrittenSchema),
		"publishedSchema":      of(publishedSchema),
	}
	maps.Copy(all, newestKinds())
	return all
}

// Kinds returns the names of all kinds, sorted, as a new slice.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds())) }

// of returns the kind for a function with an input of type In. Members that In
// lacks are rejected.
func of[In any](answer func(ctx context.Context, in In) (map[string]any, error)) kind {
	return func(ctx context.Context, input json.RawMessage) (map[string]any, error) {
		var in In
		dec := json.NewDecoder(bytes.NewReader(input))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&in); err != nil {
			return nil, fmt.Errorf("input: %w", err)
		}
		return answer(ctx, in)
	}
}

// AnswerCase asks the real code for a case's answer and returns its JSON form.
// A case that cannot be asked, and a panic of the real code, return an error.
func AnswerCase(ctx context.Context, c *suite.Case) (answer []byte, err error) {
	ask, ok := kinds()[c.Kind]
	if !ok {
		return nil, fmt.Errorf("kind %q is not known", c.Kind)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	members, err := ask(ctx, c.Input)
	if err != nil {
		return nil, err
	}
	return protocol.AppendValue(nil, members)
}

// failure returns the answer of a kind that reports an error's text, if there
// is an error.
func failure(err error) map[string]any { return map[string]any{"error": err.Error()} }

// found returns the answer of a kind that reports field errors.
func found(errs field.ErrorList) map[string]any {
	list := make([]any, len(errs))
	for i, e := range fieldErrors(errs) {
		list[i] = map[string]any{
			"type":   e.Type,
			"field":  e.Field,
			"detail": e.Detail,
			"text":   e.Text,
		}
	}
	return map[string]any{"errors": list}
}

func stringList(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// mapOf decodes an input that must be an object.
func mapOf(in protocol.Input) (map[string]any, error) {
	v, err := valueOf(in)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errNotObject
	}
	return object, nil
}

// ErrNotThere means that this minor of the real code does not have what a case
// asks for.
var ErrNotThere = errors.New("not there in this minor")

// errNoOption means that the real code has no such option.
var errNoOption = errors.New("no such option")
