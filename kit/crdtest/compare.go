package crdtest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// compare returns an error if an outcome is not as stated.
func (o *outcome) compare(want *Want) error {
	if err := o.compareErrors(want); err != nil {
		return err
	}
	var problems []error
	compareLists := func(name string, want, got []string) {
		if want != nil && !slices.Equal(want, got) {
			problems = append(problems,
				fmt.Errorf("%s (-want +got):\n%s", name, diffOf(want, got)))
		}
	}
	compareLists("warnings", want.Warnings, o.result.Warnings)
	compareLists("ratcheted", want.Ratcheted, textsOf(o.result.Ratcheted))
	if want.Cost != nil && *want.Cost != o.result.Cost {
		problems = append(problems,
			fmt.Errorf("the rules cost %d, want %d", o.result.Cost, *want.Cost))
	}
	if want.Object != nil && o.err == nil {
		problems = append(problems, o.compareObject(want.Object))
	}
	if o.versions != nil && o.err == nil {
		problems = append(problems, o.compareConverted(want))
	}
	return errors.Join(problems...)
}

// compareObject compares what a client reads with the stated object.
func (o *outcome) compareObject(want map[string]any) error {
	want, err := encoded(want)
	if err != nil {
		return fmt.Errorf("the stated object: %w", err)
	}
	want = typedLike(want, o.object)
	if diff := diffOf(forComparison(want, want), forComparison(o.object, want)); diff != "" {
		return fmt.Errorf("object (-want +got):\n%s", diff)
	}
	return nil
}

// typedLike returns a stated object with the apiVersion and the kind of another
// one if it states neither: they are those of the request.
func typedLike(want, other map[string]any) map[string]any {
	if want["apiVersion"] != nil || want["kind"] != nil {
		return want
	}
	want = maps.Clone(want)
	for _, key := range []string{"apiVersion", "kind"} {
		if value, has := other[key]; has {
			want[key] = value
		}
	}
	return want
}

// diffOf returns the difference between what is wanted and what is there. It
// has the same bytes in each run; go-cmp varies its white space.
func diffOf(want, got any) string {
	return strings.ReplaceAll(cmp.Diff(want, got), "\u00a0", " ")
}

// compareErrors compares the refusal with the stated errors.
func (o *outcome) compareErrors(want *Want) error {
	switch {
	case o.err == nil && want.Refused && len(want.Errors) == 0:
		return errors.New("admitted, want it refused")
	case o.err == nil && want.refused():
		return fmt.Errorf("admitted, want the error %q", want.Errors)
	case o.err == nil:
		return nil
	case !want.refused():
		return fmt.Errorf("refused, want it admitted: %w", o.err)
	}
	message := o.err.Error()
	var missing []string
	for _, text := range want.Errors {
		if !strings.Contains(message, text) && !o.saidBefore(text) {
			missing = append(missing, text)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("the refusal lacks a stated error (-want +got):\n%s",
		diffOf(missing, refusalTexts(o.err)))
}

// refusalTexts returns the texts of the findings of a refusal, or its own text
// if it has no findings.
func refusalTexts(err error) []string {
	if status, ok := errors.AsType[*crdsem.StatusError](err); ok && len(status.Errors) > 0 {
		return textsOf(status.Errors)
	}
	return []string{err.Error()}
}

// saidBefore reports whether the refusal contains a text if findings are
// written as servers did before 1.35.
func (o *outcome) saidBefore(text string) bool {
	for _, t := range []string{"object", "array", ""} {
		texts := make([]string, 0, len(o.result.Errors))
		for _, err := range o.result.Errors {
			texts = append(texts, textBefore(err, t))
		}
		message := strings.Join(texts, ", ")
		if refusal, _, found := strings.Cut(o.err.Error(), " is invalid: "); found {
			if len(texts) > 1 {
				message = "[" + message + "]"
			}
			message = refusal + " is invalid: " + message
		}
		if strings.Contains(message, text) {
			return true
		}
	}
	return false
}

// jsonTypes leads from a Go type to the type of a schema.
var jsonTypes = map[string]string{
	"string": "string", "bool": "boolean", "int64": "integer", "float64": "number",
}

// textBefore returns the text of a finding as servers wrote it before 1.35. A
// failed rule named the type of the value, not the value; null was in quotes;
// objects and lists were in the syntax of Go. composite is the name of a type
// whose values are left out; if it is empty, so are all types, as
// for an int-or-string.
func textBefore(err *field.Error, composite string) string {
	isRule := err.Type == field.ErrorTypeInvalid && err.Origin == "CEL-092"
	var value string
	switch v := err.BadValue.(type) {
	case nil:
		value = `"null"`
	case string, bool, int64, float64:
		value = strconv.Quote(composite)
		if composite != "" {
			value = strconv.Quote(jsonTypes[fmt.Sprintf("%T", v)])
		}
	case map[string]any, []any:
		value = fmt.Sprintf("%#v", v)
	default:
		value = strconv.Quote(composite)
	}
	isComposite := err.BadValue == nil || strings.HasPrefix(value, "map[") || value[0] == '['
	if !isRule && !isComposite {
		return err.Error()
	}
	text := fmt.Sprintf("%s: %s: %s", err.Field, err.Type, value)
	if err.Detail != "" {
		text += ": " + err.Detail
	}
	return text
}

// textsOf returns the texts of findings, nil if there is no finding.
func textsOf(list field.ErrorList) []string {
	var texts []string
	for _, err := range list {
		texts = append(texts, err.Error())
	}
	return texts
}

// serverMetadata are the fields of the metadata that the server or the test
// writes.
var serverMetadata = []string{
	"name", "namespace", "generateName", "uid", "generation", "resourceVersion",
	"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields",
	"selfLink",
}

// forComparison returns an object without the metadata that a wanted object
// does not state. Metadata that is empty then is left out.
func forComparison(object, want map[string]any) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	kept := map[string]any{}
	for _, key := range jsonvalue.SortedKeys(metadata) {
		if !slices.Contains(serverMetadata, key) || jsonvalue.At(want, "metadata", key) != nil {
			kept[key] = metadata[key]
		}
	}
	out := make(map[string]any, len(object))
	for key, value := range object {
		out[key] = value
	}
	out["metadata"] = kept
	if len(kept) == 0 {
		delete(out, "metadata")
	}
	return out
}
