package crdsem_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// Bodies that are refused before validation, in the server's words (PIPE-002 to
// PIPE-013, META-004 to META-022).
func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		rule, body, want string
		options          []crdsem.Option
	}{
		{"PIPE-002 syntax", `{"a":}`, `the object provided is unrecognized (must be of type K): couldn't get version/kind; json parse error: invalid character '}' looking for beginning of value ({"a":})`, nil},
		{"PIPE-002 overflow", `{` + requests.Head + `,"spec":{"replicas":1e400}}`, `K in version "v1" cannot be handled as a K: json: cannot unmarshal number 1e400 into Go value of type float64`, nil},
		{"PIPE-006 duplicates", `{` + requests.Head + `,"spec":{"a":"x","a":"y"}}`, `K in version "v1" cannot be handled as a K: strict decoding error: duplicate field "spec.a"`, []crdsem.Option{crdsem.FieldValidation(crdsem.Strict)}},
		{"PIPE-006 order", `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","zz":1},"spec":{"y":1,"x":1,"x":2}}`, `K in version "v1" cannot be handled as a K: strict decoding error: duplicate field "spec.x", unknown field "metadata.zz", unknown field "spec.x", unknown field "spec.y"`, []crdsem.Option{crdsem.FieldValidation(crdsem.Strict)}},
		{"PIPE-010 no kind", `{"apiVersion":"g.io/v1"}`, `the object provided is unrecognized (must be of type K): Object 'Kind' is missing in '{"apiVersion":"g.io/v1"}' ({"apiVersion":"g.io/v1"})`, nil},
		{"PIPE-010 no kind, ignored", `{"apiVersion":"g.io/v1"}`, `K in version "v1" cannot be handled as a K: Object 'Kind' is missing in '{"apiVersion":"g.io/v1"}'`, []crdsem.Option{crdsem.FieldValidation(crdsem.Ignore)}},
		{"PIPE-002 kind in another case", `{"KIND":5,"kind":"K"}`, `the object provided is unrecognized (must be of type K): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"KIND":5,"kind":"K"})`, nil},
		{"PIPE-013", `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"},"spec":{}}`, `the API version in the data (g.io/v1beta1) does not match the expected API version (g.io/v1)`, nil},
		{"PIPE-013 group", `{"apiVersion":"other.io/v1","kind":"K","metadata":{"name":"n"},"spec":{}}`, `the API version in the data (other.io/v1) does not match the expected API version (g.io/v1)`, nil},
		{"META-022 name", `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":5}}`, `K in version "v1" cannot be handled as a K: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string`, nil},
		{"META-022 slashes", `{"apiVersion":"a/b/c","kind":"K"}`, `the object provided is unrecognized (must be of type K): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)`, nil},
		{"PIPE-005 YAML", "kind: [", `the object provided is unrecognized (must be of type K): yaml: line 1: did not find expected node content (6b696e643a205b)`, nil},
		{"PIPE-010 empty", "", `the object provided is unrecognized (must be of type K): Object 'Kind' is missing in '' (<empty>)`, nil},
		{"PIPE-011 namespace", `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"a"},"spec":{}}`, `the namespace of the provided object does not match the namespace sent on the request`, []crdsem.Option{crdsem.Namespace("b")}},
	} {
		r := requests.Version(t, "v1").
			CreateBytes(context.Background(), []byte(tc.body), tc.options...)
		var request *crdsem.StatusError
		if r.Stage != crdsem.StageDecode || r.Object != nil || !errors.As(r.Err(), &request) ||
			r.Err().Error() != tc.want {
			t.Errorf("%s: stage %s, error\n%v\nwant\n%s", tc.rule, r.Stage, r.Err(), tc.want)
			continue
		}
		if rule, _, _ := strings.Cut(tc.rule, " "); rule != request.Rule {
			t.Errorf("%s is refused by rule %s", tc.rule, request.Rule)
		}
	}
}

// Warnings of a create: unknown and duplicate fields, the YAML decoder's,
// owners told twice, finalizers, deprecation.
func TestWarnings(t *testing.T) {
	for _, tc := range []struct {
		rule, version, body string
		option              crdsem.Option
		want                []string
	}{
		{"PIPE-006", "v1", `{` + requests.Head + `,"spec":{"x":1,"a":"b","a":"c"}}`, crdsem.FieldValidation(crdsem.Warn), []string{`warning: duplicate field "spec.a"`, `warning: unknown field "spec.x"`}},
		{"PIPE-006 ignore", "v1", `{` + requests.Head + `,"spec":{"x":1,"a":"b","a":"c"}}`, crdsem.FieldValidation(crdsem.Ignore), nil},
		{"PIPE-005 YAML", "v1", "apiVersion: g.io/v1\nkind: K\nmetadata: {name: x}\nspec:\n  a: b\n  a: c\n", nil, []string{`warning: line 6: key "a" already set in map`}},
		{"deprecation", "v1beta1", `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"}}`, nil, []string{"warning: g.io/v1beta1 K is deprecated; use g.io/v1 K"}},
		{"deprecation of a refused request", "v1beta1", `{"kind":"K"}`, nil, []string{"refused: the API version in the data () does not match the expected API version (g.io/v1beta1)", "warning: g.io/v1beta1 K is deprecated; use g.io/v1 K"}},
		{"finalizers", "v1", `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","finalizers":["a"]},"spec":{}}`, nil, []string{`warning: metadata.finalizers: "a": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`}},
	} {
		r := requests.Version(t, tc.version).
			CreateBytes(context.Background(), []byte(tc.body), tc.option)
		if diff := cmp.Diff(tc.want, requests.Lines(r)); diff != "" {
			t.Errorf("%s: %s", tc.rule, diff)
		}
	}
}

// A custom deprecation warning replaces the default one; without a better
// version the default one names none.
func TestDeprecationWarning(t *testing.T) {
	for _, tc := range []struct{ old, replacement, want string }{
		{`"deprecated": true`, `"deprecated": true, "deprecationWarning": "use something else"`, "use something else"},
		{`"name": "v1", "served": true`, `"name": "v1", "served": false`, "g.io/v1beta1 K is deprecated"},
	} {
		v, err := requests.Parse(t,
			strings.Replace(requests.DefinitionText, tc.old, tc.replacement, 1)).
			Version("v1beta1")
		if err != nil {
			t.Fatal(err)
		}
		r := v.Read(context.Background(), requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"}}`))
		if len(r.Warnings) != 1 || r.Warnings[0] != tc.want {
			t.Errorf("warnings %q, want %q", r.Warnings, tc.want)
		}
	}
}

// The result of a create (PIPE-010, PIPE-011).
func TestCreate(t *testing.T) {
	r := requests.Version(t, "v1").Create(context.Background(), requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K",
		"metadata":{"generateName":"n-","uid":"u","zz":1,"generation":7,"creationTimestamp":"2020-01-01T00:00:00Z","managedFields":[{"manager":"m"}],
			"ownerReferences":[{"apiVersion":"v1","kind":"P","name":"p","uid":"1"},{"apiVersion":"v1","kind":"P","name":"p","uid":"1"}]},
		"spec":{"o":null,"x":1},"status":{"phase":"Ready"}}`))
	want := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"generateName":"n-","name":"n-00000","namespace":"default","generation":1,
		"ownerReferences":[{"apiVersion":"v1","kind":"P","name":"p","uid":"1"}]},"spec":{"a":"d"}}`)
	if diff := cmp.Diff(want, r.Object); diff != "" || !r.Admitted() {
		t.Errorf("stage %s, errors %v: %s", r.Stage, r.Errors, diff)
	}
	changes := []crdsem.Change{
		{Action: crdsem.MetadataCoerced, Path: "metadata", Schema: "openAPIV3Schema"},
		{Action: crdsem.MetadataPruned, Path: "metadata.zz", Schema: "openAPIV3Schema"},
		{Action: crdsem.Pruned, Path: "spec.x", Schema: "openAPIV3Schema.properties[spec]"},
		{Action: crdsem.NullDropped, Path: "spec.o", Schema: "openAPIV3Schema.properties[spec].properties[o]"},
		{Action: crdsem.Defaulted, Path: "spec.a", Schema: "openAPIV3Schema.properties[spec].properties[a]"},
		{Action: crdsem.StatusDropped, Path: "status", Schema: "openAPIV3Schema"},
	}
	if diff := cmp.Diff(changes, r.Provenance); diff != "" {
		t.Error(diff)
	}
	if r.Rules != crdsem.RulesEvaluated || r.Cost == 0 {
		t.Errorf("rules %q at a cost of %d", r.Rules, r.Cost)
	}
}

// A status that is not stored is the last change, and its defaults are not
// listed.
func TestDroppedStatus(t *testing.T) {
	const definition = `{"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,
		"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object"},
			"status":{"type":"object","default":{},"properties":{"phase":{"type":"string","default":"New"},"n":{"type":"integer"}}}}}}}]}}`
	v, err := requests.Parse(t, definition).Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	dropped := "StatusDropped status"
	for _, c := range []struct {
		name, sent, old string
		want            []string
	}{
		{"created without", ``, "", nil},
		{"created with", `,"status":{"x":1,"n":null}`, "", []string{"Pruned status.x", dropped}},
		{"created with null", `,"status":null`, "", nil},
		{"updated without", ``, `,"status":{"phase":"Old"}`, nil},
		{"updated with the same", `,"status":{"phase":"Old"}`, `,"status":{"phase":"Old"}`, nil},
		{"updated with another", `,"status":{"n":1}`, `,"status":{"phase":"Old"}`, []string{dropped}},
	} {
		t.Run(c.name, func(t *testing.T) {
			make := func(status string) map[string]any {
				return requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"}`+status+`}`)
			}
			r := v.Create(t.Context(), make(c.sent))
			if c.old != "" {
				r = v.Update(t.Context(), make(c.sent), make(c.old))
			}
			var got []string
			for _, change := range r.Provenance {
				got = append(got, fmt.Sprint(change.Action, " ", change.Path))
			}
			if diff := cmp.Diff(c.want, got); diff != "" || !r.Admitted() || len(r.Defaulted) > 0 {
				t.Errorf("stage %s, defaulted %v: %s", r.Stage, r.Defaulted, diff)
			}
		})
	}
}

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

// Rules are blocked by errors that make an object unfit for them, and by no
// others (PIPE-012).
func TestBlockedRules(t *testing.T) {
	const text = "some validation rules were not checked because the object was invalid; " +
		"correct the existing errors to complete validation"
	for _, tc := range []struct {
		spec  string
		rules crdsem.RulesOutcome
		want  []string
	}{
		{`{"a":"long","replicas":200}`, crdsem.RulesBlocked, []string{`error: spec.a: Too long: may not be more than 3 bytes`, "error: <nil>: Invalid value: null: " + text}},
		{`{"replicas":200}`, crdsem.RulesEvaluated, []string{"error: spec: Invalid value: failed rule: !has(self.replicas) || self.replicas < 100"}},
		{`{"replicas":-1}`, crdsem.RulesEvaluated, []string{"error: .spec.replicas: Invalid value: -1: should be a non-negative integer"}},
	} {
		r := requests.Version(t, "v1").CreateBytes(context.Background(), []byte(`{`+requests.Head+`,"spec":`+tc.spec+`}`))
		if diff := cmp.Diff(tc.want, requests.Lines(r)); diff != "" || r.Rules != tc.rules {
			t.Errorf("%s: rules %q: %s", tc.spec, r.Rules, diff)
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

// A new object with a resourceVersion is refused at the end of the request, if
// that is asked for (PIPE-016).
func TestCreateWithResourceVersion(t *testing.T) {
	const refused = "refused: resourceVersion should not be set on objects to be created"
	for _, tc := range []struct {
		version, spec string
		options       []crdsem.Option
		want          []string
	}{
		{"5", `{}`, nil, nil},
		{"5", `{}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, []string{refused}},
		{"0", `{}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, nil},
		{"x", `{}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, nil},
		{"5", `{"replicas":-1}`, []crdsem.Option{crdsem.Concurrency(crdsem.RequireResourceVersion)}, []string{"error: .spec.replicas: Invalid value: -1: should be a non-negative integer"}},
	} {
		body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n",` +
			`"resourceVersion":"` + tc.version + `"},"spec":` + tc.spec + `}`
		r := requests.Version(t, "v1").CreateBytes(t.Context(), []byte(body), tc.options...)
		if diff := cmp.Diff(tc.want, requests.Lines(r)); diff != "" {
			t.Errorf("%s %s: %s", tc.version, tc.spec, diff)
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
	r = requests.Version(t, "v1beta1").UpdateStatus(context.Background(), requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"}}`), requests.Object(t, old))
	if r.Err() == nil || r.Err().Error() != `ks.g.io "n" not found` {
		t.Errorf("without the subresource: %v", r.Err())
	}
}

// A read defaults by the stored version, converts, and prunes by the requested
// one; what is malformed is repaired (PIPE-022, META-007).
func TestRead(t *testing.T) {
	stored := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","labels":{"a":1}},"spec":{"replicas":2,"junk":1}}`
	r := requests.Version(t, "v1beta1").Read(context.Background(), requests.Object(t, stored))
	want := requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n","generation":1},"spec":{"a":"d"}}`)
	if diff := cmp.Diff(want, r.Object); diff != "" || r.Stage != crdsem.StageRead {
		t.Errorf("stage %s %v: %s", r.Stage, r.Err(), diff)
	}
	if diff := cmp.Diff([]string{"spec.junk", "spec.replicas"}, r.Pruned); diff != "" {
		t.Error(diff)
	}
	back := requests.Version(t, "v1").Read(context.Background(), r.Object)
	if diff := cmp.Diff("only in v1beta1", nested(r.Object, "spec", "b")); diff == "" {
		t.Error("the requested version's default was filled in on read")
	}
	if nested(back.Object, "apiVersion") != "g.io/v1" {
		t.Errorf("read back in %v", nested(back.Object, "apiVersion"))
	}
}

// An object with a list of items is stored, but the server takes it for a list
// when it shows it, and fails (PIPE-022).
func TestReadOfWhatLooksLikeAList(t *testing.T) {
	def := requests.Parse(t, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io",
		"scope":"Namespaced","names":{"plural":"ks","kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{
		"type":"object","properties":{"items":{"x-kubernetes-preserve-unknown-fields":true}}}}}]}}`)
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		items string
		fails bool
	}{{`[]`, true}, {`[{"a":1}]`, true}, {`{}`, false}, {`"x"`, false}} {
		stored := requests.Object(t, `{`+requests.Head+`,"items":`+c.items+`}`)
		if r := v.Create(context.Background(), stored); !r.Admitted() {
			t.Errorf("items %s: refused: %v %v", c.items, r.Err(), r.Errors)
		}
		r := v.Read(context.Background(), stored)
		failure := statusOf(r)
		if (failure != nil) != c.fails || r.Stage != crdsem.StageRead || r.Object["items"] == nil {
			t.Fatalf("items %s: %s, %v", c.items, r.Stage, r.Err())
		}
		const noList = "*unstructured.Unstructured is not a list: no Items field in this object"
		if c.fails && (failure.Code != 500 || failure.Message != noList) {
			t.Errorf("items %s: %+v", c.items, failure)
		}
	}
}

func nested(object map[string]any, keys ...string) any {
	var at any = object
	for _, key := range keys {
		fields, _ := at.(map[string]any)
		at = fields[key]
	}
	return at
}

// What is stored of an object of another version is pruned by the storage
// version (PIPE-021).
func TestStore(t *testing.T) {
	def := requests.Parse(t, requests.DefinitionText)
	r := def.Store(context.Background(), requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"},"spec":{"a":"x","b":"y"}}`))
	want := requests.Object(t, `{`+requests.Head+`,"spec":{"a":"x"}}`)
	if diff := cmp.Diff(want, r.Object); diff != "" {
		t.Errorf("%v %s", r.Err(), diff)
	}
}

// The scale subresource (PIPE-040).
func TestScale(t *testing.T) {
	v := requests.Version(t, "v1")
	ctx := context.Background()
	stored := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"s","uid":"u","resourceVersion":"5","generation":1},"spec":{"replicas":2},"status":{"replicas":1,"selector":"a=b"}}`)
	scale, err := v.Scale(ctx, stored)
	want := &crdsem.Scale{
		Name:            "n",
		Namespace:       "s",
		UID:             "u",
		ResourceVersion: "5",
		Replicas:        2,
		CurrentReplicas: 1,
		Selector:        "a=b",
	}
	if diff := cmp.Diff(want, scale); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for _, tc := range []struct {
		scale crdsem.Scale
		want  []string
	}{
		{crdsem.Scale{Replicas: 7}, nil},
		{crdsem.Scale{Replicas: -1}, []string{"error: .spec.replicas: Invalid value: -1: should be a non-negative integer"}},
		{crdsem.Scale{Replicas: 100}, []string{"error: spec: Invalid value: failed rule: !has(self.replicas) || self.replicas < 100"}},
		{crdsem.Scale{Replicas: math.MinInt32}, []string{`refused: the spec replicas field ".spec.replicas" cannot be empty`}},
		{crdsem.Scale{Replicas: 7, Name: "n", Namespace: "s", ResourceVersion: "5"}, nil},
		{crdsem.Scale{Replicas: 7, Name: "m"}, []string{"refused: the name of the object (m) does not match the name on the URL (n)"}},
		{crdsem.Scale{Replicas: 7, Namespace: "t"}, []string{"refused: the namespace of the provided object does not match the namespace sent on the request"}},
		{crdsem.Scale{Replicas: 7, ResourceVersion: "4"}, []string{`refused: Operation cannot be fulfilled on ks.g.io "n": the object has been modified; please apply your changes to the latest version and try again`}},
	} {
		r := v.UpdateScale(ctx, stored, tc.scale)
		if diff := cmp.Diff(tc.want, requests.Lines(r)); diff != "" {
			t.Errorf("%v: %s", tc.scale, diff)
		}
		if r.Admitted() &&
			(nested(r.Object, "spec", "replicas") != int64(tc.scale.Replicas) || nested(r.Object,
				"metadata", "generation") != int64(2)) {
			t.Errorf("%v gives %v", tc.scale, r.Object)
		}
	}
	unread := requests.Object(t, `{`+requests.Head+`,"spec":{"replicas":2}}`)
	bare := v.UpdateScale(ctx, unread, crdsem.Scale{Replicas: 7})
	_, has := nested(bare.Object, "metadata", "resourceVersion").(string)
	if has || !bare.Admitted() {
		t.Errorf("an object without a resourceVersion becomes %v, %v", bare.Object, bare.Err())
	}
	for text, want := range map[string]string{
		`{` + requests.Head + `,"spec":{}}`:                  `the spec replicas field ".spec.replicas" does not exist`,
		`{` + requests.Head + `,"spec":{"replicas":1.5}}`:    `.spec.replicas accessor error: 1.5 is of the type float64, expected int64`,
		`{` + requests.Head + `,"spec":[]}`:                  `.spec.replicas accessor error: [] is of the type []interface {}, expected map[string]interface{}`,
		`{` + requests.Head + `,"status":{"selector":true}}`: `.status.selector accessor error: true is of the type bool, expected string`,
	} {
		if _, err := v.Scale(ctx, requests.Object(t, text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := requests.Version(t, "v1beta1").Scale(ctx, stored); err == nil {
		t.Error("a version without the subresource has a scale")
	}
	r := requests.Version(t, "v1beta1").UpdateScale(ctx, stored, crdsem.Scale{Replicas: 1})
	if refused, ok := errors.AsType[*crdsem.StatusError](r.Err()); !ok || refused.Code != 404 {
		t.Errorf("a version without the subresource is scaled: %v", r.Err())
	}
}

// Versions that are not served cannot be asked for; objects that are none,
// contexts that have ended.
func TestSetupErrors(t *testing.T) {
	def := requests.Parse(t, requests.DefinitionText)
	for _, name := range []string{"v2", "v3", ""} {
		if _, err := def.Version(name); err == nil {
			t.Errorf("version %q is served", name)
		}
	}
	v := requests.Version(t, "v1")
	r := v.Create(
		context.Background(),
		map[string]any{
			"apiVersion": "g.io/v1",
			"kind":       "K",
			"spec":       map[string]any{"list": []any{map[string]any{"n": 5}}},
		},
	)
	var value *crdsem.ValueError
	if !errors.As(r.Err(), &value) ||
		!strings.HasPrefix(r.Err().Error(), "spec.list[0].n: a value of type int ") {
		t.Errorf("an int is taken: %v", r.Err())
	}
	if r := v.Create(context.Background(), nil); r.Err() == nil {
		t.Error("no object is an object")
	}
	if r := v.Update(context.Background(), requests.Object(t, `{`+requests.Head+`}`), nil); r.Err() == nil {
		t.Error("an update needs no old object")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if r := v.Create(ended, requests.Object(t, `{`+requests.Head+`}`)); !errors.Is(r.Err(), context.Canceled) {
		t.Errorf("the context has ended: %v", r.Err())
	}
	if _, err := crdsem.Parse([]byte("just text")); err == nil {
		t.Error("text is a definition")
	}
	nothing := requests.Parse(t, "")
	if _, err := nothing.Version("v1"); err == nil || err.Error() != `the definition does not serve version "v1"` {
		t.Errorf("a definition of an empty text: %v", err)
	}
	if r := nothing.Store(context.Background(), requests.Object(t, `{`+requests.Head+`}`)); r.Err() == nil || r.Err().Error() != "the definition has no storage version" {
		t.Errorf("a definition of an empty text: %v", r.Err())
	}
}

// A decoded object and its JSON give the same result, errors included.
func TestObjectsAndBytesAgree(t *testing.T) {
	v := requests.Version(t, "v1")
	for _, text := range []string{`{` + requests.Head + `,"spec":{"a":"b","x":1}}`, `{"apiVersion":"g.io/v1"}`, `{"Kind":1,"kind":"K"}`, `{"kind":"K","apiVersion":"a/b/c"}`, `{` + requests.Head + `,"spec":5}`} {
		data, err := jsonvalue.EncodeJSON(requests.Object(t, text))
		if err != nil {
			t.Fatal(err)
		}
		a, b := v.Create(context.Background(), requests.Object(t, text)), v.CreateBytes(
			context.Background(),
			data,
		)
		if diff := cmp.Diff(requests.Lines(a), requests.Lines(b)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if diff := cmp.Diff(a.Object, b.Object); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// No argument is changed, by any operation.
func TestArgumentsStay(t *testing.T) {
	v := requests.Version(t, "v1")
	ctx := context.Background()
	text := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","uid":"u","labels":{},"zz":1,"ownerReferences":[{"uid":"1"},{"uid":"1"}]},"spec":{"x":1,"o":null},"status":{"phase":"P","junk":[{}]},"more":1}`
	new, old := requests.Object(t, text), requests.Object(t, strings.Replace(text, `"x":1`, `"y":[null]`, 1))
	newBefore, oldBefore := jsonvalue.DeepCopyMap(new), jsonvalue.DeepCopyMap(old)
	for name, run := range map[string]func() *crdsem.Result{
		"Create":       func() *crdsem.Result { return v.Create(ctx, new) },
		"Update":       func() *crdsem.Result { return v.Update(ctx, new, old) },
		"UpdateStatus": func() *crdsem.Result { return v.UpdateStatus(ctx, new, old) },
		"Read":         func() *crdsem.Result { return v.Read(ctx, old) },
		"UpdateScale":  func() *crdsem.Result { return v.UpdateScale(ctx, old, crdsem.Scale{Replicas: 3}) },
	} {
		if r := run(); r.Stage == crdsem.StageDecode {
			t.Errorf("%s: %v", name, r.Err())
		}
		if diff := cmp.Diff(newBefore, new) + cmp.Diff(oldBefore, old); diff != "" {
			t.Fatalf("%s changed an argument: %s", name, diff)
		}
	}
}

// One definition serves many goroutines, which all see the same; so do
// definitions that share a cache.
func TestConcurrentUse(t *testing.T) {
	cache := &crdsem.Cache{}
	definitions := make([]*crdsem.Definition, 4)
	for i := range definitions {
		def, err := crdsem.Parse([]byte(requests.DefinitionText), crdsem.InCache(cache))
		if err != nil {
			t.Fatal(err)
		}
		definitions[i] = def
	}
	body := []byte(`{` + requests.Head + `,"spec":{"replicas":200,"x":1}}`)
	results := make([]string, 16)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() {
			v, err := definitions[i%len(definitions)].Version("v1")
			if err != nil {
				results[i] = err.Error()
				return
			}
			results[i] = fmt.Sprint(requests.Lines(v.CreateBytes(context.Background(), body)))
		})
	}
	group.Wait()
	for _, r := range results {
		if r != results[0] {
			t.Errorf("%s and %s", r, results[0])
		}
	}
}
