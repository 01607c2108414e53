package validate

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// columns checks the printer columns (CRD-070).
func (c *checker) columns(columns []crd.CustomResourceColumnDefinition, path *field.Path) {
	types := []string{"boolean", "date", "integer", "number", "string"}
	formats := []string{
		"byte", "date", "date-time", "double", "float", "int32", "int64", "password",
	}
	const oneOf = "must be one of "
	oneOfTypes := oneOf + strings.Join(types, ",")
	for i := range columns {
		column, at := &columns[i], path.Index(i)
		if column.Name == "" {
			c.required("CRD-070", at.Child("name"), "")
		}
		if column.Type == "" {
			c.required("CRD-070", at.Child("type"), oneOfTypes)
		} else if !slices.Contains(types, column.Type) {
			c.invalid("CRD-070", at.Child("type"), column.Type, oneOfTypes)
		}
		if column.Format != "" && !slices.Contains(formats, column.Format) {
			c.invalid("CRD-070", at.Child("format"), column.Format,
				oneOf+strings.Join(formats, ","))
		}
		if column.JSONPath == "" {
			c.required("CRD-070", at.Child("JSONPath"), "")
		} else if column.JSONPath[0] != '.' {
			c.invalid("CRD-070", at.Child("JSONPath"), column.JSONPath, simplePath)
		}
	}
}
