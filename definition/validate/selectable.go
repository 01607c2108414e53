package validate

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/rulefields"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// selection describes the schema that selectable fields select from.
type selection struct {
	schema           *crd.JSONSchemaProps
	path, schemaPath *field.Path // of the fields, and of the schema
	many             bool        // the limit on their number does not hold
}

// selectable checks selectable fields (CRD-080 to CRD-082).
func (c *checker) selectable(fields []crd.SelectableField, from selection) {
	schema, err := c.convert(from.schema)
	if err != nil {
		c.add(unconvertible(from.schemaPath, err))
	}
	seen := map[string]bool{}
	for i, f := range fields {
		at := from.path.Index(i).Child("jsonPath")
		if f.JSONPath == "" {
			c.required("CRD-080", at, "")
			continue
		}
		path, target, err := rulefields.ResolveSelectable(f.JSONPath, schema)
		if schema == nil && errors.Is(err, rulefields.ErrUnknownField) {
			return // the server's code panics here
		}
		if err != nil {
			c.invalid("CRD-080", at, f.JSONPath, "is an invalid path: "+err.Error())
			continue
		}
		if path.Root().String() == "metadata" {
			c.invalid("CRD-080", at, f.JSONPath, "must not point to fields in metadata")
		}
		if t := target.Type(); t != "string" && t != "boolean" && t != "integer" {
			c.invalid("CRD-080", at, f.JSONPath,
				"must point to a field of type string, boolean or integer. "+
					"Enum string fields and strings with formats are allowed.")
		}
		if seen[path.String()] {
			c.add(field.Duplicate(at, f.JSONPath).WithOrigin("CRD-080"))
		}
		seen[path.String()] = true
	}
	if len(seen) > maxSelectableFields && !from.many {
		err := field.TooMany(from.path, len(seen), maxSelectableFields)
		c.add(err.WithOrigin("CRD-081"))
	}
}
