package server_test

import (
	"testing"
)

// Bodies of server-side apply are YAML whatever their first letter, as on a
// server: 1.0 is an integer, a comma may be too many, keys need no quotes.
func TestApplyBodies(t *testing.T) {
	const (
		apply = "Content-Type: application/apply-patch+yaml"
		head  = `{"apiVersion":"example.com/v1","kind":"Desk","metadata":{"name":"`
		plain = "?fieldManager=a"
	)
	calls(t, []call{
		{"PATCH", "/a" + plain, apply, head + `a"},"spec":{"replicas":1.0}}`, 201, `"replicas":1}`},
		{"PATCH", "/b" + plain, apply, head + `b"},"spec":{"replicas":1e0}}`, 201, `"replicas":1}`},
		{"PATCH", "/c" + plain, apply, head + `c"},"spec":{"replicas":010,}}`, 201, `"replicas":8}`},
		{"PATCH", "/d" + plain, apply, `{apiVersion: example.com/v1, kind: Desk, metadata: {name: d}}`,
			201, `"name":"d"`},
		{"PATCH", "/a" + plain, apply, head + `a"},"spec":-0.0}`, 500, `.spec: expected map, got \u0026{0}`},
		{"PATCH", "/a" + plain, apply, "apiVersion: example.com/v1\nspec: - 1\n", 400,
			"error encoding patch: yaml: line 2: block sequence entries are not allowed in this context"},
		{"PATCH", "/a" + plain, apply, "{", 400, "error decoding patch: error converting YAML to JSON: yaml: "},
		{"PATCH", "/a" + plain, apply, "[]", 400, "error decoding patch: error unmarshaling JSON: while " +
			"decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}"},
		{"PATCH", "/none/status" + plain, apply, "a: - b", 400, "error encoding patch"},
		{"PATCH", "/none/status" + plain, apply, "{", 404, `desks.example.com \"none\" not found`},
		{"PATCH", "/none/scale" + plain, apply, "a: - b", 400, "error encoding patch"},
		{"PATCH", "/a" + plain, apply, head + `a"},"spec":{"color":"a","color":"b"}}`, 200,
			`key \"color\" already set in map|"color":"b"`},
		{"PATCH", "/a" + plain + "&fieldValidation=Strict", apply, head +
			`a"},"spec":{"color":"a","color":"b"}}`, 400, "error strict decoding patch: error converting " +
			`YAML to JSON: yaml: unmarshal errors:\n  line 1: key \"color\" already set in map`},
		{"PATCH", "/a" + plain + "&fieldValidation=Ignore", apply, head +
			`a"},"spec":{"color":"a","color":"c"}}`, 200, `!already set|"color":"c"`},
		{"PATCH", "/api/v1/namespaces/default/configmaps/m" + plain, apply,
			`{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: "1",}}`, 201, `"a":"1"`},
		{"PATCH", "/api/v1/namespaces/default/configmaps/m" + plain, apply, "a: - b", 400,
			"error encoding patch: yaml"},
	})
}

// The bodies of scales are decoded by their Go type. Server-side apply to the
// scale of a custom resource fails whatever it says.
func TestScaleBodies(t *testing.T) {
	const (
		merge  = "Content-Type: application/merge-patch+json"
		apply  = "Content-Type: application/apply-patch+yaml"
		ofInt  = "into Go struct field ScaleSpec.spec.replicas of type int32"
		scale  = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":`
		strict = "?fieldValidation=Strict"
	)
	calls(t, []call{
		{"PATCH", "/a?fieldManager=m", apply, desk + `a"},"spec":{"replicas":2}}`, 201, ""},
		{"PATCH", "/a/scale", merge, `{"spec":{"replicas":99999999999}}`, 422,
			"patch: Invalid value: |json: cannot unmarshal number 99999999999 " + ofInt},
		{"PATCH", "/a/scale", merge, `{"spec":{"replicas":"1"}}`, 422, "json: cannot unmarshal string " + ofInt},
		{"PATCH", "/a/scale", merge, `{"spec":{"replicas":1.5}}`, 422, "json: cannot unmarshal number 1.5 " + ofInt},
		{"PATCH", "/a/scale", merge, `{"spec":[]}`, 422, "json: cannot unmarshal array into Go struct field"},
		{"PATCH", "/a/scale", merge, `{"kind":1}`, 422, "patch: Invalid value"},
		{"PATCH", "/a/scale" + strict, merge, `{"spec":{"replicas":1,"x":1}}`, 422,
			`strict decoding error: unknown field \"spec.x\"`},
		{"PATCH", "/a/scale", merge, `{"spec":{"replicas":1,"x":1}}`, 200, `unknown field \"spec.x\"`},
		{"PUT", "/a/scale", "", scale + `3,"q":1}}`, 200, `unknown field \"spec.q\"|"replicas":3`},
		{"PUT", "/a/scale" + strict, "", scale + `3,"q":1}}`, 400, "no kind is registered for the type v1.Scale"},
		{"PUT", "/a/scale", "Content-Type: application/yaml",
			"spec:\n  replicas: 4\nmetadata: {name: a}\n", 200, `"replicas":4`},
		{"PUT", "/a/scale", "", `{"metadata":{"name":"a","namespace":"other"},"spec":{"replicas":6}}`,
			400, "the namespace of the provided object does not match the namespace sent on the request"},
		{"PATCH", "/a/scale?fieldManager=s&force=true", apply, scale + `5}}`, 500,
			"failed to convert new object (/a; autoscaling/v1, Kind=Scale) to proper version: request to " +
				"convert CR to an invalid group/version: autoscaling/v1"},
		{"PATCH", "/b?fieldManager=m", apply, desk + `b"},"spec":{}}`, 201, ""},
		{"PATCH", "/b/scale?fieldManager=s&force=true", apply,
			`{"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":1}}`, 500,
			"failed to create manager for existing fields: failed to convert live object"},
		{"GET", "/a/scale", "", "", 200, `"replicas":4`},
	})
}

// The namespace of a scale does not count where there are none.
func TestScaleWithoutNamespaces(t *testing.T) {
	const (
		as    = "/apis/g.io/v1/as"
		merge = "Content-Type: application/merge-patch+json"
		of    = `{"metadata":{"name":"a","namespace":"other"},"spec":{"replicas":`
	)
	calls(t, []call{
		{"POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "", `{"apiVersion":` +
			`"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"as.g.io"},` +
			`"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"as","kind":"A"},"versions":[{` +
			`"name":"v1","served":true,"storage":true,"subresources":{"scale":{"specReplicasPath":` +
			`".spec.replicas","statusReplicasPath":".status.replicas"}},"schema":{"openAPIV3Schema":{` +
			`"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`, 201, ""},
		{"POST", as, "", `{"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"a"},"spec":{"replicas":1}}`, 201, ""},
		{"PUT", as + "/a/scale", "", of + `2}}`, 200, `"replicas":2|!other`},
		{"PATCH", as + "/a/scale", merge, of + `3}}`, 200, `"replicas":3|!other`},
	})
}

// A definition that is refused has no warnings.
func TestRefusedDefinitionsDoNotWarn(t *testing.T) {
	const (
		crds  = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
		begin = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
			`"metadata":{"name":"as.example.com"},"spec":{"group":"example.com","scope":"Cluster",` +
			`"names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,"storage":true,` +
			`"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":"string","format":"nope"`
	)
	calls(t, []call{
		{"POST", crds, "", begin + `,"default":1}}}}}]}}`, 422, "!unrecognized format"},
		{"POST", crds, "", begin + `}}}}}]}}`, 201, "unrecognized format"},
	})
}

// The first write of a kind that is validated in part has a warning.
func TestPartialValidationWarns(t *testing.T) {
	const pods = "/api/v1/namespaces/default/pods"
	pod := func(name string) string {
		return `{"metadata":{"name":"` + name + `"},"spec":{"containers":[{"name":"a","image":"a"}]}}`
	}
	calls(t, []call{
		{"POST", pods, "", `{"metadata":{"name":"A"},"spec":{"containers":[{"name":"a","image":"a"}]}}`,
			422, "!in part"},
		{"POST", pods, "", pod("a"), 201, "crdsem-server validates objects of kind Pod in part"},
		{"POST", pods, "", pod("b"), 201, "!in part"},
		{"POST", pods, "", `{"metadata":{"name":"c"},"spec":{"containers":[{"name":"a","image":"a",` +
			`"volumeMounts":[{"name":"v","mountPath":"/v"}]}]}}`, 422,
			`spec.containers[0].volumeMounts[0].name: Not found: \"v\"`},
		{"PATCH", pods + "/a", "Content-Type: application/merge-patch+json", `{"spec":{"restartPolicy":"Never"}}`,
			422, "spec: Forbidden: pod updates may not change fields other than"},
	})
}
