package definition

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/crd"
)

// A schema as it is stored is a copy: numbers change in it, and not in the
// schema that was given. A schema without such numbers is returned itself.
func TestAsStoredLeavesItsArgument(t *testing.T) {
	schema := func(number any) *crd.JSONSchemaProps {
		leaf := func() *crd.JSONSchemaProps {
			return &crd.JSONSchemaProps{Default: number, Enum: []any{"a", number, number}}
		}
		return &crd.JSONSchemaProps{
			Properties: map[string]*crd.JSONSchemaProps{"a": leaf(), "b": {Type: "string"}},
			AllOf:      []*crd.JSONSchemaProps{{Type: "object"}, leaf(), leaf()},
			Not:        leaf(),
			Items:      &crd.SchemaOrArray{Schema: leaf()},
		}
	}
	given := schema(1.0)
	got := asStored(given)
	if diff := cmp.Diff(schema(1.0), given); diff != "" {
		t.Errorf("the argument was changed: %s", diff)
	}
	if diff := cmp.Diff(schema(int64(1)), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if given = schema(1.5); asStored(given) != given {
		t.Error("a schema that does not change was copied")
	}
}
