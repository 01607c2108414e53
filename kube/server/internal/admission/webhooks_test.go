package admission_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/kube/server/internal/admission"
	"github.com/crdsem/crdsem/minors"
)

// fields is an object, or a part of one.
type fields = map[string]any

// stored are the objects of a test. Only some of the methods are needed.
type stored struct {
	admission.Objects

	configurations map[string][]fields // by resource
	revision       uint64
	lists          int
	namespaces     map[string]fields
}

func (s *stored) List(of schema.GroupResource) []map[string]any {
	s.lists++
	return slices.Clone(s.configurations[of.Resource])
}

func (s *stored) Any(of schema.GroupResource) bool {
	return len(s.configurations[of.Resource]) > 0
}

func (s *stored) Revision(of schema.GroupResource) uint64 {
	return s.revision + uint64(len(s.configurations[of.Resource]))
}

func (s *stored) Get(of schema.GroupResource, namespace, name string) map[string]any {
	if of.Resource == "namespaces" {
		return s.namespaces[name]
	}
	for _, object := range s.List(of) {
		metadata := object["metadata"].(fields)
		if in, _ := metadata["namespace"].(string); metadata["name"] == name && in == namespace {
			return object
		}
	}
	return nil
}

// Resource implements admission.Objects. Objects of the kind Wide are those of
// the cluster, and the kind None is not served.
func (s *stored) Resource(
	of schema.GroupVersionKind,
) (resource schema.GroupResource, namespaced, ok bool) {
	plural := strings.ToLower(of.Kind) + "s"
	return schema.GroupResource{Group: of.Group, Resource: plural}, of.Kind != "Wide",
		of.Kind != "None"
}

// Merge implements admission.Objects. It merges the spec.
func (s *stored) Merge(object, config map[string]any) (map[string]any, error) {
	spec, _ := config["spec"].(fields)
	if spec["bad"] != nil {
		return nil, errors.New("not merged")
	}
	out, merged := maps.Clone(object), maps.Clone(object["spec"].(fields))
	maps.Copy(merged, spec)
	out["spec"] = merged
	return out, nil
}

func (s *stored) Versions(schema.GroupResource) []string { return []string{"v1", "v2"} }

// Convert implements admission.Objects. Objects of v2 have an "in".
func (s *stored) Convert(
	_ context.Context, object map[string]any, version string,
) (map[string]any, error) {
	if object["bad"] != nil {
		return nil, errors.New("not converted")
	}
	out := maps.Clone(object)
	out["apiVersion"] = "example.com/" + version
	if delete(out, "in"); version == "v2" {
		out["in"] = version
	}
	return out, nil
}

// hooks is a server of webhooks. The path of a request is the name of its
// answer.
type hooks struct {
	*httptest.Server

	answers map[string]func(fields) any // the response of a review, by its request

	mu    sync.Mutex
	asked []string
	last  fields // the last request
}

func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var review fields
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	request, _ := review["request"].(fields)
	h.mu.Lock()
	h.asked, h.last = append(h.asked, name), request
	h.mu.Unlock()
	switch response := h.answers[name](request).(type) {
	case fields:
		if response["uid"] == nil {
			response["uid"] = request["uid"]
		}
		review["response"] = response
	case int: // a code
		w.WriteHeader(response)
		return
	case string: // a version of the review without a response
		review["apiVersion"] = response
	}
	delete(review, "request")
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review) // the client has gone
}

// take returns which webhooks were asked since the last call.
func (h *hooks) take() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer func() { h.asked = nil }()
	return strings.Join(h.asked, " ")
}

func patching(patch string) func(fields) any {
	return func(fields) any {
		return fields{"allowed": true, "patchType": "JSONPatch", "patch": []byte(patch)}
	}
}

func answering(response fields) func(fields) any {
	return func(fields) any { return maps.Clone(response) }
}

var answers = map[string]func(fields) any{
	"allow": answering(fields{"allowed": true}),
	"warn":  answering(fields{"allowed": true, "warnings": []string{"careful"}}),
	"deny":  answering(fields{"allowed": false}),
	"deny-text": answering(fields{
		"allowed": false, "status": fields{"message": "no", "code": 403, "reason": "Forbidden"},
	}),
	"deny-reason": answering(fields{"allowed": false, "status": fields{"reason": "Because"}}),
	"deny-low":    answering(fields{"allowed": false, "status": fields{"code": 200}}),
	"a":           patching(`[{"op":"add","path":"/spec/a","value":1}]`),
	"b":           patching(`[{"op":"add","path":"/spec/b","value":1}]`),
	"same":        patching(`[{"op":"replace","path":"/spec/size","value":1}]`),
	"none":        patching(`[]`),
	"broken":      patching(`{`),
	"list":        patching(`[{"op":"replace","path":"","value":[1]}]`),
	"absent":      patching(`[{"op":"remove","path":"/spec/none"}]`),
	"untyped":     answering(fields{"allowed": true, "patch": []byte(`[]`)}),
	"unpatched":   answering(fields{"allowed": true, "patchType": "JSONPatch"}),
	"other-type": answering(fields{
		"allowed": true, "patchType": "Merge", "patch": []byte(`[{"op":"remove","path":"/spec"}]`),
	}),
	"other-uid": answering(fields{"allowed": true, "uid": "other"}),
	"fails":     func(fields) any { return http.StatusInternalServerError },
	"silent":    func(fields) any { return "admission.k8s.io/v1" },
	"slow": func(fields) any {
		time.Sleep(1500 * time.Millisecond)
		return fields{"allowed": true}
	},
}

// fixture is a plugin with the webhooks that it asks.
type fixture struct {
	*admission.Webhooks

	hooks    *hooks
	objects  *stored
	warnings []string
}

// asking returns a plugin with configurations of webhooks. Each webhook is a
// name of an answer, and the fields that differ from those of the others.
func asking(t *testing.T, resource string, webhooks ...fields) *fixture {
	t.Helper()
	h := &hooks{answers: answers}
	h.Server = httptest.NewUnstartedServer(h)
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.StartTLS()
	t.Cleanup(h.Close)
	f := &fixture{hooks: h, objects: &stored{
		configurations: map[string][]fields{resource: {}},
		namespaces: map[string]fields{
			"default": {"metadata": fields{"labels": fields{"a": "b"}}},
		},
	}}
	f.configure(resource, webhooks...)
	f.Webhooks = admission.NewWebhooks(f.objects, minors.Newest(), nil)
	t.Cleanup(f.Close)
	return f
}

// Mutate asks the webhooks in both turns.
func (f *fixture) Mutate(ctx context.Context, w *admission.Write) error {
	return admission.Plugins{f.Webhooks}.Mutate(ctx, w)
}

// configure replaces the configurations of a resource by one.
func (f *fixture) configure(resource string, webhooks ...fields) {
	authority := pem.EncodeToMemory(&pem.Block{
		Type: "CERTIFICATE", Bytes: f.hooks.Certificate().Raw,
	})
	var list []any
	for _, differs := range webhooks {
		webhook := fields{
			"admissionReviewVersions": []any{"v1"}, "sideEffects": "None",
			"failurePolicy": "Fail", "matchPolicy": "Exact", "timeoutSeconds": int64(10),
			"namespaceSelector": fields{}, "objectSelector": fields{},
			"clientConfig": fields{
				"url": f.hooks.URL + "/" + fmt.Sprint(differs["name"]), "caBundle": authority,
			},
			"rules": []any{rule(fields{})},
		}
		maps.Copy(webhook, differs)
		list = append(list, webhook)
	}
	f.objects.revision++
	f.objects.configurations[resource] = []fields{{"webhooks": list}}
}

const (
	mutating   = "mutatingwebhookconfigurations"
	validating = "validatingwebhookconfigurations"
)

// rule returns a rule for tabs with the fields that differ.
func rule(differs fields) fields {
	out := fields{
		"operations": []any{"*"}, "apiGroups": []any{"example.com"},
		"apiVersions": []any{"v1"}, "resources": []any{"tabs"}, "scope": "*",
	}
	maps.Copy(out, differs)
	return out
}

// write returns the creation of a tab.
func (f *fixture) write() *admission.Write {
	return &admission.Write{
		Operation: admissionv1.Create,
		Kind:      schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Tab"},
		Resource: schema.GroupVersionResource{
			Group: "example.com", Version: "v1", Resource: "tabs",
		},
		Namespace: "default", Name: "t",
		Object: fields{
			"apiVersion": "example.com/v1", "kind": "Tab",
			"metadata": fields{"name": "t", "labels": fields{"app": "x"}},
			"spec":     fields{"size": int64(1)},
		},
		Warn: func(text string) { f.warnings = append(f.warnings, text) },
	}
}

// Webhooks are asked one after the other, and each sees what those before it
// changed. Those that want that are asked once more after a later change.
func TestMutate(t *testing.T) {
	again := fields{"reinvocationPolicy": "IfNeeded"}
	with := func(name string, more ...fields) fields {
		out := fields{"name": name, "reinvocationPolicy": "Never"}
		for _, m := range more {
			maps.Copy(out, m)
		}
		return out
	}
	for name, c := range map[string]struct {
		webhooks []fields
		asked    string
		spec     string // the fields, each of which is 1
	}{
		"one":         {[]fields{with("a")}, "a", "size a"},
		"never again": {[]fields{with("a"), with("b")}, "a b", "size a b"},
		"again":       {[]fields{with("allow", again), with("b")}, "allow b allow", "size b"},
		"by itself":   {[]fields{with("a", again)}, "a", "size a"},
		"two again": {
			[]fields{with("allow", again), with("a", again), with("b")}, "allow a b allow a",
			"size a b",
		},
		"no change": {
			[]fields{with("allow", again), with("same"), with("none")}, "allow same none", "size",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := asking(t, mutating, c.webhooks...)
			w := f.write()
			before := w.Object
			if err := f.Mutate(t.Context(), w); err != nil {
				t.Fatal(err)
			}
			if got := f.hooks.take(); got != c.asked {
				t.Errorf("%s are asked, want %s", got, c.asked)
			}
			spec := fields{}
			for name := range strings.FieldsSeq(c.spec) {
				spec[name] = int64(1)
			}
			if diff := cmp.Diff(spec, w.Object["spec"]); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(f.write().Object, before); diff != "" {
				t.Errorf("the object itself is changed: %s", diff)
			}
		})
	}
}

// The text and the code of an answer that refuses a write are the server's. A
// failure policy lets pass what could not be asked, never a denial.
func TestErrors(t *testing.T) {
	const (
		denied = `admission webhook "%s" denied the request`
		failed = `Internal error occurred: failed calling webhook "%s": `
		answer = failed + "received invalid webhook response: "
	)
	for _, c := range []struct {
		name, resource string
		code           int32
		text           string
		ignored        bool // by failure policy Ignore
	}{
		{"deny", validating, 400, denied + " without explanation", false},
		{"deny-text", validating, 403, denied + ": no", false},
		{"deny-reason", validating, 400, denied + ": Because", false},
		{"deny-low", mutating, 400, denied + " without explanation", false},
		{"fails", validating, 500, failed + "failed to call webhook: an error on the server", true},
		{"silent", validating, 500, answer + "webhook response was absent", true},
		{"other-uid", validating, 500, answer + `expected response.uid="`, true},
		{"a", validating, 500, answer + "validating webhook may not return response.patch", true},
		{"unpatched", validating, 500,
			answer + "validating webhook may not return response.patchType", true},
		{"untyped", mutating, 500,
			answer + "webhook returned response.patch but not response.patchType", true},
		{"unpatched", mutating, 500,
			answer + "webhook returned response.patchType but not response.patch", true},
		{"broken", mutating, 500,
			failed + "received undecodable patch in webhook response: ", true},
		{"other-type", mutating, 500, failed + `unsupported patch type "Merge"`, true},
		{"absent", mutating, 500, "Internal error occurred: ", false},
		{"list", mutating, 500, "Internal error occurred: expected an object, got array", false},
	} {
		text := strings.ReplaceAll(c.text, "%s", c.name)
		f := asking(t, c.resource)
		for _, policy := range []string{"Fail", "Ignore"} {
			f.configure(c.resource, fields{"name": c.name, "failurePolicy": policy})
			err := f.Mutate(t.Context(), f.write())
			if c.resource == validating {
				err = f.Validate(t.Context(), f.write())
			}
			if policy == "Ignore" && c.ignored {
				if err != nil {
					t.Errorf("%s is ignored: got %v", c.name, err)
				}
				continue
			}
			status, ok := err.(apierrors.APIStatus)
			if !ok || status.Status().Code != c.code ||
				!strings.HasPrefix(status.Status().Message, text) {
				t.Errorf("%s %s: got %v, want %d %s", c.name, policy, err, c.code, text)
			}
		}
	}
}

// A webhook that takes too long could not be asked.
func TestTimeout(t *testing.T) {
	f := asking(t, validating, fields{"name": "slow", "timeoutSeconds": int64(1)})
	err := f.Validate(t.Context(), f.write())
	if err == nil || !strings.Contains(err.Error(), `failed calling webhook "slow"`) ||
		!strings.Contains(err.Error(), "context deadline exceeded") {
		t.Errorf("got %v", err)
	}
}

// A patch of a deletion is refused.
func TestPatchOfDelete(t *testing.T) {
	f := asking(t, mutating, fields{"name": "a"})
	w := f.write()
	w.Operation, w.Object, w.Old = admissionv1.Delete, nil, w.Object
	err := f.Mutate(t.Context(), w)
	if err == nil || !strings.Contains(err.Error(), `admission webhook "a" attempted to modify `+
		`the object, which is not supported for this operation`) {
		t.Errorf("got %v", err)
	}
}

// All validating webhooks are asked, and all their warnings are passed on. The
// first error in their order is the answer.
func TestValidate(t *testing.T) {
	f := asking(t, validating, fields{"name": "warn"}, fields{"name": "deny"},
		fields{"name": "warn"}, fields{"name": "deny-text"})
	err := f.Validate(t.Context(), f.write())
	if err == nil || !strings.Contains(err.Error(), `"deny" denied`) {
		t.Errorf("got %v", err)
	}
	asked := strings.Fields(f.hooks.take())
	slices.Sort(asked)
	if diff := cmp.Diff([]string{"deny", "deny-text", "warn", "warn"}, asked); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"careful", "careful"}, f.warnings); diff != "" {
		t.Error(diff)
	}
}

// A dry run asks only webhooks without side effects, or without any then.
func TestDryRun(t *testing.T) {
	for effects, ok := range map[string]bool{
		"None": true, "NoneOnDryRun": true, "Some": false, "Unknown": false,
	} {
		f := asking(t, validating, fields{"name": "allow", "sideEffects": effects})
		w := f.write()
		w.DryRun = true
		err := f.Validate(t.Context(), w)
		if asked := f.hooks.take() == "allow"; asked != ok || (err == nil) != ok {
			t.Errorf("%s: %v, asked %v", effects, err, asked)
		}
		if !ok && (!apierrors.IsBadRequest(err) ||
			err.Error() != `admission webhook "allow" does not support dry run`) {
			t.Errorf("%s: %v", effects, err)
		}
	}
}

// A webhook for another version of a kind is asked about that version, if it
// takes equivalents. Its patch is converted back.
func TestEquivalent(t *testing.T) {
	for policy, asked := range map[string]string{"Equivalent": "a", "Exact": ""} {
		f := asking(t, mutating, fields{
			"name": "a", "matchPolicy": policy,
			"rules": []any{rule(fields{"apiVersions": []any{"v2"}})},
		})
		w := f.write()
		if err := f.Mutate(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		if got := f.hooks.take(); got != asked {
			t.Errorf("%s: asked %q, want %q", policy, got, asked)
		}
		if asked == "" {
			continue
		}
		sent, _ := f.hooks.last["object"].(fields)
		if sent["apiVersion"] != "example.com/v2" || sent["in"] != "v2" {
			t.Errorf("asked about %v", sent)
		}
		want := fields{"size": int64(1), "a": int64(1)}
		if diff := cmp.Diff(want, w.Object["spec"]); diff != "" ||
			w.Object["apiVersion"] != "example.com/v1" || w.Object["in"] != nil {
			t.Errorf("%v: %s", w.Object, diff)
		}
	}
}
