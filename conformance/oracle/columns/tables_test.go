package columns_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/columns"
	"github.com/crdsem/crdsem/kit/generate"
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// The tables of all real definitions equal those of the server's table
// convertor, cell by cell: of their objects, of generated objects, and of
// objects whose fields have other types than the columns.
func TestCorpusTables(t *testing.T) {
	objects := corpusObjects(t)
	tables, rows, cells, filled := 0, 0, 0, 0
	for _, file := range corpus.Definitions(t) {
		crd, _, err := definition.Parse(file.Text)
		if err != nil {
			continue // an invalid variant
		}
		model, err := definition.Compile(crd)
		if err != nil {
			continue
		}
		for _, version := range model.Versions() {
			list := append(made(t, file.Text, version.Name), objects[file.Path+" "+version.Name]...)
			list = append(list, twisted(list)...)
			got, want := bothTables(t, file.Text, &version, list)
			tables++
			rows += len(want)
			for i, row := range want {
				cells += len(row)
				for j, cell := range row {
					if cell != nil {
						filled++
					}
					if !reflect.DeepEqual(cell, got[i][j]) {
						t.Errorf("%s %s: row %d, column %d: got %v, want %v",
							file.Name(), version.Name, i, j, got[i][j], cell)
					}
				}
			}
		}
	}
	t.Logf("%d tables, %d rows, %d cells, %d of them not empty", tables, rows, cells, filled)
}

// corpusObjects returns the objects of the corpus by the path of their
// definition and their version.
func corpusObjects(t *testing.T) map[string][]any {
	t.Helper()
	objects := map[string][]any{}
	for _, o := range corpus.Objects(t) {
		text, err := yaml.YAMLToJSON(o.Text)
		if err != nil {
			continue // an invalid object
		}
		value, err := protocol.ParseValue(text)
		if object, ok := value.(map[string]any); ok && err == nil && o.Definition != "" {
			key := filepath.Clean(o.Definition) + " " + o.Version
			objects[key] = append(objects[key], object)
		}
	}
	return objects
}

// made returns generated objects of a version. There are none if the version
// is not served.
func made(t *testing.T, crd []byte, version string) []any {
	t.Helper()
	resources, err := generate.ParseResources(crd, version)
	if err != nil {
		return nil
	}
	var list []any
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 3))
		object, err := resources.Valid(r)
		if err != nil {
			continue
		}
		list = append(list, object)
		if status, err := resources.UpdateStatus(r, object); err == nil {
			list = append(list, status)
		}
	}
	return list
}

// twisted returns copies of objects in which every scalar has another type.
func twisted(objects []any) []any {
	var other func(value any) any
	other = func(value any) any {
		switch value := value.(type) {
		case map[string]any:
			m := make(map[string]any, len(value))
			for key, v := range value {
				m[key] = other(v)
			}
			return m
		case []any:
			l := make([]any, len(value))
			for i, v := range value {
				l[i] = other(v)
			}
			return l
		case string:
			return []any{int64(len(value)), 1.5, true, "2026-06-28T08:00:00Z", nil}[len(value)%5]
		case int64:
			return []any{float64(value) + 0.5, "7", false, []any{value}}[uint64(value)%4]
		case bool:
			return "true"
		}
		return value
	}
	copies := make([]any, len(objects))
	for i, object := range objects {
		copies[i] = other(object)
	}
	return copies
}

func bothTables(
	t *testing.T, crd []byte, version *definition.Version, list []any,
) (got, want [][]any) {
	t.Helper()
	shown := columns.New(version)
	ours, err := shown.Table(map[string]any{"items": list}, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range ours.Rows {
		got = append(got, row.Cells)
	}
	var real v1.CustomResourceDefinition
	if err := yaml.Unmarshal(crd, &real); err != nil {
		t.Fatal(err)
	}
	declared, err := kube.Columns(&real, version.Name)
	if err != nil {
		t.Fatal(err)
	}
	items := &unstructured.UnstructuredList{}
	for _, object := range list {
		items.Items = append(items.Items,
			unstructured.Unstructured{Object: object.(map[string]any)})
	}
	table, err := kube.Table(context.Background(), declared, items, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		want = append(want, row.Cells)
	}
	if len(got) != len(want) {
		t.Fatalf("got %d rows, want %d", len(got), len(want))
	}
	return got, want
}
