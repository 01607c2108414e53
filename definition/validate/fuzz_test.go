package validate_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

func texts(errs field.ErrorList) (out []string) {
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}

// For any bytes: nothing panics, Decode and FromMap agree, the same input gives
// the same errors in the same order, and a valid definition compiles.
func FuzzValidate(f *testing.F) {
	for i, v := range vectors.Eval(f, protocol.OpCRD) {
		// The fuzzer runs all seeds before it changes them: a few of each kind.
		if v.Group == "crd" && i%16 == 0 {
			f.Add(document(v.Req.CRD), document(v.Req.Old))
		}
	}
	f.Add([]byte("spec: {group: a, versions: [{name: v1}]}"), []byte("{}"))
	f.Add([]byte(`{"apiVersion":"apiextensions.k8s.io/v1beta1",
		"kind":"CustomResourceDefinition","spec":{"version":"v1"}}`), []byte(nil))
	f.Fuzz(func(t *testing.T, data, oldData []byte) {
		crd, strict, err := definition.Parse(data)
		document, duplicates, decodeErr := jsonvalue.DecodeObject(data)
		if decodeErr == nil && len(duplicates) == 0 {
			_, mapStrict, mapErr := definition.FromMap(document)
			if (err == nil) != (mapErr == nil) || len(strict) != len(mapStrict) {
				t.Fatalf("Decode gives %v and %v, FromMap gives %v and %v",
					strict, err, mapStrict, mapErr)
			}
		}
		if err != nil {
			return
		}
		found := texts(validate.Create(t.Context(), crd).Errors)
		again := texts(validate.Create(t.Context(), crd).Errors)
		if !slices.Equal(found, again) {
			t.Fatalf("first\n%q\nthen\n%q", found, again)
		}
		definition.NonStructuralSchema(crd)
		definition.APIApproval(crd)
		_, err = definition.Compile(crd)
		if err != nil && len(validate.Create(t.Context(), crd.ForCreate()).Errors) == 0 {
			t.Fatalf("a valid definition does not compile: %v", err)
		}
		old, _, err := definition.Parse(oldData)
		if err != nil {
			old = crd
		}
		validate.Update(t.Context(), crd.ForUpdate(old), old)
	})
}
