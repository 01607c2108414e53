package definition_test

import (
	"encoding/json"
	"reflect"
	"testing"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/structural/openapi"
)

// published holds the schemas of one version from the server's builder.
func published(t *testing.T, crd *v1.CustomResourceDefinition, kind openapi.Kind) (v2, v3 any) {
	t.Helper()
	two, err := builder.BuildOpenAPIV2(crd, kind.Version,
		builder.Options{V2: true, IncludeSelectableFields: true})
	if err != nil {
		t.Fatal(err)
	}
	three, err := builder.BuildOpenAPIV3(crd, kind.Version,
		builder.Options{IncludeSelectableFields: true})
	if err != nil {
		t.Fatal(err)
	}
	return generic(
		t,
		two.Definitions[kind.Name()],
	), generic(t, three.Components.Schemas[kind.Name()])
}

func generic(t *testing.T, value any) (out any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := utiljson.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// comparePublished compares all versions of a definition and returns their
// number.
func comparePublished(t *testing.T, name, text string) int {
	t.Helper()
	var theirs v1.CustomResourceDefinition
	if err := yaml.Unmarshal([]byte(text), &theirs); err != nil {
		return 0
	}
	v1.SetDefaults_CustomResourceDefinition(&theirs)
	crd, _, err := definition.Parse([]byte(text))
	if err != nil {
		return 0
	}
	ours, err := definition.Compile(crd)
	if err != nil {
		return 0
	}
	for _, v := range ours.Versions() {
		kind := openapi.Kind{
			Group:                  ours.Group(),
			Version:                v.Name,
			Kind:                   ours.Names().Kind,
			SelectableFields:       v.SelectableFields,
			PreservesUnknownFields: ours.PreservesUnknownFields(),
		}
		v2, v3 := published(t, &theirs, kind)
		if got := generic(t, openapi.PublishV2(v.Schema(), kind)); !reflect.DeepEqual(got, v2) {
			t.Fatalf("%s %s: v2 differs\nreal %s\nours %s", name, v.Name, encode(t, v2),
				encode(t, got))
		}
		if got := generic(t, openapi.PublishV3(v.Schema(), kind)); !reflect.DeepEqual(got, v3) {
			t.Fatalf("%s %s: v3 differs\nreal %s\nours %s", name, v.Name, encode(t, v3),
				encode(t, got))
		}
	}
	return len(ours.Versions())
}

// Real schemas are published as by the server.
func TestPublishCorpus(t *testing.T) {
	n, limit := 0, number(t, "CRDSEM_SIZE", 100_000)
	for _, file := range corpus.Definitions(t) {
		if len(file.Text) <= limit {
			n += comparePublished(t, file.Name(), string(file.Text))
		}
	}
	t.Logf("%d versions", n)
}

// Valid generated definitions are published as by the server.
func TestPublishGenerated(t *testing.T) {
	g := newGenerator(uint64(number(t, "CRDSEM_SEED", 1)), 4)
	n := 0
	for range number(t, "CRDSEM_CASES", 2000) / 2 {
		text := encode(t, g.definition())
		if errs := ourDefinition(text, "").errors; len(errs) == 0 {
			n += comparePublished(t, text, text)
		}
	}
	t.Logf("%d versions", n)
}
