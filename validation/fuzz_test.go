package validation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// plain returns a schema in the form that kube-openapi's own validator takes.
func plain(s *structural.Schema) *spec.Schema {
	v := s.Values()
	out := &spec.Schema{SchemaProps: spec.SchemaProps{
		Nullable: s.Nullable(), Format: v.Format, Pattern: v.Pattern,
		Maximum: v.Maximum, Minimum: v.Minimum, MultipleOf: v.MultipleOf,
		ExclusiveMaximum: v.ExclusiveMaximum, ExclusiveMinimum: v.ExclusiveMinimum,
		MaxLength: v.MaxLength, MinLength: v.MinLength, MaxItems: v.MaxItems, MinItems: v.MinItems,
		UniqueItems: v.UniqueItems, MaxProperties: v.MaxProperties, MinProperties: v.MinProperties,
		Required: v.Required, Enum: v.Enum,
		AllOf: plainAll(v.AllOf), AnyOf: plainAll(v.AnyOf), OneOf: plainAll(v.OneOf),
	}}
	switch {
	case s.IntOrString():
		out.Type = spec.StringOrArray{"integer", "string"}
	case s.Type() != "":
		out.Type = spec.StringOrArray{s.Type()}
	}
	known := strfmt.Default.ContainsName(out.Format)
	switch types := strings.Join(out.Type, ","); {
	case types == "integer" && (v.Format == "int32" || v.Format == "int64"),
		types == "number" && (v.Format == "float" || v.Format == "double"):
	case (types == "" || types == "string" || types == "integer,string") && known:
	default:
		out.Format = ""
	}
	if v.Not != nil {
		out.Not = plain(v.Not)
	}
	if items := s.Items(); items != nil {
		out.Items = &spec.SchemaOrArray{Schema: plain(items)}
	}
	if a := s.AdditionalProperties(); a != nil {
		out.AdditionalProperties = &spec.SchemaOrBool{Allows: a.Allows}
		if a.Schema != nil {
			out.AdditionalProperties.Schema = plain(a.Schema)
		}
	}
	out.Properties = map[string]spec.Schema{}
	for name, property := range s.Properties() {
		out.Properties[name] = *plain(property)
	}
	return out
}

func plainAll(schemas []*structural.Schema) []spec.Schema {
	var out []spec.Schema
	for _, s := range schemas {
		out = append(out, *plain(s))
	}
	return out
}

// plainErrors returns the errors of kube-openapi's own validator: their places
// and texts. Some errors have a code in place of the text, because the API
// server has other texts.
func plainErrors(s *spec.Schema, value any) []string {
	var out []string
	for _, err := range validate.NewSchemaValidator(s, nil, "",
		strfmt.Default).Validate(value).Errors {
		place, detail := "<nil>", err.Error()
		if v, ok := err.(*openapierrors.Validation); ok {
			if v.Name != "" && v.Name != "." {
				place = strings.TrimPrefix(v.Name, ".")
			}
			switch v.Code() {
			case openapierrors.RequiredFailCode,
				openapierrors.EnumFailCode,
				openapierrors.TooLongFailCode,
				openapierrors.MaxItemsFailCode,
				openapierrors.TooManyPropertiesCode:
				detail = fmt.Sprint(v.Code())
			}
		}
		out = append(out, place+"|"+detail)
	}
	slices.Sort(out)
	return out
}

// ourErrors returns the errors of this package in the same form.
func ourErrors(v *validation.Validator, value any) []string {
	var out []string
	for _, err := range v.Values(context.Background(), nil, value) {
		detail := err.Detail
		switch {
		case err.Type == "FieldValueRequired":
			detail = fmt.Sprint(openapierrors.RequiredFailCode)
		case err.Type == "FieldValueNotSupported":
			detail = fmt.Sprint(openapierrors.EnumFailCode)
		case err.Type == "FieldValueTooLong":
			detail = fmt.Sprint(openapierrors.TooLongFailCode)
		}
		out = append(out, err.Field+"|"+detail)
	}
	slices.Sort(out)
	return out
}

// tooMany replaces the two codes for too many items and too many properties by
// one, as the API server has one type for both.
func tooMany(texts []string) []string {
	out := slices.Clone(texts)
	for i, text := range out {
		place, detail, _ := strings.Cut(text, "|")
		if detail == fmt.Sprint(openapierrors.MaxItemsFailCode) ||
			detail == fmt.Sprint(openapierrors.TooManyPropertiesCode) ||
			strings.HasPrefix(detail, "must have at most ") ||
			detail == "has too many items" {
			out[i] = place + "|too many"
		}
	}
	slices.Sort(out)
	return out
}

// seeds adds the schemas and objects of the vectors.
func seeds(f *testing.F) {
	for i, v := range vectors.Eval(f, protocol.OpValidate) {
		if i%3 == 0 {
			old, _ := v.Req.Old.Document()
			f.Add(
				string(vectors.JSON(f, v.Req.Schema)),
				string(vectors.JSON(f, v.Req.Object)),
				string(old),
			)
		}
	}
	f.Add(everythingSchema, everythingObject, everythingObject)
}

// isNewestPlain reports whether the kube-openapi of the build checks the
// formats of numbers (VAL-054), as that of Kubernetes 1.36 and later does. A
// program may have an older one.
func isNewestPlain() bool {
	schema, err := structural.Parse([]byte(`{"type":"integer"}`))
	isOfFormat := func(text string) bool { return strings.Contains(text, "Checked value must be") }
	return err == nil && slices.ContainsFunc(plainErrors(plain(schema), 1.5), isOfFormat)
}

// Any schema and any value: no panic, and the errors of kube-openapi's own
// validator.
func FuzzValues(f *testing.F) {
	if !isNewestPlain() {
		f.Skip("the kube-openapi of this build is older than Kubernetes 1.36: it checks less")
	}
	seeds(f)
	f.Fuzz(func(t *testing.T, schemaText, text, _ string) {
		schema, err := structural.Parse([]byte(schemaText))
		if err != nil {
			return
		}
		value, _, err := jsonvalue.DecodeJSON([]byte(text))
		if err != nil {
			return
		}
		s, v := plain(schema), validation.Compile(schema)
		ours, want := tooMany(ourErrors(v, value)), tooMany(plainErrors(s, value))
		// If two errors have the same text, the other side's random order
		// decides which one stays.
		for range 30 {
			if slices.Equal(ours, want) {
				return
			}
			want = tooMany(plainErrors(s, value))
		}
		t.Errorf("schema %s\nvalue %s\nwant %q\ngot  %q", schemaText, text, want, ours)
	})
}

// Any update: no panic. Ratcheted and other errors together are the errors of a
// create. The result is the same each time, and no object is changed.
func FuzzUpdate(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, schemaText, text, oldText string) {
		schema, err := structural.Parse([]byte(schemaText))
		if err != nil {
			return
		}
		object, _, err := jsonvalue.DecodeObject([]byte(text))
		old, _, err2 := jsonvalue.DecodeObject([]byte(oldText))
		if err != nil || err2 != nil {
			return
		}
		before, _ := json.Marshal([]any{object, old})
		v := validation.Compile(schema)
		all := texts(v.Validate(t.Context(), object))
		errs, ratcheted := v.ValidateUpdate(t.Context(), object, old)
		v.ValidateStatusUpdate(t.Context(), object, old)
		both := append(texts(errs), texts(ratcheted)...)
		slices.Sort(both)
		if both = slices.Compact(both); !slices.Equal(both, slices.Compact(all)) {
			t.Errorf(
				"schema %s\nobject %s\nold %s\ncreate %q\nupdate %q",
				schemaText,
				text,
				oldText,
				all,
				both,
			)
		}
		again, _ := v.ValidateUpdate(t.Context(), object, old)
		if fmt.Sprint(again) != fmt.Sprint(errs) {
			t.Errorf("the order of errors changes: %v, then %v", errs, again)
		}
		if after, _ := json.Marshal([]any{object, old}); string(after) != string(before) {
			t.Errorf("an object was changed: %s, now %s", before, after)
		}
	})
}

func texts[E interface{ Error() string }](errs []E) []string {
	var out []string
	for _, err := range errs {
		out = append(out, err.Error())
	}
	slices.Sort(out)
	return out
}
