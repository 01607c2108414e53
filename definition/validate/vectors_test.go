package validate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// document returns the text of an input.
func document(in protocol.Input) []byte {
	doc, _ := in.Document()
	return doc
}

func decode(t testing.TB, data []byte) *definition.CRD {
	t.Helper()
	crd, _, err := definition.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return crd
}

// judged validates a definition that is created, or that replaces old. It
// returns the answer in the form of the vectors.
func judged(
	t *testing.T, crd *definition.CRD, strict []error, old protocol.Input,
) protocol.Definition {
	t.Helper()
	var result validate.Result
	if old.Given() {
		stored := decode(t, document(old))
		result = validate.Update(t.Context(), crd.ForUpdate(stored), stored)
	} else {
		result = validate.Create(t.Context(), crd.ForCreate())
	}
	out := protocol.Definition{Errors: protocol.FieldErrors(result.Errors)}
	for _, found := range strict {
		out.Warnings = append(out.Warnings, found.Error())
	}
	if len(result.Errors) == 0 {
		out.Warnings = append(out.Warnings, result.Warnings...)
	}
	return out
}

// Definitions are decoded and validated (CRD-003 to CRD-422, CONV-050 to
// CONV-056).
func TestVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpCRD) {
		crd, strict, err := definition.Parse(document(v.Req.CRD))
		if err != nil {
			text := err.Error()
			failed := protocol.FieldError{Type: protocol.DecodeError, Detail: text, Text: text}
			v.Check(t, protocol.Definition{Errors: []protocol.FieldError{failed}})
			continue
		}
		v.Check(t, judged(t, crd, strict, v.Req.Old))
	}
}

// FromMap accepts the documents that Decode accepts, fails with the same
// errors, and gives definitions that are validated alike.
func TestFromMapIsDecode(t *testing.T) {
	read := 0
	for _, v := range vectors.Eval(t, protocol.OpCRD) {
		object, duplicates, err := jsonvalue.DecodeObject(document(v.Req.CRD))
		if err != nil || len(duplicates) > 0 {
			continue
		}
		read++
		_, _, want := definition.Parse(document(v.Req.CRD))
		crd, strict, got := definition.FromMap(object)
		if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
			t.Errorf("%s: FromMap gives %v, Decode %v", v.ID, got, want)
		}
		if got == nil {
			v.Check(t, judged(t, crd, strict, v.Req.Old))
		}
	}
	if read < 1000 {
		t.Errorf("only %d definitions were read", read)
	}
}

// Definitions are validated without ForCreate and ForUpdate (CRD-021, CRD-110,
// CRD-422).
func TestUnpreparedDefinitions(t *testing.T) {
	type input struct {
		CRD protocol.Input `json:"crd"`
		Old protocol.Input `json:"old"`
	}
	type answer struct {
		Errors []protocol.FieldError `json:"errors"`
	}
	for _, c := range vectors.Cases[input, answer](t, "unpreparedDefinition") {
		crd := decode(t, document(c.Input.CRD))
		var result validate.Result
		if c.Input.Old.Given() {
			result = validate.Update(t.Context(), crd, decode(t, document(c.Input.Old)))
		} else {
			result = validate.Create(t.Context(), crd)
		}
		vectors.CheckErrors(t, c.ID, c.Want.Errors, result.Errors)
	}
}

// insteadOfPanic has the errors of vectors for which the server's code panics:
// the error that it was about to report, and those that follow.
var insteadOfPanic = map[string][]string{
	"crd-080-13": {`spec.selectableFields[0].jsonPath: Invalid value: ".spec.m.k.z": is an invalid path: does not refer to a valid field`},
	"crd-082-02": {
		`spec.validation.openAPIV3Schema.properties[spec].$ref: Forbidden: $ref is not supported`,
		`spec.schema.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema '$ref' is not supported`,
	},
	"crd-082-03": {`spec.versions[0].schema.openAPIV3Schema: Required value`},
	"panic-crd-00": {
		`spec.versions[0].schema.openAPIV3Schema.properties[spec].$ref: Forbidden: $ref is not supported`,
		`spec.versions[0].schema.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema '$ref' is not supported`,
	},
	"panic-crd-01": {`spec.versions[0].selectableFields[0].jsonPath: Invalid value: ".spec.m.k.z": is an invalid path: does not refer to a valid field`},
	"panic-crd-02": {`spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fieldPath: Invalid value: ".m.k['z']": must be a valid path`},
	"crd-205-13":   {`spec.validation.openAPIV3Schema.properties[x].x-kubernetes-validations[0].fieldPath: Invalid value: ".b.k.z": must be a valid path`},
}

func TestInsteadOfPanic(t *testing.T) {
	for _, v := range vectors.Panicking(t) {
		if v.Group != "crd" {
			continue
		}
		found := validate.Create(t.Context(), decode(t, document(v.Req.CRD)).ForCreate())
		if diff := cmp.Diff(insteadOfPanic[v.ID], texts(found.Errors)); diff != "" {
			t.Errorf("%s: %s", v.ID, diff)
		}
	}
}
