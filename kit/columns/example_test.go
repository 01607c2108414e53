package columns_test

import (
	"fmt"
	"log"
	"time"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/columns"
)

// The table that kubectl get prints.
func Example() {
	printed := columns.New(&definition.Version{PrinterColumns: []definition.PrinterColumn{
		{Name: "Size", Type: "integer", JSONPath: ".spec.size"},
		{Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp"},
	}})
	object := map[string]any{
		"metadata": map[string]any{"name": "a", "creationTimestamp": "2026-06-28T08:00:00Z"},
		"spec":     map[string]any{"size": int64(3)},
	}
	table, err := printed.Table(object, time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC))
	if err != nil {
		log.Fatal(err)
	}
	for _, column := range printed.Definitions() {
		fmt.Print(column.Name, " ")
	}
	fmt.Println(table.Rows[0].Cells)
	// Output: Name Size Age [a 3 3d]
}
