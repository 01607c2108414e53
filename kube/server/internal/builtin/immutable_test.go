package builtin_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/testschema"
)

// An update that changes what no update changes is refused with the text of the
// server, and one of what may change is not.
func TestValidateChange(t *testing.T) {
	const pod = `{"spec":{"nodeName":"n","containers":[{"name":"a","image":"a:1"}]}}`
	for _, test := range []struct{ plural, old, object, want string }{
		{"pods", pod, pod, ""},
		{"pods", pod, strings.Replace(pod, "a:1", "a:2", 1), ""},
		{"pods", pod, strings.Replace(pod, `"n"`, `"m"`, 1),
			"spec: Forbidden: pod updates may not change fields other than"},
		{"pods", pod, strings.Replace(pod, `}]`, `},{"name":"b","image":"b"}]`, 1),
			"spec.containers: Forbidden: pod updates may not add or remove containers"},
		{"statefulsets", `{"spec":{"serviceName":"a","replicas":1}}`,
			`{"spec":{"serviceName":"b","replicas":2}}`,
			`spec.serviceName: Invalid value: "b": field is immutable`},
		{"statefulsets", `{"spec":{"replicas":1}}`, `{"spec":{"replicas":2}}`, ""},
		{"deployments", `{"spec":{"selector":{"matchLabels":{"a":"b"}}}}`,
			`{"spec":{"selector":{"matchLabels":{"a":"c"}}}}`,
			`spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable`},
		{"deployments", `{"spec":{"template":{"metadata":{"labels":{"a":"b"}}}}}`,
			`{"spec":{"template":{"metadata":{"labels":{"a":"c"}}}}}`, ""},
		{"jobs", `{"spec":{"parallelism":1,"template":{"spec":{"containers":[{"image":"a"}]}}}}`,
			`{"spec":{"parallelism":2,"template":{"spec":{"containers":[{"image":"b"}]}}}}`,
			`spec.template: Invalid value: `},
		{"roles", `{"rules":[]}`, `{"rules":[{"verbs":["get"]}]}`, ""},
		{"rolebindings", `{"roleRef":{"name":"a"}}`, `{"roleRef":{"name":"b"}}`,
			"roleRef: Invalid value: "},
		{"secrets", `{"immutable":true,"data":{"a":"YQ=="}}`, `{"immutable":true,"data":{"a":"Yg=="}}`,
			"data: Forbidden: field is immutable when `immutable` is set"},
		{"secrets", `{"data":{"a":"YQ=="}}`, `{"immutable":true,"data":{"a":"Yg=="}}`, ""},
		{"configmaps", `{"immutable":true}`, `{}`, "immutable: Forbidden: field is immutable"},
		{"services", `{"spec":{"type":"ClusterIP","clusterIP":"10.0.0.1","clusterIPs":["10.0.0.1"]}}`,
			`{"spec":{"type":"ClusterIP","clusterIP":"10.0.0.2","clusterIPs":["10.0.0.2"]}}`,
			`spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set`},
		{"services", `{"spec":{"type":"ExternalName"}}`,
			`{"spec":{"type":"ClusterIP","clusterIP":"10.0.0.2"}}`, ""},
		{"persistentvolumeclaims", `{"spec":{"storageClassName":"a"}}`,
			`{"spec":{"storageClassName":"b"}}`, "spec: Forbidden: spec is immutable"},
		{"persistentvolumeclaims", `{"spec":{}}`, `{"spec":{"volumeName":"b"}}`, ""},
		{"jobs", `{"spec":{"selector":{"matchLabels":{"a":"b"}}}}`,
			`{"spec":{"selector":{"matchLabels":{"a":"c"}}}}`, "spec.selector: Invalid value: "},
		{"persistentvolumeclaims", `{"spec":{"resources":{"requests":{"storage":"1Gi"}}}}`,
			`{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`, ""},
	} {
		errs := model(t, test.plural).ValidateChange(
			testschema.Object(t, test.object), testschema.Object(t, test.old))
		got := ""
		if len(errs) > 0 {
			got = errs[0].Error()
		}
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" || len(errs) > 1 {
			t.Errorf("%s %s: %v, want %s", test.plural, test.object, errs, test.want)
		}
	}
}
