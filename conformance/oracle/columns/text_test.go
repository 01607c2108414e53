package columns_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/crdsem/crdsem/kit/columns"
)

// Generated tables are printed as kubectl prints them.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(number(t, "CRDSEM_SEED", 1), 23))
	for range number(t, "CRDSEM_TABLES", 300) {
		table := generatedTable(r)
		text, err := json.Marshal(table)
		if err != nil {
			t.Fatal(err)
		}
		for view, options := range map[columns.View]printers.PrintOptions{
			columns.Narrow: {}, columns.Wide: {Wide: true},
		} {
			real := received(t, text)
			var want strings.Builder
			if err := printers.NewTablePrinter(options).PrintObj(real, &want); err != nil {
				t.Fatal(err)
			}
			if got := table.Text(view); got != want.String() {
				t.Fatalf("got\n%s\nwant\n%s", got, want.String())
			}
		}
	}
}

// received decodes a table like kubectl, with integers as int64.
func received(t *testing.T, text []byte) *metav1.Table {
	t.Helper()
	table, object := &metav1.Table{}, map[string]any{}
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, table); err != nil {
		t.Fatal(err)
	}
	return table
}

// generatedTable makes a table of up to 350 rows.
func generatedTable(r *rand.Rand) *columns.Table {
	table := &columns.Table{}
	for i := range 1 + r.IntN(4) {
		column := columns.Column{Name: strings.Repeat("n", 1+r.IntN(9)), Type: "string"}
		if i > 0 {
			column.Priority = int32(r.IntN(2))
		}
		table.ColumnDefinitions = append(table.ColumnDefinitions, column)
	}
	for range r.IntN([]int{3, 20, 350}[r.IntN(3)]) {
		row := columns.Row{}
		for range table.ColumnDefinitions {
			row.Cells = append(row.Cells, generatedCell(r))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

func generatedCell(r *rand.Rand) any {
	switch r.IntN(12) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return int64(r.IntN(1_000_000_000))
	case 3:
		return []float64{1.5, 1e6, 1e21, -0.25, 3, 1e-7}[r.IntN(6)]
	case 4:
		return strings.Repeat("é", r.IntN(8))
	case 5:
		return "a\nb"[:1+r.IntN(3)] + strings.Repeat("c", r.IntN(9))
	case 6:
		return "\x1b[1m" + "\r\f"[:r.IntN(3)]
	}
	return strings.Repeat("x", r.IntN(12))
}
