package main

import (
	"strings"
	"testing"
)

// gadgets is an OpenAPI document of an aggregated server, cut.
const gadgets = `{"openapi": "3.0.0", "paths": {
"/apis/agg.example.com/v1/namespaces/{namespace}/gadgets": {"post": {"x-kubernetes-action": "post",
  "x-kubernetes-group-version-kind": {"group": "agg.example.com", "version": "v1", "kind": "Gadget"}}},
"/apis/agg.example.com/v1/readings": {"get": {
  "x-kubernetes-group-version-kind": {"group": "agg.example.com", "version": "v1", "kind": "Reading"}}}},
"components": {"schemas": {
"com.example.Gadget": {"type": "object", "required": ["spec"], "properties": {
  "apiVersion": {"type": "string"}, "kind": {"type": "string"},
  "metadata": {"allOf": [{"$ref": "#/components/schemas/meta"}], "default": {}},
  "spec": {"$ref": "#/components/schemas/com.example.GadgetSpec"}},
  "x-kubernetes-group-version-kind": [{"group": "agg.example.com", "version": "v1", "kind": "Gadget"}]},
"com.example.GadgetSpec": {"type": "object", "properties": {"size": {"type": "integer", "maximum": 5},
  "mode": {"type": "string", "enum": ["a", "b"]}, "port": {"x-kubernetes-int-or-string": true},
  "limit": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"},
  "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
"com.example.Reading": {"type": "object",
  "x-kubernetes-group-version-kind": [{"group": "agg.example.com", "version": "v1", "kind": "Reading"}]},
"meta": {"type": "object", "properties": {"name": {"type": "string"}}},
"io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": "string"}}}}`

// Kinds without a definition are validated by OpenAPI documents, which vendor
// copies, too.
func TestOpenAPI(t *testing.T) {
	gadget := func(spec string) string {
		return "apiVersion: agg.example.com/v1\nkind: Gadget\nmetadata: {name: g}\n" + spec + "\n"
	}
	for _, c := range []struct {
		line, object string
		code         int
		want         string
	}{
		{"fine", gadget("spec: {size: 5, mode: a, port: http, limit: 1Gi, any: {x: 1}}"), exitOK,
			"1 built-in object validated by structure"},
		{"an unknown field", gadget("spec: {sise: 1}"), exitRefused, `a.yaml:4:8: error: Gadget g: unknown field "spec.sise"`},
		{"a type", gadget("spec: {size: x}"), exitRefused, "spec.size"},
		{"a bound", gadget("spec: {size: 6}"), exitRefused, "should be less than or equal to 5"},
		{"an enum", gadget("spec: {mode: c}"), exitRefused, "spec.mode: Unsupported value"},
		{"a required field", gadget(""), exitRefused, "spec: Required value"},
		{"a quantity", gadget("spec: {limit: 1x}"), exitRefused, "spec.limit"},
		{"a kind that nobody creates", strings.Replace(gadget("a: 1"), "Gadget", "Reading", 1), exitNotJudged,
			"no definition of this kind was given"},
	} {
		for _, how := range []string{
			"--openapi openapi.json", "--crd openapi.json --crd crd.yaml", "vendored",
		} {
			writeFiles(t, map[string]string{
				"openapi.json": gadgets, "a.yaml": c.object, "crd.yaml": widgets,
				".crdsem.yaml": "definitions: {sources: [openapi.json]}\n",
			})
			args := []string{"validate", "a.yaml"}
			if how != "vendored" {
				args = append(args, strings.Fields(how)...)
			} else if code, out, errs := execute(t, "", "vendor"); code != exitOK {
				t.Fatalf("vendor: exit code %d\n%s%s", code, out, errs)
			}
			code, out, errs := execute(t, "", args...)
			if code != c.code || !strings.Contains(out, c.want) {
				t.Errorf("%s, %s: exit code %d, want %d and %q\n%s%s",
					c.line, how, code, c.code, c.want, out, errs)
			}
		}
	}
	writeFiles(t, map[string]string{"no.yaml": widget, "bad.json": strings.Replace(gadgets, `"properties": {"size"`, `"properties": {"sise": 5, "size"`, 1)})
	for _, file := range []string{"no.yaml", "bad.json", "none.json"} {
		code, _, errs := execute(t, "", "validate", "no.yaml", "--openapi", file)
		if code != exitFailed || !strings.Contains(errs, file) {
			t.Errorf("%s: exit code %d: %s", file, code, errs)
		}
	}
}
