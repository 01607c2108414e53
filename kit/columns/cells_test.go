package columns_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/columns"
)

// Ages at the limits of their units, and next to them, are those of kubectl's
// library.
func TestDurationsOfKubectl(t *testing.T) {
	const day = 24 * time.Hour
	c := columns.New(nil)
	created := object("o", nil)
	created["metadata"].(map[string]any)["creationTimestamp"] = now.Format(time.RFC3339)
	for _, limit := range []time.Duration{
		-2 * time.Second, -time.Second, 0, time.Second, 2 * time.Minute, 5 * time.Minute,
		10 * time.Minute, 3 * time.Hour, 5 * time.Hour, 8 * time.Hour, 2 * day, 5 * day, 8 * day,
		2 * 365 * day, 5 * 365 * day, 8 * 365 * day,
	} {
		for _, step := range []time.Duration{
			0, time.Nanosecond, time.Second, time.Minute, time.Hour, day,
		} {
			for _, d := range []time.Duration{limit - step, limit + step} {
				table, err := c.Table(created, now.Add(d))
				if want := duration.HumanDuration(d); err != nil || table.Rows[0].Cells[1] != want {
					t.Errorf("%v: got %v, %v, want %s", d, table.Rows[0].Cells, err, want)
				}
			}
		}
	}
}

// A row holds of its object what is asked for. Of metadata the fields that are
// empty or unknown are left out.
func TestInclude(t *testing.T) {
	const text = `{"spec": 1, "metadata": {"name": "n", "namespace": "", "uid": null, "generation": 0,
"labels": {}, "annotations": {"a": "b"}, "finalizers": [], "ownerReferences": [{}],
"deletionGracePeriodSeconds": 3, "unheard": 1}}`
	var in map[string]any
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatal(err)
	}
	const metadata = `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":` +
		`{"annotations":{"a":"b"},"deletionGracePeriodSeconds":3,"generation":0,"name":"n",` +
		`"ownerReferences":[{}]}}`
	whole, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options []columns.Option
		want    string
	}{
		{nil, metadata}, {[]columns.Option{nil}, metadata},
		{[]columns.Option{columns.Include(columns.IncludeMetadata)}, metadata},
		{[]columns.Option{columns.Include(columns.IncludeObject)}, string(whole)},
		{[]columns.Option{columns.Include(columns.IncludeObject), columns.Include(columns.IncludeNone)},
			"null"},
	} {
		table, err := columns.New(nil).Table(in, now, c.options...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(table.Rows[0].Object)
		if err != nil || string(got) != c.want {
			t.Errorf("%d options: got %s, %v, want %s", len(c.options), got, err, c.want)
		}
	}
}

// A column has its description, or one that names its path.
func TestDescriptions(t *testing.T) {
	c := columns.New(&definition.Version{PrinterColumns: []definition.PrinterColumn{
		{Name: "A", Type: "string", JSONPath: ".a", Description: "d", Format: "f", Priority: 2},
		{Name: "B", Type: "date", JSONPath: ".b"},
	}})
	want := []columns.Column{
		{Name: "A", Type: "string", Format: "f", Description: "d", Priority: 2},
		{Name: "B", Type: "date",
			Description: "Custom resource definition column (in JSONPath format): .b"},
	}
	if diff := cmp.Diff(want, c.Definitions()[1:]); diff != "" {
		t.Error(diff)
	}
}

// The first result of a path is the cell. Paths without a result, dates that
// are none and texts that cannot be made have no value; an error is that of a
// server that panics.
func TestCells(t *testing.T) {
	in := object("o", map[string]any{
		"list": []any{int64(1), int64(2)}, "text": "x", "empty": []any{}, "null": nil,
		"zero": "0001-01-01T00:00:00Z", "word": "null", "float": 1e300, "nulls": []any{nil},
	})
	for _, c := range []struct {
		typ, path string
		want      any
		err       string
	}{
		{"integer", ".list[*]", int64(1), ""}, {"integer", ".list[1]", int64(2), ""},
		{"string", ".empty[*]", nil, ""}, {"string", ".missing", nil, ""},
		{"string", ".text.deeper", nil, ""}, {"integer", ".list[7]", nil, ""},
		{"date", ".zero", "<unknown>", ""}, {"date", ".word", "<unknown>", ""},
		{"date", ".text", "<invalid>", ""}, {"date", ".list[0]", nil, ""},
		{"boolean", ".text", nil, ""}, {"number", ".text", nil, ""}, {"number", ".float", 1e300, ""},
		{"integer", ".float", int64(-1 << 63), ""},
		{"string", "range .empty[*]}{@}{end", nil, ""},
		{"string", "range .nulls[*]}{@}{end", nil, "the server panics: a cell of nothing"},
	} {
		table, err := columns.New(&definition.Version{PrinterColumns: []definition.PrinterColumn{
			{Name: "A", Type: c.typ, JSONPath: c.path},
		}}).Table(in, now)
		if err != nil || c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s %s: %v", c.typ, c.path, err)
			}
			continue
		}
		if diff := cmp.Diff(c.want, table.Rows[0].Cells[1]); diff != "" {
			t.Errorf("%s %s: %s", c.typ, c.path, diff)
		}
	}
}
