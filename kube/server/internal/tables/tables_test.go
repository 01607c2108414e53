package tables_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kit/columns"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/tables"
)

// noon is the time that the dates of the objects are relative to.
var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// recorded is what conformance/oracle/printers recorded.
type recorded struct {
	Columns map[string][]columns.Column
	Rows    []struct {
		Kind, Name string
		Cells      []any
		Conditions []v1.TableRowCondition
	}
}

func read(t *testing.T) recorded {
	t.Helper()
	text, err := os.ReadFile("testdata/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	var of recorded
	if err := json.Unmarshal(text, &of); err != nil {
		t.Fatal(err)
	}
	for _, all := range of.Columns {
		for i := range all {
			if name, ok := strings.CutPrefix(all[i].Description, "@"); ok {
				all[i].Description = v1.ObjectMeta{}.SwaggerDoc()[name]
			}
		}
	}
	return of
}

// objects returns the objects as a server stores them.
func objects(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile("testdata/objects.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []*unstructured.Unstructured
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var of v1.TypeMeta
		if err := yaml.Unmarshal(document, &of); err != nil {
			t.Fatal(err)
		}
		object, unknown, err := builtin.Decode(document, runtime.ContentTypeYAML,
			of.GroupVersionKind())
		if err != nil || unknown != nil {
			t.Fatalf("%v, %v: %s", err, unknown, document)
		}
		all = append(all, &unstructured.Unstructured{Object: object})
	}
	return all
}

// filled returns the table of an object as JSON decodes it.
func filled(t *testing.T, kind schema.GroupKind, object map[string]any) tables.Table {
	t.Helper()
	from, err := columns.New(nil).Table(object, noon)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(tables.Of(kind).Fill(from, object, noon))
	if err != nil {
		t.Fatal(err)
	}
	var out tables.Table
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// The rows of the objects are those that the real printers make.
func TestRows(t *testing.T) {
	of, all := read(t), objects(t)
	if len(of.Rows) != len(all) {
		t.Fatalf("%d rows are recorded of %d objects", len(of.Rows), len(all))
	}
	for i, want := range of.Rows {
		got := filled(t, all[i].GroupVersionKind().GroupKind(), all[i].Object)
		if all[i].GetName() != want.Name || len(got.Rows) != 1 {
			t.Fatalf("%s: %v, want one row of %s", all[i].GetName(), got.Rows, want.Name)
		}
		if diff := cmp.Diff(want.Cells, got.Rows[0].Cells); diff != "" {
			t.Errorf("%s %s: %s", want.Kind, want.Name, diff)
		}
		if diff := cmp.Diff(want.Conditions, got.Rows[0].Conditions); diff != "" {
			t.Errorf("%s %s: %s", want.Kind, want.Name, diff)
		}
	}
}

// Kinds whose columns are those of kinds without any of their own.
var absent = map[string]bool{
	"CertificateSigningRequest.certificates.k8s.io": true, "ComponentStatus": true,
	"CompositePodGroup.scheduling.k8s.io": true, "ControllerRevision.apps": true,
	"CSIDriver.storage.k8s.io": true, "DeviceTaintRule.resource.k8s.io": true,
	"Eviction.lifecycle.k8s.io": true, "EvictionRequest.lifecycle.k8s.io": true,
	"FlowSchema.flowcontrol.apiserver.k8s.io": true, "IPAddress.networking.k8s.io": true,
	"MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": true,
	"PodCertificateRequest.certificates.k8s.io":                   true,
	"PodGroup.scheduling.k8s.io":                                  true,
	"PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io":     true,
	"ResourceClaim.resource.k8s.io":                               true,
	"ResourcePoolStatusRequest.resource.k8s.io":                   true, "ResourceQuota": true,
	"StorageVersion.internal.apiserver.k8s.io":                      true,
	"StorageVersionMigration.storagemigration.k8s.io":               true,
	"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": true,
}

// The columns of each built-in kind are those that the real printers have. Each
// kind with columns has a row in the test before.
func TestColumns(t *testing.T) {
	of, shown := read(t), map[string]bool{}
	for _, row := range of.Rows {
		shown[row.Kind] = true
	}
	for _, resource := range builtin.Resources() {
		kind := schema.GroupKind{Group: resource.Group, Kind: resource.Kind}
		want, ok := of.Columns[kind.String()]
		if !ok || absent[kind.String()] {
			want = createdAt
		} else if !shown[kind.String()] {
			t.Errorf("%s: no row", kind)
		}
		got := filled(t, kind, map[string]any{}).ColumnDefinitions
		if kind.Kind == "CustomResourceDefinition" { // see TestDefinition
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

// createdAt are the columns that k8s.io/apiserver/pkg/registry/rest gives the
// kinds without any of their own.
var createdAt = []columns.Column{
	{
		Name: "Name", Type: "string", Format: "name",
		Description: v1.ObjectMeta{}.SwaggerDoc()["name"],
	},
	{
		Name: "Created At", Type: "date",
		Description: v1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"],
	},
}

// A list has a row for each item. Kinds without columns of their own show when
// objects were created.
func TestList(t *testing.T) {
	item := func(name, created string) any {
		return map[string]any{"metadata": map[string]any{
			"name": name, "creationTimestamp": created,
		}}
	}
	list := map[string]any{"items": []any{
		item("a", "2026-07-01T11:00:00Z"), item("b", "2026-06-01T11:00:00Z"),
	}}
	for kind, want := range map[string][][]any{
		"LimitRange": {{"a", "2026-07-01T11:00:00Z"}, {"b", "2026-06-01T11:00:00Z"}},
		"Namespace":  {{"a", "", "60m"}, {"b", "", "30d"}},
	} {
		got := filled(t, schema.GroupKind{Kind: kind}, list)
		for i, cells := range want {
			if diff := cmp.Diff(cells, got.Rows[i].Cells); diff != "" {
				t.Errorf("%s: %s", kind, diff)
			}
		}
	}
}

// Objects are not validated before they are stored. Those that lack fields, or
// have others than their kind, are shown as well.
func TestIncomplete(t *testing.T) {
	var metrics []any
	for _, kind := range []string{
		"External", "Object", "Pods", "Resource", "ContainerResource", "Other",
	} {
		metric := map[string]any{"type": kind}
		if kind != "External" {
			metric["external"] = map[string]any{}
		}
		metrics = append(metrics, metric)
	}
	got := filled(t, schema.GroupKind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"},
		map[string]any{"spec": map[string]any{"metrics": metrics}})
	const want = "<unknown type>, <unknown type> + 4 more..."
	if cell := got.Rows[0].Cells[2]; cell != want {
		t.Errorf("got %v", cell)
	}
	for _, resource := range builtin.Resources() {
		kind := schema.GroupKind{Group: resource.Group, Kind: resource.Kind}
		for _, object := range []map[string]any{
			{}, {"spec": "text", "status": []any{int64(1)}, "metadata": nil},
			{"spec": map[string]any{"claimRef": "x", "ports": nil}, "subjects": []any{nil}},
		} {
			if rows := filled(t, kind, object).Rows; len(rows) != 1 {
				t.Errorf("%s: %v", kind, rows)
			}
		}
	}
}

// In a list, the newest of the default storage classes is shown as the default.
// Of several with the same date it is the first one by name.
func TestDefaultClass(t *testing.T) {
	class := func(name, created, isDefault string) any {
		return map[string]any{"metadata": map[string]any{
			"name": name, "creationTimestamp": created, "annotations": map[string]any{
				"storageclass.kubernetes.io/is-default-class": isDefault,
			},
		}}
	}
	list := map[string]any{"items": []any{
		class("a", "2026-06-01T11:00:00Z", "true"), class("b", "2026-06-02T11:00:00Z", "true"),
		class("c", "2026-06-02T11:00:00Z", "true"), class("d", "2026-06-03T11:00:00Z", "false"),
	}}
	got := filled(t, schema.GroupKind{Group: "storage.k8s.io", Kind: "StorageClass"}, list)
	for i, want := range []string{"a", "b (default)", "c", "d"} {
		if got.Rows[i].Cells[0] != want {
			t.Errorf("got %v, want %s", got.Rows[i].Cells[0], want)
		}
	}
}

// The last restart is the latest one of all containers, in any order.
func TestRestarts(t *testing.T) {
	status := func(name, at string) any {
		return map[string]any{
			"name": name, "restartCount": int64(1), "lastState": map[string]any{
				"terminated": map[string]any{"finishedAt": at, "exitCode": int64(1)},
			},
		}
	}
	const early, late = "2026-07-01T11:50:00Z", "2026-07-01T11:55:00Z"
	for _, of := range []string{"containerStatuses", "initContainerStatuses"} {
		for _, order := range [][2]string{{early, late}, {late, early}} {
			statuses := []any{status("a", order[0]), status("b", order[1])}
			if of == "initContainerStatuses" { // the first has ended, the second has not
				statuses[0].(map[string]any)["state"] = map[string]any{
					"terminated": map[string]any{"exitCode": int64(0)},
				}
			}
			got := filled(t, schema.GroupKind{Kind: "Pod"}, map[string]any{
				"status": map[string]any{of: statuses},
			})
			if cell := got.Rows[0].Cells[3]; cell != "2 (5m ago)" {
				t.Errorf("%s %v: %v", of, order, cell)
			}
		}
	}
}

// Ports and selectors that no server stores are shown as well.
func TestOddCells(t *testing.T) {
	slices := filled(t, schema.GroupKind{Group: "discovery.k8s.io", Kind: "EndpointSlice"},
		map[string]any{"ports": []any{
			map[string]any{}, map[string]any{"name": "n"}, map[string]any{"name": "m", "port": int64(1)},
		}})
	deployment := filled(t, schema.GroupKind{Group: "apps", Kind: "Deployment"},
		map[string]any{"spec": map[string]any{"selector": map[string]any{"matchExpressions": []any{
			map[string]any{"key": "a", "operator": "Other"},
		}}}})
	last := deployment.Rows[0].Cells[len(deployment.Rows[0].Cells)-1]
	if got := slices.Rows[0].Cells[2]; got != "*,n,1" || last != "<invalid>" {
		t.Errorf("%v, %v", got, last)
	}
}

// A table without columns keeps none, as in a watch after its first event.
func TestHeadless(t *testing.T) {
	object := map[string]any{"metadata": map[string]any{"name": "a"}}
	got := tables.Of(schema.GroupKind{Kind: "Pod"}).Fill(
		&columns.Table{Rows: []columns.Row{{}}}, object, noon)
	if got.ColumnDefinitions != nil || len(got.Rows[0].Cells) != 9 {
		t.Errorf("got %v", got)
	}
}

// The row of a definition is that of a real server, which shows served versions
// by their names.
func TestDefinition(t *testing.T) {
	kind := schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
	version := func(name string, served, stored bool) any {
		return map[string]any{"name": name, "served": served, "storage": stored}
	}
	table := filled(t, kind, map[string]any{
		"metadata": map[string]any{
			"name": "rooms.example.com", "creationTimestamp": "2026-01-02T03:04:05Z",
		},
		"spec": map[string]any{
			"group": "example.com", "scope": "Cluster",
			"names": map[string]any{"kind": "Room", "shortNames": []any{"r", "rm"}},
			"versions": []any{
				version("v2", true, false), version("v1", true, true), version("v0", false, false),
			},
		},
		"status": map[string]any{"conditions": []any{
			map[string]any{"type": "Established", "status": "True"},
		}},
	})
	var names []string
	for _, column := range table.ColumnDefinitions {
		names = append(names, fmt.Sprint(column.Name, " ", column.Type, column.Priority))
	}
	got := fmt.Sprint(names, table.Rows[0].Cells)
	want := "[Name string0 Scope string0 Versions string0 Created At date0 Group string1 " +
		"Kind string1 ShortNames string1 Established boolean1] " +
		"[rooms.example.com Cluster v1(storage),v2 2026-01-02T03:04:05Z example.com Room r,rm true]"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
