package definition

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// twoVersions is a definition whose versions differ in one field.
const twoVersions = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}},"x":{"type":"string"}}}}},
{"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}}]}}`

func compiled(t *testing.T, text string, options ...structural.Option) *Model {
	t.Helper()
	crd, _, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Compile(crd, options...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What a version has itself counts, and otherwise what stands at the top.
func TestCompileVersion(t *testing.T) {
	status, selector, warning := &crd.CustomResourceSubresourceStatus{}, ".s", "old"
	scale := func(path string) *crd.CustomResourceSubresourceScale {
		return &crd.CustomResourceSubresourceScale{SpecReplicasPath: path, StatusReplicasPath: ".r"}
	}
	top := crd.CustomResourceDefinitionSpec{
		Subresources: &crd.CustomResourceSubresources{
			Status: status, Scale: scale(".top"),
		},
		SelectableFields:         []crd.SelectableField{{JSONPath: ".t1"}, {JSONPath: ".t2"}},
		AdditionalPrinterColumns: []crd.CustomResourceColumnDefinition{{Name: "T1"}, {Name: "T2"}},
	}
	own := crd.CustomResourceDefinitionVersion{
		Name: "v1", Served: true, Storage: true, Deprecated: true, DeprecationWarning: &warning,
		Subresources:     &crd.CustomResourceSubresources{Scale: scale(".own")},
		SelectableFields: []crd.SelectableField{{JSONPath: ".o"}},
		AdditionalPrinterColumns: []crd.CustomResourceColumnDefinition{
			{Name: "O", Type: "string", Format: "f", Description: "d", Priority: 1, JSONPath: ".o"},
		},
	}
	own.Subresources.Scale.LabelSelectorPath = &selector
	ownWant := Version{
		Name: "v1", Served: true, Storage: true, Deprecated: true, DeprecationWarning: &warning,
		Scale: &ScalePaths{".own", ".r", ".s"}, SelectableFields: []string{".o"},
		PrinterColumns: []PrinterColumn{{"O", "string", "f", "d", 1, ".o"}},
	}
	for name, c := range map[string]struct {
		spec    crd.CustomResourceDefinitionSpec
		version crd.CustomResourceDefinitionVersion
		want    Version
	}{
		"nothing": {},
		"own":     {version: own, want: ownWant},
		"both":    {top, own, ownWant},
		"top": {top, crd.CustomResourceDefinitionVersion{Name: "v2"}, Version{
			Name: "v2", HasStatus: true, Scale: &ScalePaths{".top", ".r", ""},
			SelectableFields: []string{".t1", ".t2"},
			PrinterColumns:   []PrinterColumn{{Name: "T1"}, {Name: "T2"}},
		}},
	} {
		if got := compileVersion(&c.spec, &c.version); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// Versions share nodes with each other. Definitions do if they have a common
// cache, until it is dropped.
func TestSchemasShareNodes(t *testing.T) {
	spec := func(d *Model, version string) *structural.Schema {
		return d.Version(version).Schema().Property("spec")
	}
	cache := &structural.Cache{}
	cached := structural.InCache(cache)
	a, b := compiled(t, twoVersions, cached), compiled(t, twoVersions, cached)
	alone := compiled(t, twoVersions)
	if spec(alone, "v1") != spec(alone, "v2") {
		t.Error("versions do not share nodes")
	}
	if spec(a, "v1") != spec(b, "v2") || spec(a, "v1") == spec(alone, "v1") {
		t.Error("definitions do not share exactly what is in one cache")
	}
	cache.Drop()
	c := compiled(t, twoVersions, cached)
	if spec(c, "v1") == spec(a, "v1") || spec(c, "v1") != spec(c, "v2") {
		t.Error("a dropped cache is not empty")
	}
}

// Versions with equal schemas have one schema.
func TestSameSchemaIsBuiltOnce(t *testing.T) {
	d := compiled(t, strings.Replace(twoVersions, `,"x":{"type":"string"}`, "", 1))
	if d.versions[0].schema != d.versions[1].schema {
		t.Error("two schemas")
	}
}

// A schema that does not convert is an error of Compile, that of the first
// version.
func TestUnconvertedSchema(t *testing.T) {
	text := strings.Replace(twoVersions, `"x":{"type":"string"}`, `"x":{"type":"string","$ref":"y"}`, 1)
	crd, _, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Compile(crd)
	if want := `version "v1": OpenAPIV3Schema '$ref' is not supported`; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
