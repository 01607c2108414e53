package server_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
	"github.com/crdsem/crdsem/kube/server"
)

// hooks is a server of admission webhooks. A path is the name of an answer.
type hooks struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // the path and the operation of each review
	last  *admissionv1.AdmissionRequest
}

// What the webhooks answer to a request, by their paths.
var hookAnswers = map[string]func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse{
	"allow": func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{Allowed: true, Warnings: []string{"careful"}}
	},
	"deny": func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{}
	},
	"size5": patching(`[{"op":"add","path":"/spec/size","value":5}]`),
	"size3": patching(`[{"op":"add","path":"/spec/size","value":3}]`),
	"more":  patching(`[{"op":"add","path":"/spec/more","value":{}}]`),
	"owner": patching(`[{"op":"add","path":"/metadata/labels","value":{"by":"webhook"}}]`),
	"scale": patching(`[{"op":"add","path":"/spec/replicas","value":2}]`),
	"wrong": patching(`[{"op":"remove","path":"/spec/none"}]`),
}

func patching(
	patch string,
) func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		kind := admissionv1.PatchTypeJSONPatch
		return &admissionv1.AdmissionResponse{Allowed: true, Patch: []byte(patch), PatchType: &kind}
	}
}

func startHooks(t *testing.T) *hooks {
	t.Helper()
	h := &hooks{}
	h.Server = httptest.NewUnstartedServer(h)
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.StartTLS()
	t.Cleanup(h.Close)
	return h
}

func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	err := json.NewDecoder(r.Body).Decode(&review)
	if err != nil || r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, fmt.Sprint(r.Header, err), http.StatusBadRequest)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	h.mu.Lock()
	h.asked = append(h.asked, name+" "+string(review.Request.Operation))
	h.last = review.Request
	h.mu.Unlock()
	review.Response = hookAnswers[name](review.Request)
	review.Response.UID = review.Request.UID
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// take returns what was asked since the last call.
func (h *hooks) take() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := strings.Join(h.asked, ", ")
	h.asked = nil
	return asked
}

func (h *hooks) authority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw})
}

// configuration returns a configuration of webhooks for tabs. Each is a path,
// and JSON of fields that differ.
func (h *hooks) configuration(kind string, webhooks ...[2]string) *unstructured.Unstructured {
	list := make([]any, len(webhooks))
	for i, webhook := range webhooks {
		fields := map[string]any{
			"name": webhook[0] + ".example.com", "sideEffects": "None",
			"admissionReviewVersions": []any{"v1"},
			"clientConfig": map[string]any{
				"url": h.URL + "/" + webhook[0], "caBundle": h.authority(),
			},
			"rules": []any{map[string]any{
				"operations": []any{"*"}, "apiGroups": []any{"example.com"},
				"apiVersions": []any{"*"}, "resources": []any{"tabs"},
			}},
		}
		if webhook[1] != "" {
			if err := json.Unmarshal([]byte(webhook[1]), &fields); err != nil {
				panic(err)
			}
		}
		list[i] = fields
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
		"metadata": map[string]any{"name": "test"}, "webhooks": list,
	})
	if err != nil {
		panic(err)
	}
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	return u
}

// A webhook that is configured is asked about writes, and its answer counts.
// The texts and the order are those of the plugins of k8s.io/apiserver.
func TestWebhooks(t *testing.T) {
	const (
		mutating   = "MutatingWebhookConfiguration"
		validating = "ValidatingWebhookConfiguration"
		again      = `{"reinvocationPolicy":"IfNeeded"}`
	)
	h := startHooks(t)
	s := started(t, folder(t))
	c, err := client.New(s.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	closed := `{"clientConfig":{"url":"https://127.0.0.1:1/"}`
	for _, test := range []struct {
		name, kind string
		webhooks   [][2]string
		size       int64
		want       string // the size or the error
		asked      string
	}{
		{"none", mutating, nil, 1, "size 1", ""},
		{"allowed", validating, [][2]string{{"allow", ""}}, 2, "size 2", "allow CREATE"},
		{"denied", validating, [][2]string{{"deny", ""}}, 2,
			`admission webhook "deny.example.com" denied the request without explanation`,
			"deny CREATE"},
		{"patched", mutating, [][2]string{{"size5", ""}}, 2, "size 5", "size5 CREATE"},
		{"an invalid object is fixed", mutating, [][2]string{{"size5", ""}}, 10, "size 5", "size5 CREATE"},
		{"an unknown field is pruned", mutating, [][2]string{{"more", ""}}, 2, "size 2", "more CREATE"},
		{"in order", mutating, [][2]string{{"size5", ""}, {"size3", ""}}, 2, "size 3",
			"size5 CREATE, size3 CREATE"},
		{"asked again", mutating, [][2]string{{"size5", again}, {"size3", ""}}, 2, "size 5",
			"size5 CREATE, size3 CREATE, size5 CREATE"},
		{"not asked again by its own change", mutating, [][2]string{{"size5", again}}, 2, "size 5",
			"size5 CREATE"},
		{"a wrong patch", mutating, [][2]string{{"wrong", ""}}, 2,
			"Internal error occurred: operation 0 (remove \"/spec/none\"): ", "wrong CREATE"},
		{"a patch of a validating one", validating, [][2]string{{"size5", ""}}, 2,
			`Internal error occurred: failed calling webhook "size5.example.com": received invalid ` +
				`webhook response: validating webhook may not return response.patch`, "size5 CREATE"},
		{"unreachable", validating, [][2]string{{"allow", closed + "}"}}, 2,
			`Internal error occurred: failed calling webhook "allow.example.com": failed to call ` +
				`webhook: Post "https://127.0.0.1:1/?timeout=10s": `, ""},
		{"unreachable, ignored", validating,
			[][2]string{{"allow", closed + `,"failurePolicy":"Ignore"}`}}, 2, "size 2", ""},
		{"unknown authority", validating,
			[][2]string{{"allow", fmt.Sprintf(`{"clientConfig":{"url":%q}}`, h.URL)}}, 2,
			"tls: failed to verify certificate: x509: certificate signed by unknown authority", ""},
		{"bad authority", validating,
			[][2]string{{"allow", fmt.Sprintf(`{"clientConfig":{"url":%q,"caBundle":"eA=="}}`, h.URL)}},
			2, "could not get REST client: unable to load root certificates", ""},
		{"other resource", mutating, [][2]string{{"size5",
			`{"rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["pods"]}]}`,
		}}, 2, "size 2", ""},
		{"other operation", mutating, [][2]string{{"size5",
			`{"rules":[{"operations":["UPDATE"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*"]}]}`,
		}}, 2, "size 2", ""},
		{"other scope", mutating, [][2]string{{"size5",
			`{"rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*"],"scope":"Cluster"}]}`,
		}}, 2, "size 2", ""},
		{"object selector", mutating, [][2]string{
			{"size5", `{"objectSelector":{"matchLabels":{"a":"b"}}}`}}, 2, "size 2", ""},
		{"namespace selector", mutating, [][2]string{
			{"size5", `{"namespaceSelector":{"matchLabels":{"a":"b"}}}`},
			{"size3", `{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"default"}}}`},
		}, 2, "size 3", "size3 CREATE"},
		{"match condition", mutating, [][2]string{
			{"size5", `{"matchConditions":[{"name":"a","expression":"object.spec.size > 2"}]}`},
			{"size3", `{"matchConditions":[{"name":"a","expression":"request.operation == 'CREATE'"}]}`},
		}, 2, "size 3", "size3 CREATE"},
		{"wrong match condition", mutating, [][2]string{
			{"size5", `{"matchConditions":[{"name":"a","expression":"object.spec.none"}]}`},
		}, 2, `tabs.example.com "a" is forbidden: compilation error: must evaluate to bool but got dyn`, ""},
		{"review version", mutating, [][2]string{{"size5", `{"admissionReviewVersions":["v2"]}`}}, 2,
			"could not create admission objects: webhook does not accept known AdmissionReview " +
				"versions (v1, v1beta1)", ""},
		{"warning", mutating, [][2]string{{"allow", ""}}, 2, "size 2", "allow CREATE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			configuration := h.configuration(test.kind, test.webhooks...)
			if err := c.Create(t.Context(), configuration); err != nil {
				t.Fatal(err)
			}
			object := tab("a", test.size)
			err := c.Create(t.Context(), object)
			got := fmt.Sprint(err)
			if err == nil {
				got = fmt.Sprint("size ", object.Object["spec"].(map[string]any)["size"])
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("%s, want %s", got, test.want)
			}
			if asked := h.take(); asked != test.asked {
				t.Errorf("asked: %s, want %s", asked, test.asked)
			}
			if err := c.Delete(t.Context(), configuration); err != nil {
				t.Error(err)
			}
			if err := c.Delete(t.Context(), object); client.IgnoreNotFound(err) != nil {
				t.Error(err)
			}
		})
	}
}

// Webhooks are asked about updates, patches, applies, the status and deletes,
// and about built-in kinds. What they change has no manager.
func TestWebhooksByVerb(t *testing.T) {
	h, ctx := startHooks(t), t.Context()
	c, err := client.New(started(t, folder(t)).Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := `{"rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*/*"]}]}`
	if err := c.Create(ctx, h.configuration("MutatingWebhookConfiguration",
		[2]string{"owner", all})); err != nil {
		t.Fatal(err)
	}
	expect := func(object *unstructured.Unstructured, err error, asked string) {
		t.Helper()
		if got := h.take(); err != nil || got != asked {
			t.Errorf("%v, asked %s, want %s", err, got, asked)
		}
		if object != nil && object.GetLabels()["by"] != "webhook" {
			t.Errorf("the labels are %v", object.GetLabels())
		}
		if object == nil {
			return
		}
		for _, entry := range object.GetManagedFields() {
			if strings.Contains(entry.FieldsV1.String(), "f:by") {
				t.Errorf("%s manages what the webhook set", entry.Manager)
			}
		}
	}
	object := tab("a", 1)
	expect(object, c.Create(ctx, object), "owner CREATE")
	object.SetLabels(nil)
	object.Object["spec"] = map[string]any{"size": int64(2)}
	expect(object, c.Update(ctx, object), "owner UPDATE")
	if h.last.OldObject.Raw == nil || h.last.UserInfo.Username == "" || h.last.Options.Raw == nil {
		t.Errorf("the request lacks a field: %+v", h.last)
	}
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":null},"spec":{"size":3}}`))
	expect(object, c.Patch(ctx, object, patch), "owner UPDATE")
	config := tab("a", 4)
	expect(nil, c.Apply(ctx, client.ApplyConfigurationFromUnstructured(config),
		client.FieldOwner("x"), client.ForceOwnership), "owner UPDATE")
	config = tab("b", 4)
	expect(nil, c.Apply(ctx, client.ApplyConfigurationFromUnstructured(config),
		client.FieldOwner("x")), "owner CREATE")
	cm := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "a", "namespace": "default"},
	}}
	expect(cm, c.Create(ctx, cm), "owner CREATE")
	cm.Object["data"] = map[string]any{"k": "v"}
	expect(cm, c.Update(ctx, cm), "owner UPDATE")
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "i"}}},
	}
	expect(nil, c.Create(ctx, pod), "owner CREATE")
	named := metav1.ObjectMeta{Name: "a"}
	for _, body := range []client.Object{
		&corev1.Binding{ObjectMeta: named, Target: corev1.ObjectReference{Name: "node"}},
		&policyv1.Eviction{ObjectMeta: named},
	} {
		part := "binding"
		if _, ok := body.(*policyv1.Eviction); ok {
			part = "eviction"
		}
		expect(nil, c.SubResource(part).Create(ctx, pod, body), "owner CREATE")
		if h.last.SubResource != part || !strings.EqualFold(h.last.Kind.Kind, part) {
			t.Errorf("the %s is shown as %s/%s", part, h.last.Kind.Kind, h.last.SubResource)
		}
	}
	err = c.Delete(ctx, object)
	if err == nil || !strings.Contains(err.Error(), `admission webhook "owner.example.com" attempted `+
		"to modify the object, which is not supported for this operation") {
		t.Errorf("a patch of a delete: %v", err)
	}
	expect(nil, nil, "owner DELETE")
}

// A webhook changes a scale, which it is shown as what it is.
func TestWebhookScale(t *testing.T) {
	h, ctx := startHooks(t), t.Context()
	c, err := client.New(started(t).Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(ctx, h.configuration("MutatingWebhookConfiguration", [2]string{"scale",
		`{"rules":[{"operations":["UPDATE"],"apiGroups":["apps"],"apiVersions":["v1"],` +
			`"resources":["deployments/scale"]}]}`})); err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{"app": "a"}
	of := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "i"}}},
			},
		},
	}
	if err := c.Create(ctx, of); err != nil {
		t.Fatal(err)
	}
	scale := &autoscalingv1.Scale{Spec: autoscalingv1.ScaleSpec{Replicas: 9}}
	err = c.SubResource("scale").Update(ctx, of, client.WithSubResourceBody(scale))
	if err != nil || h.last.Kind.Kind != "Scale" || h.last.Resource.Resource != "deployments" ||
		!strings.Contains(string(h.last.OldObject.Raw), `"spec":{"replicas":1}`) {
		t.Errorf("%v, shown as %s of %s before %s", err, h.last.Kind.Kind,
			h.last.Resource.Resource, h.last.OldObject.Raw)
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(of), of); err != nil || *of.Spec.Replicas != 2 {
		t.Errorf("%v, replicas %d", err, *of.Spec.Replicas)
	}
}

// A dry run is only shown to webhooks without side effects.
func TestWebhookDryRun(t *testing.T) {
	h, ctx := startHooks(t), t.Context()
	c, err := client.New(started(t, folder(t)).Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	configuration := h.configuration("ValidatingWebhookConfiguration",
		[2]string{"allow", `{"sideEffects":"Some"}`})
	if err := c.Create(ctx, configuration); err != nil {
		t.Fatal(err)
	}
	err = c.Create(ctx, tab("a", 1), client.DryRunAll)
	if err == nil || err.Error() != `admission webhook "allow.example.com" does not support dry run` {
		t.Error(err)
	}
	if err := c.Create(ctx, tab("a", 1)); err != nil {
		t.Error(err)
	}
}

// A webhook can be a service, which a function finds.
func TestWebhookService(t *testing.T) {
	h, ctx := startHooks(t), t.Context()
	s, err := server.Start(ctx, server.Options{
		Definitions: []string{folder(t)},
		Resolve: func(_ context.Context, namespace, name string, port int32) (string, error) {
			if namespace != "ns" || name != "hook" || port != 8443 {
				return "", fmt.Errorf("%s/%s:%d", namespace, name, port)
			}
			return h.Listener.Addr().String(), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(s.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	service := `{"clientConfig":{"service":{"namespace":"ns","name":"hook","port":8443,"path":"/size5"}}}`
	if err := c.Create(ctx, h.configuration("MutatingWebhookConfiguration",
		[2]string{"size5", service})); err != nil {
		t.Fatal(err)
	}
	err = c.Create(ctx, tab("a", 1))
	// The connection was made: the certificate is not that of the service.
	if err == nil || !strings.Contains(err.Error(), "x509: ") {
		t.Error(err)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

// Objects are converted by the webhook of their definition.
func TestConversionWebhook(t *testing.T) {
	ctx := t.Context()
	hook := httptest.NewTLSServer(webhook.Handler(conversion.WebhookFunc(
		func(_ context.Context, review []byte) ([]byte, error) {
			var r map[string]any
			if err := json.Unmarshal(review, &r); err != nil {
				return nil, err
			}
			request := r["request"].(map[string]any)
			objects := request["objects"].([]any)
			for _, object := range objects {
				object := object.(map[string]any)
				object["apiVersion"] = request["desiredAPIVersion"]
				spec := object["spec"].(map[string]any)
				spec["size"] = spec["size"].(float64) + 100
			}
			return json.Marshal(map[string]any{
				"apiVersion": r["apiVersion"], "kind": r["kind"], "response": map[string]any{
					"uid": request["uid"], "result": map[string]any{"status": "Success"},
					"convertedObjects": objects,
				},
			})
		})))
	defer hook.Close()
	text, err := json.Marshal(map[string]any{
		"strategy": "Webhook",
		"webhook": map[string]any{
			"conversionReviewVersions": []string{"v1"},
			"clientConfig": map[string]any{
				"url": hook.URL, "caBundle": pem.EncodeToMemory(
					&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw}),
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	more := `  conversion: ` + string(text) + `
  versions:
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
	dir := t.TempDir()
	definition := strings.Replace(crd, "  versions:\n", more, 1)
	if err := os.WriteFile(filepath.Join(dir, "crd.yaml"), []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := client.New(started(t, dir).Config(), client.Options{Scheme: runtime.NewScheme()})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(ctx, tab("a", 1)); err != nil {
		t.Fatal(err)
	}
	got := tab("", 0)
	got.SetAPIVersion("example.com/v2")
	if err := c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "a"}, got); err != nil {
		t.Fatal(err)
	}
	if size := got.Object["spec"].(map[string]any)["size"]; size != int64(101) {
		t.Errorf("converted to a size of %v", size)
	}
	hook.Close()
	err = c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "a"}, got)
	if err == nil || !strings.Contains(err.Error(), "conversion webhook for example.com/v1, "+
		"Kind=Tab failed: Post ") {
		t.Error(err)
	}
}
