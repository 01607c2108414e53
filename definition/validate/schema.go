package validate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// schemaUse describes the version that a schema belongs to.
type schemaUse struct {
	status    bool // the status subresource is on
	unchanged bool // an update does not change the schema
}

// schema validates the schema of a version or of all versions, in the server's
// order (CRD-140): the root, the structural rules, the defaults, every node,
// and, if the schema is structural, the validation rules.
func (c *checker) schema(
	validation *crd.CustomResourceValidation, path *field.Path, use schemaUse,
) {
	if validation == nil || validation.OpenAPIV3Schema == nil {
		return
	}
	props, at := validation.OpenAPIV3Schema, path.Child("openAPIV3Schema")
	before := len(c.errs.List)
	if use.status {
		c.rootUnderStatus(props, path)
	}
	if props.Nullable {
		at := path.Child("openAPIV3Schema.nullable")
		c.forbidden("CRD-142", at, "nullable cannot be true at the root")
	}
	sound, unconverted := c.structuralSchema(props, at)
	w, root, in := walker{c}, schemapath.Root(at), surroundings{root: true, spine: sound != nil}
	w.node(props, &root, in)
	if unconverted != nil && len(c.errs.List) == before {
		c.add(unconverted)
	}
	if sound != nil {
		c.rules(ruledSchema{sound, props, in}, at, use)
	}
}

// structuralSchema checks that a schema is structural and that its defaults are
// valid (CRD-143). sound is the model, nil if there were errors. unconverted is
// the error of a schema that does not convert. The caller reports it only if
// there is no other error (CRD-144).
func (c *checker) structuralSchema(
	props *crd.JSONSchemaProps, path *field.Path,
) (sound *structural.Schema, unconverted *field.Error) {
	if !c.structural {
		return nil, nil
	}
	s, err := c.convert(props)
	if err != nil {
		return nil, unconvertible(path, err)
	}
	errs := structural.Validate(s, path, structural.Kubernetes(c.minor))
	if len(errs) == 0 {
		errs = c.defaults(props, s, path)
	}
	if len(errs) > 0 {
		c.add(errs...)
		return nil, nil
	}
	return s, nil
}

// unconvertible returns the error for a schema that does not convert. Its rule
// is that of the conversion (CRD-144).
func unconvertible(path *field.Path, err error) *field.Error {
	rule := "CRD-144"
	if e, ok := errors.AsType[*structural.ConversionError](err); ok {
		rule = e.Rule
	}
	return field.Invalid(path, "", err.Error()).WithOrigin(rule)
}

// rootUnderStatus checks that the root has only keywords that still hold when
// the property status is validated by itself (CRD-141). It reports the first
// wrong keyword, in the order of the API type's fields.
func (c *checker) rootUnderStatus(props *crd.JSONSchemaProps, path *field.Path) {
	const enabled = " at the root of the schema if the status subresource is enabled"
	allowed := []string{
		"Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum",
		"Minimum", "ExclusiveMinimum", "MaxLength", "MinLength", "Pattern",
		"MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items",
		"Properties", "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations",
	}
	fields := reflect.ValueOf(props).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		switch {
		case fields.Field(i).IsZero():
		case name == "Type" && props.Type != "object":
			c.invalid("CRD-141", path.Child("openAPIV3Schema.type"), props.Type,
				`only "object" is allowed as the type`+enabled)
			return
		case !slices.Contains(allowed, name):
			c.invalid("CRD-141", path.Child("openAPIV3Schema"), props,
				fmt.Sprintf("only %v fields are allowed%s", allowed, enabled))
			return
		}
	}
}
