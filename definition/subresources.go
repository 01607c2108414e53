package definition

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/crd"
)

const simplePath = "must be a simple json path starting with ."

// subresources checks the paths of the scale subresource (CRD-060).
func (c *checker) subresources(s *crd.CustomResourceSubresources, path *field.Path) {
	if s == nil || s.Scale == nil {
		return
	}
	below := func(name, value, under string) {
		at := path.Child("scale." + name)
		switch {
		case value == "":
			c.required(at, "")
		case value[0] != '.':
			c.invalid(at, value, simplePath)
		case !strings.HasPrefix(value, under+"."):
			c.invalid(at, value, "should be a json path under "+under)
		}
	}
	below("specReplicasPath", s.Scale.SpecReplicasPath, ".spec")
	below("statusReplicasPath", s.Scale.StatusReplicasPath, ".status")
	selector := s.Scale.LabelSelectorPath
	at := path.Child("scale.labelSelectorPath")
	switch {
	case selector == nil || *selector == "":
	case (*selector)[0] != '.':
		c.invalid(at, *selector, simplePath)
	case !strings.HasPrefix(*selector, ".spec.") && !strings.HasPrefix(*selector, ".status."):
		c.invalid(at, selector, "should be a json path under either .spec or .status")
	}
}

// columns checks the printer columns (CRD-070).
func (c *checker) columns(columns []crd.CustomResourceColumnDefinition, path *field.Path) {
	types := []string{"boolean", "date", "integer", "number", "string"}
	formats := []string{"byte", "date", "date-time", "double", "float", "int32", "int64", "password"}
	const oneOf = "must be one of "
	for i := range columns {
		column, at := &columns[i], path.Index(i)
		if column.Name == "" {
			c.required(at.Child("name"), "")
		}
		if column.Type == "" {
			c.required(at.Child("type"), oneOf+strings.Join(types, ","))
		} else if !slices.Contains(types, column.Type) {
			c.invalid(at.Child("type"), column.Type, oneOf+strings.Join(types, ","))
		}
		if column.Format != "" && !slices.Contains(formats, column.Format) {
			c.invalid(at.Child("format"), column.Format, oneOf+strings.Join(formats, ","))
		}
		if column.JSONPath == "" {
			c.required(at.Child("JSONPath"), "")
		} else if column.JSONPath[0] != '.' {
			c.invalid(at.Child("JSONPath"), column.JSONPath, simplePath)
		}
	}
}
