package validation_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/objectmeta"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// Values are validated as in the vectors (VAL, FMT, LST and RAT rules).
func TestVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpValidate) {
		val := validation.Compile(testschema.Schema(t, string(vectors.JSON(t, v.Req.Schema))))
		value, old := vectors.DecodeInput(t, v.Req.Object), vectors.DecodeInput(t, v.Req.Old)
		resource, isObject := value.(map[string]any)
		oldResource, wasObject := old.(map[string]any)
		var errs, ratcheted field.ErrorList
		switch {
		case !isObject || v.Req.Old.Given() && !wasObject:
			continue // no resources
		case v.Req.Old.Given():
			errs, ratcheted = val.ValidateUpdate(t.Context(), resource, oldResource)
		default:
			errs = val.Validate(t.Context(), resource)
		}
		v.Check(t, protocol.Validated{
			Errors: protocol.FieldErrors(errs), Ratcheted: protocol.FieldErrors(ratcheted),
		})
	}
}

// Updates of the status are validated as in the vectors (PIPE-030, RAT-040).
func TestStatusVectors(t *testing.T) {
	ran := 0
	for _, v := range vectors.Eval(t, protocol.OpAdmit) {
		want := v.Wanted(t)
		if v.Req.Subresource != "status" || want.Stage == protocol.StageDecode {
			continue
		}
		schema := schemaOf(t, &v)
		if schema == nil || schema.HasRules() {
			continue // rules are another package's subject
		}
		ran++
		val := validation.Compile(schema)
		o := testschema.Object(t, string(want.Object))
		old := stored(t, vectors.Object(t, v.Req.Old), schema)
		errs, _ := val.StatusValuesUpdate(t.Context(), o, old)
		lists, _ := val.ListTypesUpdate(t.Context(), o, old)
		vectors.CheckErrors(t, v.ID, ofValues(want.Errors), append(errs, lists...))
	}
	if ran < 140 {
		t.Errorf("only %d vectors ran", ran)
	}
}

// schemaOf returns the schema of the request's version, nil if it has no
// schema.
func schemaOf(t *testing.T, v *vectors.Vector) *structural.Schema {
	t.Helper()
	spec, _ := vectors.Object(t, v.Req.CRD)["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for _, version := range versions {
		version, _ := version.(map[string]any)
		holder, _ := version["schema"].(map[string]any)
		if text, ok := holder["openAPIV3Schema"].(map[string]any); ok &&
			version["name"] == v.Req.Version {
			schema, err := structural.FromMap(text)
			if err != nil {
				t.Fatalf("%s: %v", v.ID, err)
			}
			return schema
		}
	}
	return nil
}

// ofValues leaves out the errors of the resource's own metadata.
func ofValues(errs []protocol.FieldError) []protocol.FieldError {
	var out []protocol.FieldError
	for _, err := range errs {
		if !strings.HasPrefix(err.Field, "metadata.") {
			out = append(out, err)
		}
	}
	return out
}

// stored brings an object into the form in which the server reads it from
// storage.
func stored(t *testing.T, o map[string]any, schema *structural.Schema) map[string]any {
	t.Helper()
	if o == nil {
		return nil
	}
	root, err := metadata.CoerceRoot(o, metadata.Drop)
	if err != nil {
		t.Fatal(err)
	}
	prune.Resource(o, schema)
	if root.HasMetadata {
		o["metadata"] = root.Metadata.Metadata
	}
	defaulting.DropNulls(o, schema)
	objectmeta.Repair(o, schema)
	defaulting.Default(o, schema)
	return o
}
