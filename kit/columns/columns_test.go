package columns_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/columns"
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func object(name string, fields map[string]any) map[string]any {
	o := map[string]any{"metadata": map[string]any{
		"name": name, "creationTimestamp": "2026-06-28T08:00:00Z", "labels": map[string]any{},
	}}
	for k, v := range fields {
		o[k] = v
	}
	return o
}

func TestTableOfNoVersion(t *testing.T) {
	if got := columns.New(nil).Definitions(); len(got) != 2 || got[1].Name != "Age" {
		t.Errorf("the columns are %v", got)
	}
}

func TestTable(t *testing.T) {
	c := columns.New(&definition.Version{PrinterColumns: []definition.PrinterColumn{
		{Name: "Text", Type: "string", JSONPath: ".v"},
		{Name: "Int", Type: "integer", JSONPath: ".v", Priority: 1},
		{Name: "Num", Type: "number", JSONPath: ".v"},
		{Name: "Bool", Type: "boolean", JSONPath: ".v"},
		{Name: "Date", Type: "date", JSONPath: ".v", Description: "when"},
		{Name: "Odd", Type: "object", JSONPath: ".v"},
	}})
	for _, row := range []struct {
		value any
		want  []any
	}{
		{"x", []any{"o", "x", nil, nil, nil, "<invalid>", nil}},
		{nil, []any{"o", "<no value>", nil, nil, nil, nil, nil}},
		{int64(3), []any{"o", "3", int64(3), 3.0, nil, nil, nil}},
		{2.5, []any{"o", "2.5", int64(2), 2.5, nil, nil, nil}},
		{true, []any{"o", "true", nil, nil, true, nil, nil}},
		{"2026-07-01T11:59:58Z", []any{"o", "2026-07-01T11:59:58Z", nil, nil, nil, "2s", nil}},
		{"", []any{"o", "", nil, nil, nil, "<unknown>", nil}},
		{[]any{"a"}, []any{"o", `["a"]`, nil, nil, nil, nil, nil}},
	} {
		in := object("o", map[string]any{"v": row.value})
		table, err := c.Table(in, now)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.want, table.Rows[0].Cells); diff != "" {
			t.Errorf("%v: %s", row.value, diff)
		}
	}
}

// A version without columns shows the age.
func TestAge(t *testing.T) {
	c := columns.New(&definition.Version{})
	table, err := c.Table(object("o", nil), now)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Text(columns.Narrow); got != "NAME   AGE\no      3d4h\n" {
		t.Errorf("got %q", got)
	}
	got, err := json.Marshal(table.Rows)
	const want = `[{"cells":["o","3d4h"],"object":{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata",` +
		`"metadata":{"creationTimestamp":"2026-06-28T08:00:00Z","name":"o"}}}]`
	if string(got) != want || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestDurations(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{-2 * time.Second, "<invalid>"}, {-1999 * time.Millisecond, "0s"},
		{119 * time.Second, "119s"}, {2 * time.Minute, "2m"}, {599 * time.Second, "9m59s"},
		{179*time.Minute + 59*time.Second, "179m"}, {3 * time.Hour, "3h"},
		{3*time.Hour + time.Minute, "3h1m"}, {47 * time.Hour, "47h"}, {2 * day, "2d"},
		{7*day + 23*time.Hour, "7d23h"}, {8 * day, "8d"}, {729 * day, "729d"},
		{730 * day, "2y"}, {731 * day, "2y1d"},
		{8 * 365 * day, "8y"}, {1<<63 - 1, "292y"},
	} {
		created := map[string]any{"creationTimestamp": now.Format(time.RFC3339)}
		table, err := columns.New(&definition.Version{}).Table(
			map[string]any{"metadata": created}, now.Add(c.d))
		if err != nil || table.Rows[0].Cells[1] != c.want {
			t.Errorf("%v: got %v, %v, want %s", c.d, table.Rows[0].Cells, err, c.want)
		}
	}
}

func TestText(t *testing.T) {
	c := columns.New(&definition.Version{PrinterColumns: []definition.PrinterColumn{
		{Name: "Text", Type: "string", JSONPath: ".v"},
		{Name: "Extra", Type: "number", JSONPath: ".n", Priority: 1},
		{Name: "Bool", Type: "boolean", JSONPath: ".b"},
	}})
	list := map[string]any{"items": []any{
		object("long-name", map[string]any{"v": "one\ntwo", "n": 3.0}),
		object("b", map[string]any{"v": "\x1b[1m", "n": 1e6, "b": true}),
		object("c", map[string]any{"v": "\n"}),
	}}
	table, err := c.Table(list, now, columns.Include(columns.IncludeNone))
	if err != nil {
		t.Fatal(err)
	}
	const narrow = "NAME        TEXT      BOOL\n" +
		"long-name   one...    \n" +
		"b           ^[[1m     true\n" +
		"c           ...       \n"
	if diff := cmp.Diff(narrow, table.Text(columns.Narrow)); diff != "" {
		t.Error(diff)
	}
	const wide = "NAME        TEXT      EXTRA     BOOL\n" +
		"long-name   one...    3         \n" +
		"b           ^[[1m     1000000   true\n" +
		"c           ...                 \n"
	if diff := cmp.Diff(wide, table.Text(columns.Wide)); diff != "" {
		t.Error(diff)
	}
}

// A header is padded to the bytes of a cell before the cell is cut. Columns
// stay as wide as those of the rows before.
func TestBlocks(t *testing.T) {
	c := columns.New(&definition.Version{PrinterColumns: []definition.PrinterColumn{
		{Name: "A", Type: "string", JSONPath: ".a"}, {Name: "B", Type: "string", JSONPath: ".b"},
	}})
	var items []any
	for i := range 150 {
		cut := map[string]any{"a": "x\n", "b": "y"}
		if i < 100 {
			cut["a"] = "xyz"
		}
		if i == 99 {
			cut["a"] = "12345\n"
		}
		items = append(items, object("o", cut))
	}
	table, err := c.Table(map[string]any{"items": items}, now)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(table.Text(columns.Narrow), "\n")
	for i, want := range map[int]string{
		0: "NAME   A          B", 1: "o      xyz        y",
		100: "o      12345...   y", 150: "o      x...       y",
	} {
		if lines[i] != want {
			t.Errorf("line %d: got %q, want %q", i, lines[i], want)
		}
	}
}

// A value that is not JSON is an error with its path.
func TestForeignValue(t *testing.T) {
	c := columns.New(&definition.Version{})
	_, err := c.Table(object("o", map[string]any{"n": json.Number("1")}), time.Time{})
	if err == nil || !strings.Contains(err.Error(), "n: ") {
		t.Errorf("got %v", err)
	}
}

// A list is every object that has items, even in the middle of a list.
func TestItems(t *testing.T) {
	c := columns.New(&definition.Version{})
	inner := object("inner", nil)
	table, err := c.Table(map[string]any{
		"metadata": map[string]any{
			"resourceVersion":    "7",
			"continue":           "c",
			"remainingItemCount": int64(2),
		},
		"items": []any{
			object("outer", map[string]any{"items": []any{inner}}), object("last", nil),
		},
	}, now, columns.Include(columns.IncludeObject))
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 2 || table.Rows[0].Cells[0] != "inner" ||
		table.Rows[1].Cells[0] != "last" {
		t.Errorf("got %v", table.Rows)
	}
	if m := table.Metadata; m.ResourceVersion != "7" || m.Continue != "c" ||
		*m.RemainingItemCount != 2 {
		t.Errorf("got %v", m)
	}
	for _, items := range []any{"x", map[string]any{"items": []any{"x"}}} {
		if _, err := c.Table(map[string]any{"items": []any{items}}, time.Time{}); err == nil {
			t.Errorf("a list of %v has a table", items)
		}
	}
	empty, err := c.Table(map[string]any{"items": []any{}}, now)
	if err != nil || empty.Text(columns.Narrow) != "" {
		t.Errorf("the table of no objects is %q, %v", empty.Text(columns.Narrow), err)
	}
}

// The text of a cell counts wherever it is shown.
func TestMemory(t *testing.T) {
	text := strings.Repeat("x", 1<<20-16)
	const most = columns.Memory >> 20
	for count, fits := range map[int]bool{most: true, most + 1: false} {
		of := slices.Repeat([]definition.PrinterColumn{{Type: "string", JSONPath: ".v"}}, count)
		c := columns.New(&definition.Version{PrinterColumns: of})
		if _, err := c.Table(object("o", map[string]any{"v": text}), now); (err == nil) != fits {
			t.Errorf("%d cells: %v", count, err)
		}
	}
}

// Columns from the first JSONPath on that does not parse are missing.
func TestBadPath(t *testing.T) {
	c := columns.New(&definition.Version{PrinterColumns: []definition.PrinterColumn{
		{Name: "A", Type: "string", JSONPath: ".a"},
		{Name: "B", Type: "string", JSONPath: ".b["},
		{Name: "C", Type: "string", JSONPath: ".c"},
	}})
	if len(c.Definitions()) != 2 || c.Err() == nil {
		t.Errorf("got %v, %v", c.Definitions(), c.Err())
	}
	panics := columns.New(&definition.Version{PrinterColumns: []definition.PrinterColumn{
		{Name: "A", Type: "string", JSONPath: ".a[*] range}{[0]}{end"},
	}})
	if _, err := panics.Table(object("o", nil), time.Time{}); err == nil {
		t.Error("no error where the server panics")
	}
}
