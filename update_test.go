package crdsem_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/minors"
)

// An update keeps the old status to the sign of a zero, as it is stored
// (PIPE-017).
func TestKeptStatusIsExact(t *testing.T) {
	const definition = `{"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,
		"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
			"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}`
	v, err := requests.Parse(t, definition).Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	of := func(status string) map[string]any {
		return requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"status":{"l":[`+status+`]}}`)
	}
	for _, c := range []struct{ sent, old string }{{"-0.0", "0.0"}, {"0.0", "-0.0"}} {
		r := v.Update(t.Context(), of(c.sent), of(c.old))
		text, err := json.Marshal(r.Object["status"])
		want, _ := json.Marshal(of(c.old)["status"])
		if err != nil || string(text) != string(want) {
			t.Errorf("%s sent: got %s, want %s", c.sent, text, want)
		}
	}
}

// An update: what it inherits, its generation, its status, its name and
// resourceVersion (PIPE-016 to PIPE-018).
func TestUpdate(t *testing.T) {
	const old = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"s","uid":"u","resourceVersion":"5","generation":3,
		"creationTimestamp":"2020-01-01T00:00:00Z"},"spec":{"a":"x"},"status":{"phase":"Ready"}}`
	for _, tc := range []struct {
		rule, metadata, rest string
		options              []crdsem.Option
		want                 []string
		generation           int64
	}{
		{"PIPE-017 same", `"name":"n"`, `"spec":{"a":"x"},"status":{"phase":"ignored"}`, nil, nil, 3},
		{"PIPE-017 changed", `"name":"n","labels":{"a":"b"}`, `"spec":{"a":"y"}`, nil, nil, 4},
		{"PIPE-017 only metadata", `"name":"n","labels":{"a":"b"}`, `"spec":{"a":"x"}`, nil, nil, 3},
		{"META-032 uid", `"name":"n","uid":"other"`, `"spec":{"a":"x"}`, nil, []string{`error: metadata.uid: Invalid value: "other": field is immutable`}, 3},
		{"name", `"name":"m"`, `"spec":{}`, nil, []string{"refused: the name of the object (m) does not match the name on the URL (n)"}, 0},
		{"no name", `"labels":{}`, `"spec":{}`, nil, []string{"refused: the name of the object (n based on URL) was undeterminable: name must be provided"}, 0},
		{"PIPE-016 no resourceVersion", `"name":"n"`, `"spec":{}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, []string{"error: metadata.resourceVersion: Invalid value: 0: must be specified for an update"}, 0},
		{"PIPE-016 conflict", `"name":"n","resourceVersion":"4"`, `"spec":{}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, []string{`refused: Operation cannot be fulfilled on ks.g.io "n": the object has been modified; please apply your changes to the latest version and try again`}, 0},
		{"PIPE-016 0", `"name":"n","resourceVersion":"0"`, `"spec":{}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, []string{"error: metadata.resourceVersion: Invalid value: 0: must be specified for an update"}, 0},
		{"PIPE-016 no number", `"name":"n","resourceVersion":"x"`, `"spec":{}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, []string{`refused: strconv.ParseUint: parsing "x": invalid syntax`}, 0},
		{"PIPE-016 the same number", `"name":"n","resourceVersion":"05"`, `"spec":{"a":"x"}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, nil, 3},
		{"PIPE-016 not checked", `"name":"n","resourceVersion":"4"`, `"spec":{"a":"x"}`, nil, nil, 3},
		{"PIPE-011 namespace", `"name":"n","namespace":"t"`, `"spec":{}`, nil, []string{"refused: the namespace of the provided object does not match the namespace sent on the request"}, 0},
		{"PIPE-011 namespace of the request", `"name":"n"`, `"spec":{}`, []crdsem.Option{crdsem.Namespace("t")}, []string{`error: metadata.namespace: Invalid value: "t": field is immutable`}, 0},
		{"RAT", `"name":"n"`, `"spec":{"a":"long"}`, nil, []string{"error: spec.a: Too long: may not be more than 3 bytes", "error: <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"}, 4},
	} {
		body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{` + tc.metadata + `},` + tc.rest + `}`
		r := requests.Version(t, "v1").
			UpdateBytes(context.Background(), []byte(body), requests.Object(t, old), tc.options...)
		if diff := cmp.Diff(tc.want, requests.Lines(r)); diff != "" {
			t.Errorf("%s: %s", tc.rule, diff)
		}
		if tc.generation == 0 {
			continue
		}
		meta := r.Object["metadata"].(map[string]any)
		if meta["generation"] != tc.generation ||
			meta["creationTimestamp"] != "2020-01-01T00:00:00Z" ||
			meta["namespace"] != "s" {
			t.Errorf("%s: metadata %v, want generation %d", tc.rule, meta, tc.generation)
		}
		if diff := cmp.Diff(map[string]any{"phase": "Ready"}, r.Object["status"]); diff != "" {
			t.Errorf("%s: status: %s", tc.rule, diff)
		}
	}
}

// An update keeps when and how an object is deleted (PIPE-017).
func TestUpdateOfDeleted(t *testing.T) {
	const times = `"deletionTimestamp":"2020-01-01T00:00:00Z","creationTimestamp":"2019-01-01T00:00:00Z","deletionGracePeriodSeconds":`
	of := func(meta string) map[string]any {
		return requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"s","uid":"u","generation":1`+meta+`},"spec":{"a":"d"}}`)
	}
	for sent, want := range map[string][]string{
		"":                                 nil,
		`,` + times + `30`:                 nil,
		`,"deletionGracePeriodSeconds":10`: {"error: metadata.deletionGracePeriodSeconds: Invalid value: 10: field is immutable"},
	} {
		r := requests.Version(t, "v1").Update(t.Context(), of(sent), of(`,`+times+`30`))
		if diff := cmp.Diff(want, requests.Lines(r)); diff != "" {
			t.Errorf("%s: %s", sent, diff)
		}
		if diff := cmp.Diff(of(`,`+times+`30`), r.Object); want == nil && diff != "" {
			t.Errorf("%s: %s", sent, diff)
		}
	}
}

// Rules of a status that did not change fail in older minors (RAT-040).
func TestStatusOfMinors(t *testing.T) {
	const text = `{"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,
		"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{"status":{"type":"object","properties":{"m":{"type":"integer"},
			"o":{"type":"object","properties":{"n":{"type":"integer"}},"x-kubernetes-validations":[{"rule":"self.n < 5"}]}}}}}}}]}}`
	of := func(status string) map[string]any {
		return requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"status":`+status+`}`)
	}
	for minor, verdict := range map[minors.Minor]string{"1.37": "ratcheted: ", "1.30": "error: "} {
		def, err := crdsem.Parse([]byte(text), crdsem.Kubernetes(minor))
		if err != nil {
			t.Fatal(err)
		}
		v, err := def.Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		r := v.UpdateStatus(t.Context(), of(`{"m":1,"o":{"n":7}}`), of(`{"o":{"n":7}}`))
		if lines := requests.Lines(r); len(lines) == 0 || !strings.HasPrefix(lines[0], verdict) {
			t.Errorf("%s: %q, want %s", minor, lines, verdict)
		}
	}
}

// The generation grows with any change outside of metadata, however deep it is,
// and whatever its kind (PIPE-017).
func TestGeneration(t *testing.T) {
	def := requests.Parse(t, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
		"spec":{"group":"g.io","scope":"Namespaced","names":{"plural":"ks","kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,
			"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`)
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, old, updated string
		grows              bool
	}{
		{"same list", `"spec":{"l":["a"]}`, `"spec":{"l":["a"]}`, false},
		{"item of a list", `"spec":{"l":["a"]}`, `"spec":{"l":["b"]}`, true},
		{"order of a list", `"spec":{"l":["a","b"]}`, `"spec":{"l":["b","a"]}`, true},
		{"longer list", `"spec":{"l":["a"]}`, `"spec":{"l":["a","b"]}`, true},
		{"shorter list", `"spec":{"l":["a","b"]}`, `"spec":{"l":["a"]}`, true},
		{"field of an item", `"spec":{"l":[{"a":1}]}`, `"spec":{"l":[{"a":2}]}`, true},
		{"kind of a number", `"spec":{"a":1}`, `"spec":{"a":1.5}`, true},
		{"null for nothing", `"spec":{}`, `"spec":{"a":null}`, true},
		{"renamed field", `"spec":{"a":1}`, `"spec":{"b":1}`, true},
		{"new field of the object", `"spec":{}`, `"spec":{},"data":1`, true},
		{"field of the object gone", `"spec":{},"data":1`, `"spec":{}`, true},
		{"another field of the object", `"spec":1`, `"data":1`, true},
	} {
		const head = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"s","resourceVersion":"5","generation":3},`
		r := v.Update(context.Background(), requests.Object(t, head+tc.updated+"}"),
			requests.Object(t, head+tc.old+"}"))
		want := int64(3)
		if tc.grows {
			want = 4
		}
		if got := r.Object["metadata"].(map[string]any)["generation"]; got != want {
			t.Errorf("%s: generation %v, want %d", tc.name, got, want)
		}
	}
}

// A status update changes the status only, and only the status is validated
// (PIPE-030).
func TestUpdateStatus(t *testing.T) {
	v := requests.Version(t, "v1")
	const old = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"s","uid":"u","resourceVersion":"5","generation":3},"spec":{"a":"too long"},"status":{"phase":"Ready"}}`
	r := v.UpdateStatusBytes(context.Background(), []byte(`{`+requests.Head+`,"spec":{"a":"new"},"status":{"replicas":2}}`), requests.Object(t, old))
	want := requests.Object(t, strings.Replace(strings.Replace(old, `{"phase":"Ready"}`, `{"replicas":2}`, 1), `"resourceVersion":"5",`, "", 1))
	if diff := cmp.Diff(want, r.Object); diff != "" || !r.Admitted() {
		t.Errorf("%v %s", requests.Lines(r), diff)
	}
	r = v.UpdateStatusBytes(context.Background(), []byte(`{`+requests.Head+`,"status":{"phase":"Other","selector":5}}`), requests.Object(t, old))
	if r.Stage != crdsem.StageInvalid || len(r.Errors) != 4 {
		t.Errorf("stage %s, %q", r.Stage, requests.Lines(r))
	}
	r = v.UpdateStatusBytes(context.Background(), []byte(`{`+requests.Head+`}`), requests.Object(t, old))
	if _, has := r.Object["status"]; has || !r.Admitted() {
		t.Errorf("a status update without a status leaves %v, %q", r.Object["status"],
			requests.Lines(r))
	}
	r = v.UpdateStatus(t.Context(), requests.Object(t, old), nil)
	if r.Err() == nil || r.Stage != crdsem.StageDecode || r.Err().Error() != "an update needs "+
		"the old object" {
		t.Errorf("without an old object: %s, %v", r.Stage, r.Err())
	}
	r = requests.Version(t, "v1beta1").UpdateStatus(context.Background(), requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"}}`), requests.Object(t, old))
	if r.Err() == nil || r.Err().Error() != `ks.g.io "n" not found` {
		t.Errorf("without the subresource: %v", r.Err())
	}
}

// An error of the metadata is reported once, whatever it is about. It keeps
// rules from being evaluated as on the server, which checks the metadata up to
// three times.
func TestMetadataErrorsAreReportedOnce(t *testing.T) {
	v := requests.Version(t, "v1")
	old := requests.Object(t, `{`+requests.Head+`}`)
	for field, text := range map[string]string{
		"labels":          `{"a":"b c"}`,
		"annotations":     `{"a b":"x"}`,
		"finalizers":      `["bad!"]`,
		"uid":             `"other"`,
		"ownerReferences": `[{"apiVersion":"v1","kind":"","name":"x","uid":"y"}]`,
	} {
		object := requests.Object(t, `{`+requests.Head+`}`)
		metadata, _ := object["metadata"].(map[string]any)
		metadata[field] = requests.Object(t, `{"v":`+text+`}`)["v"]
		found := 0
		r := v.Update(t.Context(), object, old)
		for _, err := range r.Errors {
			if strings.HasPrefix(err.Field, "metadata.") {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%s: %v", field, r.Errors)
		}
	}
}
