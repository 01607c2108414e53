package columns

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
)

// View selects the columns of the text of a table.
type View uint8

// The views.
const (
	Narrow View = iota // columns of priority 0, as kubectl get shows them
	Wide               // all columns, as kubectl get -o wide shows them
)

// Text returns the table as kubectl prints it, without a word on an empty
// table. A cell ends at its first line break, and three dots show that.
func (t *Table) Text(view View) string {
	if len(t.Rows) == 0 {
		return ""
	}
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 6, 4, 3, ' ', 0) // kubectl's
	var line []string
	for _, column := range t.ColumnDefinitions {
		if view.shows(column) {
			line = append(line, strings.ToUpper(column.Name))
		}
	}
	fmt.Fprintln(w, strings.Join(line, "\t"))
	for _, row := range t.Rows {
		line = line[:0]
		for i, column := range t.ColumnDefinitions {
			if view.shows(column) {
				line = append(line, cellText(row.Cells[i]))
			}
		}
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	_ = w.Flush() // a string takes everything
	return out.String()
}

func (v View) shows(column Column) bool { return v == Wide || column.Priority == 0 }

// cellText returns the text of a cell. kubectl reads numbers from JSON, where
// 3.0 is 3.
func cellText(cell any) string {
	switch cell := cell.(type) {
	case nil:
		return ""
	case string:
		if at := strings.IndexAny(cell, "\f\n\r"); at >= 0 {
			return escape(cell[:at]) + "..."
		}
		return escape(cell)
	case float64:
		literal, _ := json.Marshal(cell) // empty for what JSON has not
		if _, err := strconv.ParseInt(string(literal), 10, 64); err == nil {
			return string(literal)
		}
	}
	return fmt.Sprint(cell)
}

// escape makes the escape character harmless for terminals.
func escape(cell string) string {
	return strings.NewReplacer("\x1b", "^[", "\r", "\\r").Replace(cell)
}
