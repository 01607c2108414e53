package catalog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/catalog"
)

// A tool judges all that is in a folder.
func ExampleCatalog_Judge() {
	refused := 0
	for finding := range catalog.New().Judge(context.Background(), "testdata/folder") {
		fmt.Println(finding)
		if finding.Severity == catalog.Refused {
			refused++
		}
	}
	fmt.Println(refused, "refused")
	// Output:
	// testdata/folder/crd.yaml:21:17: error: spec.validation.openAPIV3Schema.properties[spec].properties[tags].items: Required value: must be specified (STR-043)
	// testdata/folder/objects.yaml:6:3: error: spec.color: Forbidden: unknown field "spec.color" (PIPE-006)
	// testdata/folder/objects.yaml:13:3: error: key "size" already set in map (PIPE-006)
	// testdata/folder/objects.yaml:15:1: not judged: no definition of example.com/v1 Widgett was given; did you mean `Widget`?
	// testdata/folder/objects.yaml:20:1: error: yaml: did not find expected node content
	// 4 refused
}

// What Judge finds ends with its context, and when its caller has enough.
func TestJudgeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for f := range catalog.New().Judge(ctx, "testdata/folder") {
		t.Errorf("%v after the end", f)
	}
	for range catalog.New().Judge(t.Context(), "testdata/folder") {
		break
	}
	missing := slices.Collect(catalog.New().Judge(t.Context(), "testdata/none"))
	if len(missing) != 1 || missing[0].Severity != catalog.Refused {
		t.Errorf("a folder that is missing: %v", missing)
	}
}

// An object is followed to the storage version: what that loses is warned of,
// and an object that cannot be converted is refused.
func TestJudgeFollowsToStorage(t *testing.T) {
	const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.ex.io}
spec:
  group: ex.io
  scope: Cluster
  names: {plural: boxes, singular: box, kind: Box, listKind: BoxList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {t: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {dep: {type: string}, t: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}
---
apiVersion: ex.io/v2
kind: Box
metadata: {name: loses}
dep: keep
---
apiVersion: ex.io/v2
kind: Box
metadata: {name: fails}
t: {apiVersion: v1, kind: Pod, metadata: {labels: {a: 1}}}
---
apiVersion: ex.io/v1
kind: Box
metadata: {name: fine}
`
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte(crd), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for f := range catalog.New().Judge(t.Context(), file) {
		got = append(got, strings.TrimPrefix(f.String(), file))
	}
	want := []string{
		":15:1: warning: dep is not stored: the storage version does not have it (PIPE-021)",
		":20:55: error: ",
	}
	if len(got) != len(want) || got[0] != want[0] || !strings.HasPrefix(got[1], want[1]) {
		t.Errorf("%q", got)
	}
}

// A default has its place in the definition.
func TestPlace(t *testing.T) {
	c := catalog.New()
	if _, err := c.ReadFiles("testdata/folder/crd.yaml"); err != nil {
		t.Fatal(err)
	}
	object := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "w"},
		"spec":     map[string]any{"none": true},
	}
	e, err := c.Definition(object)
	if err != nil || e.CRD == nil {
		t.Fatal(err)
	}
	v, err := c.Version(object)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, change := range v.Do(t.Context(), crdsem.Request{Object: object}).Provenance {
		at := e.Place(v, change).Value
		got = append(got, fmt.Sprintln(change.Action, change.Pointer, change.Value, at))
	}
	want := "Pruned /spec/none true testdata/folder/crd.yaml:17:13\n" +
		"Defaulted /spec/size 1 testdata/folder/crd.yaml:20:60\n"
	if diff := cmp.Diff(want, strings.Join(got, "")); diff != "" {
		t.Error(diff)
	}
}

// Each finding has its place in JSON, also one that is about no field.
func TestFindingsAsJSON(t *testing.T) {
	var got []string
	for f := range catalog.New().Judge(t.Context(), "testdata/folder") {
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	const objects = `{"file":"testdata/folder/objects.yaml",`
	for i, want := range []string{
		`{"file":"testdata/folder/crd.yaml","line":21,"column":17,"severity":"error",`,
		objects + `"line":6,"column":3,"severity":"error","kind":"Widget.example.com","name":"small",` +
			`"reason":"FieldValueForbidden","message":"Forbidden: unknown field \"spec.color\"",` +
			`"field":"spec.color","pointer":"/spec/color","rule":"PIPE-006"}`,
		objects + `"line":13,"column":3,"severity":"error","kind":"Widget.example.com",`,
		objects + `"line":15,"column":1,"severity":"not judged","kind":"Widgett.example.com",`,
		objects + `"line":20,"column":1,"severity":"error","message":"yaml: did not find`,
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("finding %d is not %s:\n%s", i, want, strings.Join(got, "\n"))
		}
	}
}
