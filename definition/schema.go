package definition

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/structural"
)

// schemaUse is what the rules of a schema depend on besides the schema.
type schemaUse struct {
	status    bool // the status subresource is on
	unchanged bool // an update leaves the schema as it was
}

// schema validates the schema of a version or of all (CRD-140): the root, the structural rules, the defaults, every node, and, where
// nothing stands in the way, the validation rules.
func (c *checker) schema(validation *crd.CustomResourceValidation, path *field.Path, use schemaUse) {
	if validation == nil || validation.OpenAPIV3Schema == nil {
		return
	}
	props, at := validation.OpenAPIV3Schema, path.Child("openAPIV3Schema")
	before := len(c.errs)
	if use.status {
		c.rootUnderStatus(props, path)
	}
	if props.Nullable {
		c.forbidden(path.Child("openAPIV3Schema.nullable"), "nullable cannot be true at the root")
	}
	sound, unconverted := c.structuralSchema(props, at)
	w, root, in := walker{c}, schemapath.Root(at), surroundings{root: true, spine: sound != nil}
	w.node(props, &root, in)
	if unconverted != nil && len(c.errs) == before {
		c.add(unconverted)
	}
	if sound != nil {
		c.rules(ruledSchema{sound, props, in}, at, use)
	}
}

// structuralSchema checks that a schema is structural and that its defaults are sound (CRD-143). It returns the model if nothing is wrong, and apart
// why the schema does not convert, which is told only if nothing else is (CRD-144).
func (c *checker) structuralSchema(props *crd.JSONSchemaProps, path *field.Path) (sound *structural.Schema, unconverted *field.Error) {
	if !c.structural {
		return nil, nil
	}
	s, err := c.convert(props)
	if err != nil {
		return nil, field.Invalid(path, "", err.Error())
	}
	errs := structural.Validate(s, path)
	if len(errs) == 0 {
		errs = c.defaults(props, s, path)
	}
	if len(errs) > 0 {
		c.add(errs...)
		return nil, nil
	}
	return s, nil
}

// rootUnderStatus checks that the root says only what does not get lost when its property status is validated by itself (CRD-141). The first
// field in the order of the API type that is wrong is reported.
func (c *checker) rootUnderStatus(props *crd.JSONSchemaProps, path *field.Path) {
	const enabled = " at the root of the schema if the status subresource is enabled"
	allowed := []string{
		"Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum", "MaxLength", "MinLength",
		"Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items", "Properties", "ExternalDocs", "Example",
		"XPreserveUnknownFields", "XValidations",
	}
	fields := reflect.ValueOf(props).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		switch {
		case fields.Field(i).IsZero():
		case name == "Type" && props.Type != "object":
			c.invalid(path.Child("openAPIV3Schema.type"), props.Type, `only "object" is allowed as the type`+enabled)
			return
		case !slices.Contains(allowed, name):
			c.invalid(path.Child("openAPIV3Schema"), props, fmt.Sprintf("only %v fields are allowed%s", allowed, enabled))
			return
		}
	}
}
