package columns

import (
	"fmt"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/kit/jsonpath"
)

// Columns are the columns of a version's tables. They are immutable and safe
// for concurrent use.
type Columns struct {
	definitions []Column
	paths       []*jsonpath.Template // of every column but the name
	err         error
}

// Column is a column of a table, as in the API's TableColumnDefinition.
type Column struct {
	Name string `json:"name"`
	// Type is the type of the cells: string, integer, number, boolean or date.
	// Cells of a date are ages, e.g. 5d.
	Type string `json:"type"`
	// Format is a hint for clients, e.g. int32. The format of the first column
	// is name.
	Format      string `json:"format"`
	Description string `json:"description"`
	// Priority is 0 for a column that is always shown.
	Priority int32 `json:"priority"`
}

// New returns the columns of a version: the name first, then those that the
// version declares, or the age if it declares none or is nil (COL-001 to
// COL-003, COL-006).
//
// A JSONPath that does not parse is logged by the server, which shows the
// columns before it only. [Columns.Err] returns its error.
func New(version *definition.Version) *Columns {
	c := &Columns{definitions: []Column{{
		Name: "Name", Type: "string", Format: "name", Description: nameDescription,
	}}}
	var declared []definition.PrinterColumn
	if version != nil {
		declared = version.PrinterColumns
	}
	if len(declared) == 0 {
		declared = []definition.PrinterColumn{{
			Name: "Age", Type: "date", Description: ageDescription,
			JSONPath: ".metadata.creationTimestamp",
		}}
	}
	for _, d := range declared {
		path, err := jsonpath.Parse("{" + d.JSONPath + "}")
		if err != nil {
			c.err = fmt.Errorf("column %q: JSONPath %q does not parse: %w", d.Name, d.JSONPath, err)
			break
		}
		c.paths = append(c.paths, path)
		c.definitions = append(c.definitions, Column{
			Name: d.Name, Type: d.Type, Format: d.Format,
			Description: describe(d), Priority: d.Priority,
		})
	}
	return c
}

// Definitions returns the columns of the table, the name first. The slice is
// shared and must not be changed.
func (c *Columns) Definitions() []Column { return c.definitions }

// Err returns why the version's last columns are missing: the first JSONPath
// that does not parse. It is nil if no column is missing.
func (c *Columns) Err() error { return c.err }

func describe(d definition.PrinterColumn) string {
	if d.Description != "" {
		return d.Description
	}
	return "Custom resource definition column (in JSONPath format): " + d.JSONPath
}
