package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
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
		{"PIPE-002 apiVersion", `{"apiVersion":5,"kind":"K"   }`, `the object provided is unrecognized (must be of type K): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string ({"apiVersion":5,"kind":"K"   })`, nil},
		{"PIPE-002 apiVersion", `{"apiVersion":5,"kind":"K"    }`, `the object provided is unrecognized (must be of type K): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string ({"apiVersion":5,"kind":"K"     ...)`, nil},
		{"PIPE-006 more", `{` + requests.Head + `,"spec":{"x":1,"y":1,"z":1}}`, `K in version "v1" cannot be handled as a K: strict decoding error: unknown field "spec.x", and 2 more`, []crdsem.Option{crdsem.FieldValidation(crdsem.Strict), crdsem.MaxFindings(1)}},
		{"PIPE-006 no more", `{` + requests.Head + `,"spec":{"x":1,"y":1}}`, `K in version "v1" cannot be handled as a K: strict decoding error: unknown field "spec.x", unknown field "spec.y"`, []crdsem.Option{crdsem.FieldValidation(crdsem.Strict), crdsem.MaxFindings(2)}},
		{"PIPE-002 apiVersion in another case", `{"APIVERSION":5,"kind":"K"}`, `the object provided is unrecognized (must be of type K): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string ({"APIVERSION":5,"kind":"K"})`, nil},
		{"PIPE-002 a Kelvin sign", "{\"\u212aind\":5,\"kind\":\"K\"}", "the object provided is unrecognized (must be of type K): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({\"\u212aind\":5,\"kind\":\"K\"})", nil},
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
		{"PIPE-005 YAML in braces", "v1", ` {` + requests.Head + `,"spec":{"a":"b","a":"c"}}`, nil, []string{`warning: line 1: key "a" already set in map`}},
		{"a format", "v1", ` {` + requests.Head + `,"spec":{"a":"b","a":"c"}}`, crdsem.Format(crdsem.JSON), []string{`warning: duplicate field "spec.a"`}},
		{"keys in another case", "v1", `{` + requests.Head + `,"spec":{},"Kind":"K","x":1,"":1}`, nil, []string{`warning: unknown field ""`, `warning: unknown field "Kind"`, `warning: unknown field "x"`}},
		{"deprecation", "v1beta1", `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"}}`, nil, []string{"warning: g.io/v1beta1 K is deprecated; use g.io/v1 K"}},
		{"deprecation of a refused request", "v1beta1", `{"kind":"K"}`, nil, []string{"refused: the API version in the data () does not match the expected API version (g.io/v1beta1)", "warning: g.io/v1beta1 K is deprecated; use g.io/v1 K"}},
		{"a finalizer told twice", "v1", `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","finalizers":["a","a"]},"spec":{}}`, nil, []string{`warning: metadata.finalizers: "a": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`}},
		{"most", "v1", `{` + requests.Head + `,"spec":{"x":1,"y":2,"z":3}}`, crdsem.MaxFindings(2), []string{`warning: unknown field "spec.x"`, `warning: unknown field "spec.y"`}},
		{"owners", "v1", `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","ownerReferences":[{"apiVersion":"v1","kind":"P","name":"p","uid":"1"},{"apiVersion":"v1","kind":"P","name":"p","uid":"2"}]},"spec":{}}`, nil, nil},
		{"an owner told twice", "v1", `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","ownerReferences":[{"apiVersion":"v1","kind":"P","name":"p","uid":"1"},{"apiVersion":"v1","kind":"P","name":"p","uid":"1"}]},"spec":{}}`, nil,
			[]string{"warning: .metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1"}},
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
	v, err := requests.Parse(t, strings.Replace(requests.DefinitionText, `"deprecated": true`,
		`"deprecated": true, "deprecationWarning": "unknown field \"x\""`, 1)).Version("v1beta1")
	if err != nil {
		t.Fatal(err)
	}
	r := v.CreateBytes(t.Context(), []byte(`{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"},"y":1,"x":1}`))
	want := []string{`unknown field "x"`, `unknown field "y"`}
	if diff := cmp.Diff(want, r.Warnings); diff != "" {
		t.Errorf("a warning told twice: %s", diff)
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
		{Action: crdsem.MetadataCoerced, Path: "metadata", Schema: "openAPIV3Schema", Pointer: "/metadata"},
		{Action: crdsem.MetadataPruned, Path: "metadata.zz", Schema: "openAPIV3Schema", Pointer: "/metadata/zz"},
		{Action: crdsem.Pruned, Path: "spec.x", Schema: "openAPIV3Schema.properties[spec]", Pointer: "/spec/x", Value: int64(1)},
		{Action: crdsem.NullDropped, Path: "spec.o", Schema: "openAPIV3Schema.properties[spec].properties[o]", Pointer: "/spec/o"},
		{Action: crdsem.Defaulted, Path: "spec.a", Schema: "openAPIV3Schema.properties[spec].properties[a]", Pointer: "/spec/a", Value: "d"},
		{Action: crdsem.StatusDropped, Path: "status", Schema: "openAPIV3Schema", Pointer: "/status", Value: map[string]any{"phase": "Ready"}},
	}
	if diff := cmp.Diff(changes, r.Provenance); diff != "" {
		t.Error(diff)
	}
	if r.Rules != crdsem.RulesEvaluated || r.Cost == 0 {
		t.Errorf("rules %q at a cost of %d", r.Rules, r.Cost)
	}
}

// A name is made of the first 58 bytes of generateName (PIPE-011).
func TestGeneratedNames(t *testing.T) {
	for length, kept := range map[int]int{1: 1, 57: 57, 58: 58, 59: 58, 253: 58} {
		base := strings.Repeat("n", length)
		object := map[string]any{"apiVersion": "g.io/v1", "kind": "K",
			"metadata": map[string]any{"generateName": base}, "spec": map[string]any{}}
		r := requests.Version(t, "v1").Create(t.Context(), object)
		if got, want := nested(r.Object, "metadata", "name"), base[:kept]+"00000"; got != want {
			t.Errorf("%d bytes: %v, %v", length, got, r.Err())
		}
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

// A namespace in either scope, and changes of an object without
// a status (PIPE-011).
func TestScopes(t *testing.T) {
	for scope, want := range map[string][]any{"Namespaced": {"s", "default"}, "Cluster": {nil,
		nil}} {
		v, err := requests.Parse(t, strings.Replace(requests.DefinitionText, "Namespaced",
			scope, 1)).Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		for i, meta := range []string{`{"name":"n","namespace":"s"}`, `{"name":"n"}`} {
			text := `{"apiVersion":"g.io/v1","kind":"K","metadata":` + meta + `,"spec":{}}`
			created := v.CreateBytes(t.Context(), []byte(text))
			updated := v.UpdateBytes(t.Context(), []byte(text), created.Object)
			for _, r := range []*crdsem.Result{created, updated} {
				if got := nested(r.Object, "metadata",
					"namespace"); got != want[i] || !r.Admitted() {
					t.Errorf("%s, %s: %v, %v", scope, meta, got, r.Err())
				}
				changes := []crdsem.Change{{Action: crdsem.Defaulted, Path: "spec.a",
					Schema:  "openAPIV3Schema.properties[spec].properties[a]",
					Pointer: "/spec/a", Value: "d"}}
				if diff := cmp.Diff(changes, r.Provenance); diff != "" {
					t.Errorf("%s, %s: %s", scope, meta, diff)
				}
			}
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
