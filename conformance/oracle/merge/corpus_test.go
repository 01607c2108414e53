// Package merge_test compares package merge with the server's type converter
// and field manager.
package merge_test

import (
	"slices"
	"strings"
	"testing"

	goyaml "go.yaml.in/yaml/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/structural"
)

// crds returns the real CRDs, sorted by file. Without a corpus the test is
// skipped.
func crds(t testing.TB) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	var list []*apiextensionsv1.CustomResourceDefinition
	for _, file := range corpus.Definitions(t) {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(file.Text, crd); err != nil {
			t.Fatalf("%s: %v", file.Name(), err)
		}
		apiextensionsv1.SetDefaults_CustomResourceDefinition(crd)
		apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
		list = append(list, crd)
	}
	return list
}

// models returns the OpenAPI models that the server publishes for all versions
// of a CRD.
func models(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition) map[string]*spec.Schema {
	t.Helper()
	all := map[string]*spec.Schema{}
	for _, v := range crd.Spec.Versions {
		s, err := builder.BuildOpenAPIV3(crd, v.Name, builder.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for name, model := range s.Components.Schemas {
			all[name] = model
		}
	}
	return all
}

// modelName returns the name of a version's model.
func modelName(
	all map[string]*spec.Schema, crd *apiextensionsv1.CustomResourceDefinition, version string,
) string {
	for name, model := range all {
		list, _ := model.Extensions["x-kubernetes-group-version-kind"].([]any)
		for _, item := range list {
			gvk, _ := item.(map[string]any)
			if gvk["group"] == crd.Spec.Group && gvk["version"] == version &&
				gvk["kind"] == crd.Spec.Names.Kind {
				return name
			}
		}
	}
	return ""
}

// ourType compiles a version's schema with package merge.
func ourType(
	t testing.TB, v apiextensionsv1.CustomResourceDefinitionVersion, options ...structural.Option,
) *merge.Type {
	t.Helper()
	s, published := ourSchema(t, v)
	if !published {
		return merge.Compile(nil, options...)
	}
	return merge.Compile(s, options...)
}

// ourSchema decodes a version's schema. The server publishes it only if it is
// structural.
func ourSchema(
	t testing.TB, v apiextensionsv1.CustomResourceDefinitionVersion,
) (s *structural.Schema, published bool) {
	t.Helper()
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		return nil, false
	}
	text, err := yaml.Marshal(v.Schema.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	s, err = structural.Parse(text)
	return s, err == nil && len(structural.Validate(s, nil)) == 0
}

// TestSchemasOfCorpus compares the schemas of all versions of all real CRDs
// with those that the server derives from their published OpenAPI.
func TestSchemasOfCorpus(t *testing.T) {
	versions, fields := 0, 0
	for _, crd := range crds(t) {
		all := models(t, crd)
		want, err := schemaconv.ToSchemaFromOpenAPI(all, false)
		if err != nil {
			t.Fatalf("%s: %v", crd.Name, err)
		}
		for _, v := range crd.Spec.Versions {
			text, err := ourType(t, v).SchemaYAML()
			if err != nil {
				t.Fatal(err)
			}
			got := &smdschema.Schema{}
			if err := goyaml.Unmarshal(text, got); err != nil {
				t.Fatalf("%s %s: %v", crd.Name, v.Name, err)
			}
			c := &comparison{want: want, got: got, seen: map[[2]string]bool{}}
			name, root := modelName(all, crd, v.Name), "root"
			c.compare(smdschema.TypeRef{NamedType: &name}, smdschema.TypeRef{NamedType: &root},
				crd.Name+" "+v.Name)
			versions++
			fields += c.fields
			if len(c.differences) > 0 {
				t.Errorf("%d differences: %s", len(c.differences),
					strings.Join(c.differences[:min(5, len(c.differences))], "\n"))
			}
		}
	}
	t.Logf("%d versions, %d fields", versions, fields)
	if versions < 100 || fields < 10_000 {
		t.Errorf("only %d versions with %d fields", versions, fields)
	}
}

// comparison compares two schemas and follows named types.
type comparison struct {
	want, got   *smdschema.Schema
	seen        map[[2]string]bool
	differences []string
	fields      int
}

func (c *comparison) differ(
	path, what string,
) {
	c.differences = append(c.differences, path+": "+what)
}

func (c *comparison) compare(want, got smdschema.TypeRef, path string) {
	if want.NamedType != nil && got.NamedType != nil {
		names := [2]string{*want.NamedType, *got.NamedType}
		if c.seen[names] {
			return
		}
		c.seen[names] = true
	}
	w, wantKnown := c.want.Resolve(want)
	g, gotKnown := c.got.Resolve(got)
	if !wantKnown || !gotKnown {
		if wantKnown != gotKnown {
			c.differ(path, "one is no type")
		}
		return
	}
	if (w.Scalar == nil) != (g.Scalar == nil) || w.Scalar != nil && *w.Scalar != *g.Scalar {
		c.differ(path, "scalar")
	}
	if (w.List == nil) != (g.List == nil) || (w.Map == nil) != (g.Map == nil) {
		c.differ(path, "list or map")
		return
	}
	if w.List != nil {
		if w.List.ElementRelationship != g.List.ElementRelationship ||
			!slices.Equal(w.List.Keys, g.List.Keys) {
			c.differ(path, "list type")
		}
		c.compare(w.List.ElementType, g.List.ElementType, path+"[]")
	}
	if w.Map != nil {
		c.compareMaps(w.Map, g.Map, path)
	}
}

func (c *comparison) compareMaps(want, got *smdschema.Map, path string) {
	if want.ElementRelationship != got.ElementRelationship {
		c.differ(path, "map type")
	}
	if isEmpty(want.ElementType) != isEmpty(got.ElementType) {
		c.differ(path, "unknown fields")
	} else if !isEmpty(want.ElementType) {
		c.compare(want.ElementType, got.ElementType, path+"{}")
	}
	if len(want.Fields) != len(got.Fields) {
		c.differ(path, "number of fields")
	}
	for _, w := range want.Fields {
		g, ok := got.FindField(w.Name)
		if !ok {
			c.differ(path+"."+w.Name, "missing")
			continue
		}
		c.fields++
		if plain(w.Default) != plain(g.Default) {
			c.differ(path+"."+w.Name, "default "+plain(g.Default)+", want "+plain(w.Default))
		}
		c.compare(w.Type, g.Type, path+"."+w.Name)
	}
}

func isEmpty(ref smdschema.TypeRef) bool {
	return ref.NamedType == nil && ref.Inlined.Scalar == nil && ref.Inlined.List == nil &&
		ref.Inlined.Map == nil
}

func plain(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}
