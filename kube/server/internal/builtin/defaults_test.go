package builtin_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

// What an object gets, by the lines of its kind. Values that are there stay.
func TestDefaultsOfKinds(t *testing.T) {
	for _, test := range []struct{ plural, object, want string }{
		{"horizontalpodautoscalers", `{}`, `{"spec":{"minReplicas":1}}`},
		{"horizontalpodautoscalers", `{"spec":{"minReplicas":0}}`, `{"spec":{"minReplicas":0}}`},
		{"horizontalpodautoscalers", `{"spec":7}`, `{"spec":7}`},
		{"storageclasses", `{"reclaimPolicy":"Retain"}`,
			`{"reclaimPolicy":"Retain","volumeBindingMode":"Immediate"}`},
		{"secrets", `{"stringData":{"a":"b","n":5},"data":{"a":"eA==","c":"eQ=="}}`,
			`{"data":{"a":"Yg==","c":"eQ==","n":"NQ=="},"type":"Opaque"}`},
		{"secrets", `{"stringData":{"a":"b"}}`, `{"data":{"a":"Yg=="},"type":"Opaque"}`},
		{"secrets", `{"stringData":{}}`, `{"type":"Opaque"}`},
		{"persistentvolumeclaims", `{"spec":{}}`,
			`{"spec":{"volumeMode":"Filesystem"},"status":{"phase":"Pending"}}`},
		{"persistentvolumeclaims", `{}`, `{"status":{"phase":"Pending"}}`},
		{"jobs", `{"spec":{}}`, job(`"completions":1,`)},
		{"jobs", `{"spec":{"parallelism":1}}`, job("")},
		{"jobs", `{"spec":{"completions":2}}`, job(`"completions":2,`)},
		{"jobs", `{}`, job("")},
		{"services", `{"spec":{"type":"ExternalName","ports":[{"port":1},` +
			`{"port":2,"targetPort":3},{"port":4,"targetPort":0},{"port":5,"targetPort":""},7,null]}}`,
			`{"spec":{"ports":[{"port":1,"protocol":"TCP","targetPort":1},` +
				`{"port":2,"protocol":"TCP","targetPort":3},{"port":4,"protocol":"TCP","targetPort":4},` +
				`{"port":5,"protocol":"TCP","targetPort":5},7,null],"sessionAffinity":"None",` +
				`"type":"ExternalName"},"status":{"loadBalancer":{}}}`},
		{"services", `{"spec":{"type":"NodePort"}}`,
			`{"spec":{"externalTrafficPolicy":"Cluster","internalTrafficPolicy":"Cluster",` +
				`"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","sessionAffinity":"None",` +
				`"type":"NodePort"},"status":{"loadBalancer":{}}}`},
		{"daemonsets", `{"spec":{"updateStrategy":{"type":"OnDelete"}}}`,
			daemonSet(`{"type":"OnDelete"}`)},
		{"daemonsets", `{}`,
			daemonSet(`{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1},"type":"RollingUpdate"}`)},
		{"rolebindings", `{"subjects":[{"kind":"User"},{"kind":"ServiceAccount"},` +
			`{"kind":"Group","apiGroup":"a"}]}`,
			`{"roleRef":{"apiGroup":"rbac.authorization.k8s.io"},"subjects":[` +
				`{"apiGroup":"rbac.authorization.k8s.io","kind":"User"},{"kind":"ServiceAccount"},` +
				`{"apiGroup":"a","kind":"Group"}]}`},
		{"pods", `{"spec":{"automountServiceAccountToken":false,"volumes":[{"name":"a"},` +
			`{"secret":{"secretName":"s"}},{"secret":{}}],"containers":[{"env":[{"valueFrom":` +
			`{"fieldRef":{"fieldPath":"p"}}},{"name":"b"}],"livenessProbe":{"httpGet":{"port":1}}}]}}`,
			`{"spec":{"automountServiceAccountToken":false,"containers":[{"env":[{"valueFrom":` +
				`{"fieldRef":{"apiVersion":"v1","fieldPath":"p"}}},{"name":"b"}],` +
				`"imagePullPolicy":"IfNotPresent","livenessProbe":{"failureThreshold":3,` +
				`"httpGet":{"path":"/","port":1,"scheme":"HTTP"},"periodSeconds":10,"successThreshold":1,` +
				`"timeoutSeconds":1},"resources":{},` +
				`"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],` +
				`"dnsPolicy":"ClusterFirst","enableServiceLinks":true,` +
				`"restartPolicy":"Always",` +
				`"schedulerName":"default-scheduler","securityContext":{},` +
				`"serviceAccountName":"default","terminationGracePeriodSeconds":30,` +
				`"volumes":[{"emptyDir":{},"name":"a"},{"secret":{"defaultMode":420,"secretName":"s"}},` +
				`{"secret":{"defaultMode":420}}]},"status":{"phase":"Pending","qosClass":"BestEffort"}}`},
		{"pods", `{"spec":7}`, `{"spec":7,"status":{"phase":"Pending"}}`},
		{"pods", `{"spec":{"restartPolicy":"Never"},"status":{"phase":"Failed","qosClass":"Burstable"}}`,
			`{"spec":{"dnsPolicy":"ClusterFirst","enableServiceLinks":true,"restartPolicy":"Never",` +
				`"schedulerName":"default-scheduler","securityContext":{},` +
				`"terminationGracePeriodSeconds":30},"status":{"phase":"Failed","qosClass":"Burstable"}}`},
		{"namespaces", `{}`, `{"status":{"phase":"Active"}}`},
		{"namespaces", `{"metadata":{"generateName":"a"}}`,
			`{"metadata":{"generateName":"a"},"status":{"phase":"Active"}}`},
		{"namespaces", `{"metadata":{"name":"a"}}`, `{"metadata":{"labels":` +
			`{"kubernetes.io/metadata.name":"a"},"name":"a"},"status":{"phase":"Active"}}`},
		{"namespaces", `{"metadata":{"name":"a","labels":{"a":"b","kubernetes.io/metadata.name":"c"}}}`,
			`{"metadata":{"labels":{"a":"b","kubernetes.io/metadata.name":"a"},"name":"a"},` +
				`"status":{"phase":"Active"}}`},
		{"validatingwebhookconfigurations", `{"webhooks":[{},{"clientConfig":{"service":{"name":"s"}},` +
			`"failurePolicy":"Ignore","rules":[{},{"scope":"Cluster"}]}]}`,
			`{"webhooks":[` + webhook("", "Fail", "") + `,` +
				webhook(`"clientConfig":{"service":{"name":"s","port":443}},`, "Ignore",
					`,"rules":[{"scope":"*"},{"scope":"Cluster"}]`) + `]}`},
		{"secrets", `{"data":{"a":"eA=="},"stringData":{"b":"<&>"}}`,
			`{"data":{"a":"eA==","b":"PCY+"},"type":"Opaque"}`},
	} {
		of := testschema.Object(t, test.object)
		model(t, test.plural).Default(of)
		got, err := json.Marshal(of)
		if err != nil || string(got) != test.want {
			t.Errorf("%s %s: %s, want %s", test.plural, test.object, got, test.want)
		}
	}
}

// A container requests what limits it, and a Pod has its class by the
// processors and the memory of its containers, or by its own.
func TestResources(t *testing.T) {
	for _, test := range []struct{ spec, requests, class string }{
		{`"containers":[{}]`, "[<nil>]", "BestEffort"},
		{`"containers":[{"resources":{"limits":{"a.b/c":"1"}}}]`, "[map[a.b/c:1]]", "BestEffort"},
		{`"containers":[{"resources":{"limits":{"cpu":"0"},"requests":{"memory":"0"}}}]`,
			"[map[cpu:0 memory:0]]", "BestEffort"},
		{`"containers":[{"resources":{"requests":{"memory":"1"}}}]`, "[map[memory:1]]", "Burstable"},
		{`"containers":[{"resources":{"limits":{"cpu":"1"}}}]`, "[map[cpu:1]]", "Burstable"},
		{`"containers":[{"resources":{"limits":{"cpu":"1","memory":"2"}}}]`,
			"[map[cpu:1 memory:2]]", "Guaranteed"},
		{`"containers":[{"resources":{"limits":{"cpu":"1","memory":"2"},"requests":{"cpu":"1000m"}}}]`,
			"[map[cpu:1000m memory:2]]", "Guaranteed"},
		{`"containers":[{"resources":{"limits":{"cpu":"1","memory":"2"},"requests":{"cpu":"500m"}}}]`,
			"[map[cpu:500m memory:2]]", "Burstable"},
		{`"containers":[{"resources":{"limits":{"cpu":"1","memory":"2"},"requests":{"cpu":"0"}}}]`,
			"[map[cpu:0 memory:2]]", "Burstable"},
		{`"containers":[{"resources":{"limits":{"cpu":"1"},"requests":{"cpu":"1","memory":"2"}}}]`,
			"[map[cpu:1 memory:2]]", "Burstable"},
		{`"containers":[{"resources":{"limits":{"cpu":"1","memory":"2"}}},{}]`,
			"[map[cpu:1 memory:2] <nil>]", "Burstable"},
		{`"containers":[{}],"initContainers":[{"resources":{"limits":{"cpu":"1","memory":"2"}}}]`,
			"[<nil> map[cpu:1 memory:2]]", "Burstable"},
		{`"containers":[{}],"resources":{"limits":{"cpu":"1","memory":"2"}}`, "[<nil>]", "Guaranteed"},
		{`"containers":[{"resources":{"limits":{"cpu":"1","memory":"2"}}}],"resources":{}`,
			"[map[cpu:1 memory:2]]", "BestEffort"},
	} {
		pod := testschema.Object(t, `{"spec":{`+test.spec+`}}`)
		model(t, "pods").Default(pod)
		var requests []any
		for _, of := range []string{"containers", "initContainers"} {
			list, _ := pod["spec"].(map[string]any)[of].([]any)
			for _, item := range list {
				resources, _ := item.(map[string]any)["resources"].(map[string]any)
				requests = append(requests, resources["requests"])
			}
		}
		got, want := fmt.Sprint(requests, pod["status"]),
			test.requests+" map[phase:Pending qosClass:"+test.class+"]"
		if strings.ReplaceAll(got, "map[] ", "<nil> ") != want {
			t.Errorf("%s: %s, want %s", test.spec, got, want)
		}
	}
}

// An image whose tag is latest, or that has none, is always pulled.
func TestPullPolicy(t *testing.T) {
	for image, want := range map[string]string{
		"a": "Always", "a:latest": "Always", "h:5000/a": "Always", "h:5000/a:latest": "Always",
		"a:1": "IfNotPresent", "a@sha256:0": "IfNotPresent", "h/a:v-latest": "IfNotPresent",
		"": "IfNotPresent",
	} {
		container := map[string]any{"image": image}
		pod := map[string]any{"spec": map[string]any{"containers": []any{container}}}
		model(t, "pods").Default(pod)
		if got := container["imagePullPolicy"]; got != want {
			t.Errorf("%q: %v, want %s", image, got, want)
		}
		container["imagePullPolicy"] = "Never"
		model(t, "pods").Default(pod)
		if got := container["imagePullPolicy"]; got != "Never" {
			t.Errorf("%q: %v", image, got)
		}
	}
}

func job(completions string) string {
	return `{"spec":{"backoffLimit":6,"completionMode":"NonIndexed",` + completions +
		`"manualSelector":false,"parallelism":1,"podReplacementPolicy":"TerminatingOrFailed",` +
		`"suspend":false}}`
}

func webhook(client, failure, rules string) string {
	return `{` + client + `"failurePolicy":"` + failure + `","matchPolicy":"Equivalent",` +
		`"namespaceSelector":{},"objectSelector":{}` + rules + `,"timeoutSeconds":10}`
}

func daemonSet(strategy string) string {
	return `{"spec":{"revisionHistoryLimit":10,"updateStrategy":` + strategy + `},` +
		`"status":{"currentNumberScheduled":0,"desiredNumberScheduled":0,` +
		`"numberMisscheduled":0,"numberReady":0}}`
}

// A default is a value of its own in each object.
func TestDefaultsAreNotShared(t *testing.T) {
	policies := model(t, "networkpolicies")
	first, second := map[string]any{}, map[string]any{}
	policies.Default(first)
	selector, _ := first["spec"].(map[string]any)["podSelector"].(map[string]any)
	selector["changed"] = true
	policies.Default(second)
	if got := fmt.Sprint(second); got != "map[spec:map[podSelector:map[] policyTypes:[Ingress]]]" {
		t.Error(got)
	}
}

// What Validate refuses: names, absent fields, and changes.
func TestValidate(t *testing.T) {
	named := func(name, rest string) string {
		return `{"metadata":{"name":"` + name + `"` + rest
	}
	const (
		in      = `,"namespace":"n"}`
		written = `,"resourceVersion":"1"` + in
	)
	const container = `"containers":[{"name":"c"}]`
	for _, test := range []struct{ plural, object, old, want string }{
		{"configmaps", named("a.b", in), "", ""},
		{"configmaps", named("a", "}"), "", "metadata.namespace: Required value"},
		{"configmaps", named("A", in), "", `metadata.name: Invalid value: "A": a lowercase RFC 1123`},
		{"namespaces", named("a.b", "}"), "", `metadata.name: Invalid value: "a.b"`},
		{"namespaces", named("a", "}"), "", ""},
		{"services", named("1a", in), "", ""},
		{"services", named("a.b", in), "", `metadata.name: Invalid value: "a.b": must not contain dots`},
		{"statefulsets", named("a.b", in), "", `metadata.name: Invalid value: "a.b": must not contain dots`},
		{"clusterroles", named("system:A", "}"), "", ""},
		{"clusterroles", named("a/b", "}"), "", `metadata.name: Invalid value: "a/b": may not contain`},
		{"clusterroles", `{"metadata":{"generateName":"a/b"}}`, "",
			`metadata.generateName: Invalid value: "a/b": may not contain`},
		{"clusterroles", `{"metadata":{"generateName":"."}}`, "", "metadata.name: Required value"},
		{"secrets", named("a", written) + `,"type":"b"}`, named("a", written) + `,"type":"c"}`,
			`type: Invalid value: "b": field is immutable`},
		{"secrets", named("a", written) + `,"type":"b"}`, named("a", written) + `,"type":"b"}`, ""},
		{"secrets", named("a", in), named("a", in), "metadata.resourceVersion: Invalid value"},
		{"secrets", named("a", written), named("b", written), `metadata.name: Invalid value: "a": field is`},
		{"jobs", named("a", written) + `,"spec":{"completionMode":"A","template":{"spec":{` + container +
			`}}}`, named("a", written) + `,"spec":{"completionMode":"B"}}`,
			`spec.completionMode: Invalid value: "A": field is immutable`},
		{"jobs", named("a", written) + `,"spec":{"selector":{"a":"b"},"template":{"spec":{` + container +
			`}}}`, named("a", written) + `,"spec":{"selector":{"a":"c"}}}`,
			`spec.selector: Invalid value: {"a":"b"}: field is immutable`},
		{"pods", named("a", in) + `,"spec":{` + container + `}}`, "", ""},
		{"pods", named("a", in) + `,"spec":{"containers":[]}}`, "", "spec.containers: Required value"},
		{"pods", named("a", in) + `,"spec":{"containers":null}}`, "",
			"spec.containers: Required value"},
		{"cronjobs", named("a", in) +
			`,"spec":{"jobTemplate":{"spec":{"template":{"spec":{}}}}}}`, "",
			"spec.jobTemplate.spec.template.spec.containers: Required value"},
		{"validatingadmissionpolicies", named("a", "}") + `,"spec":{}}`, "",
			"spec.matchConstraints: Required value"},
	} {
		complete := func(text string) map[string]any {
			open := strings.Count(text, "{") - strings.Count(text, "}")
			return testschema.Object(t, text+strings.Repeat("}", open))
		}
		var old map[string]any
		if test.old != "" {
			old = complete(test.old)
		}
		got, object := "", complete(test.object)
		errs := model(t, test.plural).Validate(object, old)
		if old != nil {
			errs = append(errs, model(t, test.plural).ValidateChange(object, old)...)
		}
		if len(errs) > 0 {
			got = errs[0].Error()
		}
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s %s: %s, want %s", test.plural, test.object, got, test.want)
		}
	}
}

// An object is written as its Go type writes it. One without a type stays as
// it is.
func TestNormalize(t *testing.T) {
	for _, test := range []struct{ plural, object, want string }{
		{"configmaps", `{"apiVersion":"v1","kind":"ConfigMap","other":1,"data":{}}`,
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{}} [unknown field "other"] <nil>`},
		{"configmaps", `{"apiVersion":"v1","kind":"ConfigMap","data":1}`, `null [] json: cannot`},
		{"configmaps", `{}`, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{}} [] <nil>`},
		{"apiservices", `{"other":1}`, `{"other":1} [] <nil>`},
	} {
		sent := testschema.Object(t, test.object)
		out, unknown, err := model(t, test.plural).Normalize(sent)
		text, _ := json.Marshal(out)
		if got := fmt.Sprintf("%s %v %v", text, unknown, err); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %s: %s, want %s", test.plural, test.object, got, test.want)
		}
	}
	out, unknown, err := model(t, "configmaps").Normalize(map[string]any{"data": math.NaN()})
	if got := fmt.Sprint(out, unknown, err); got != "map[] [] json: unsupported value: NaN" {
		t.Error(got)
	}
	for plural, want := range map[string]bool{
		"deployments": true, "customresourcedefinitions": true, "configmaps": false,
	} {
		if got := model(t, plural).HasGeneration(); got != want {
			t.Errorf("%s have a generation: %t", plural, got)
		}
	}
}

// A write to an object makes no one the manager of its status, and the other
// way round.
func TestManagedFields(t *testing.T) {
	of := func(plural, text string, by builtin.Manager) string {
		out, err := model(t, plural).Track(nil, testschema.Object(t, text), by)
		if err != nil {
			t.Fatal(err)
		}
		entries, _ := out["metadata"].(map[string]any)["managedFields"].([]any)
		if len(entries) == 0 {
			return ""
		}
		fields, err := json.Marshal(entries[0].(map[string]any)["fieldsV1"])
		if err != nil {
			t.Fatal(err)
		}
		return string(fields)
	}
	const namespace = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"},` +
		`"spec":{"finalizers":["f"]},"status":{"phase":"Active"}}`
	for _, test := range []struct{ plural, object, part, want string }{
		{"namespaces", namespace, "", `{"f:spec":{"f:finalizers":{}}}`},
		{"namespaces", namespace, builtin.Status, `{"f:status":{"f:phase":{}}}`},
		{"configmaps", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},` +
			`"data":{"status":"a"}}`, "", `{"f:data":{".":{},"f:status":{}}}`},
	} {
		got := of(test.plural, test.object, builtin.Manager{Name: "m", Subresource: test.part})
		if got != test.want {
			t.Errorf("%s %s: %s, want %s", test.plural, test.part, got, test.want)
		}
	}
}

// An apply that another manager's field refuses is done by force.
func TestApplyConflicts(t *testing.T) {
	m := model(t, "configmaps")
	config := func(value string) map[string]any {
		return testschema.Object(t, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},`+
			`"data":{"k":"`+value+`"}}`)
	}
	live, err := m.Apply(nil, config("1"), builtin.Manager{Name: "one"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = m.Apply(live, config("2"), builtin.Manager{Name: "two"}); err == nil ||
		!strings.Contains(err.Error(), `conflict with "one": .data.k`) {
		t.Error(err)
	}
	out, err := m.Apply(live, config("2"), builtin.Manager{Name: "two", Force: true})
	if err != nil || fmt.Sprint(out["data"]) != "map[k:2]" {
		t.Errorf("%v (%v)", out, err)
	}
	if out, err := m.Track(nil, map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "data": int64(1),
	}, builtin.Manager{Name: "one"}); out != nil || err == nil ||
		!strings.HasPrefix(err.Error(), "failed to convert new object ") {
		t.Errorf("%v, %v", out, err)
	}
	if _, err := m.Apply(nil, map[string]any{"data": 1}, builtin.Manager{Name: "one"}); err == nil {
		t.Error("an object that does not fit its type was applied")
	}
}

// What has a Go type is written as protobuf, as is a Status.
func TestEncodeProtobuf(t *testing.T) {
	of := testschema.Object(t, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"b":"c"}}`)
	body, err := builtin.EncodeProtobuf(of)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := builtin.Decode(body, runtime.ContentTypeProtobuf,
		schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
	if err != nil || fmt.Sprint(out["data"]) != "map[b:c]" {
		t.Errorf("%v (%v)", out, err)
	}
	if body, err := builtin.EncodeProtobuf(&metav1.Status{Message: "text"}); err != nil ||
		!strings.Contains(string(body), "text") {
		t.Errorf("%q (%v)", body, err)
	}
	for text, want := range map[string]string{
		`{"apiVersion":"a/v1","kind":"B"}`:                   `no kind "B" is registered`,
		`{"apiVersion":"v1","kind":"ConfigMap","data":true}`: "/v1, Kind=ConfigMap: ",
	} {
		if _, err := builtin.EncodeProtobuf(testschema.Object(t, text)); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := builtin.EncodeProtobuf("text"); err == nil ||
		err.Error() != "string has no protobuf" {
		t.Error(err)
	}
}
