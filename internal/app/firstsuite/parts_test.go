package firstsuite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/structural"
)

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	object, _, err := jsonvalue.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// A node is named by steps: a field, [] for items, {} for the values of a map.
func TestNodes(t *testing.T) {
	const text = `{"a":{"b":1,"c":null},"l":[{"d":2},{"b":1}],"m":{"x":{"b":1},"y":{"d":2}}}`
	for _, c := range []struct {
		node    []string
		has     bool
		without string
	}{
		{nil, true, `{"a":{"b":1,"c":null},"l":[{"d":2},{"b":1}],"m":{"x":{"b":1},"y":{"d":2}}}`},
		{[]string{".a"}, true, `{"a":{"c":null},"l":[{"d":2},{"b":1}],"m":{"x":{"b":1},"y":{"d":2}}}`},
		{[]string{".a", ".b"}, true, text},
		{[]string{".a", ".c"}, false, text},
		{[]string{".a", ".d"}, false, text},
		{[]string{".b"}, false, text},
		{[]string{".l", "[]"}, true, `{"a":{"b":1,"c":null},"l":[{"d":2},{}],"m":{"x":{"b":1},"y":{"d":2}}}`},
		{[]string{".l", "[]", ".d"}, true, text},
		{[]string{".l", "[]", ".e"}, false, text},
		{[]string{".m", "{}"}, true, `{"a":{"b":1,"c":null},"l":[{"d":2},{"b":1}],"m":{"x":{},"y":{"d":2}}}`},
		{[]string{".m", "{}", ".d"}, true, text},
		{[]string{".m", ".x"}, true, `{"a":{"b":1,"c":null},"l":[{"d":2},{"b":1}],"m":{"x":{},"y":{"d":2}}}`},
	} {
		object := decoded(t, text)
		if got := has(object, c.node); got != c.has {
			t.Errorf("%v: %t", c.node, got)
		}
		without(object, c.node, "b")
		if diff := cmp.Diff(decoded(t, c.without), object); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.node, diff)
		}
	}
}

// A message is that of the rule: the only error, or one that names the rule.
func TestMessage(t *testing.T) {
	failed := []celrules.Explanation{{Rule: "self.b"}, {Rule: "self.a"}}
	errs := func(details ...string) (list field.ErrorList) {
		for _, detail := range details {
			list = append(list, &field.Error{Detail: detail})
		}
		return list
	}
	for _, c := range []struct {
		explanations []celrules.Explanation
		errs         field.ErrorList
		message      string
		want         string
	}{
		{failed, errs("any"), "", "any"},
		{failed[:1], errs("any"), "", ""},
		{failed, errs("x", "failed rule: self.a"), "", "failed rule: self.a"},
		{failed, errs("x", "a must be set"), "a must be set", "a must be set"},
		{failed, errs("x", "y"), "", ""},
		{failed, errs("", "y"), "", ""},
		{failed, nil, "", ""},
	} {
		r := &crdsem.Result{Errors: c.errs, Explanations: c.explanations}
		if got := message(r, structural.Rule{Rule: "self.a", Message: c.message}); got != c.want {
			t.Errorf("%v: %q, want %q", c.errs, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	object := map[string]any{"kind": "A"}
	s := &Suite{notMade: []string{"kept: a\nb"}, cases: []crdtest.Case{
		{Name: "on", Steps: []crdtest.Step{{Verb: crdtest.Create, Object: object}}},
		{Name: "two", Steps: []crdtest.Step{
			{Verb: crdtest.Create, Object: object, Want: crdtest.Want{Object: object}},
			{Verb: crdtest.Update, Object: object, Want: crdtest.Want{Errors: []string{"e", "f"}}},
		}},
	}}
	const want = `crds: a b.yaml
# no case was found: kept: a b
cases:
- name: "on"
  create:
    kind: A
- name: two
  steps:
  - create:
      kind: A
    want:
      object:
        kind: A
  - update:
      kind: A
    want:
      error: e
`
	if diff := cmp.Diff(want, string(s.Text("a b.yaml"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Cases of one name are numbered.
func TestAdd(t *testing.T) {
	m := &maker{suite: &Suite{}}
	for range 3 {
		m.add("a")
	}
	m.add("b")
	var names []string
	for _, c := range m.suite.cases {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"a", "a (2)", "a (3)", "b"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Cases that are not as stated are dropped.
func TestCheck(t *testing.T) {
	object := decoded(t, `{"apiVersion":"example.com/v1","kind":"Pool","metadata":{"name":"n"}}`)
	const text = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
		"metadata":{"name":"pools.example.com"},"spec":{"group":"example.com","scope":"Cluster",
		"names":{"plural":"pools","kind":"Pool"},"versions":[{"name":"v1","served":true,
		"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`
	crds, err := crdtest.ParseCRDs("crd.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	step := crdtest.Step{Verb: crdtest.Create, Object: object}
	refused := step
	refused.Want.Errors = []string{"x"}
	s := &Suite{cases: []crdtest.Case{
		{Name: "a", Steps: []crdtest.Step{step}}, {Name: "b", Steps: []crdtest.Step{refused}},
	}}
	if err := s.check(t.Context(), crds[0]); err != nil || len(s.cases) != 1 ||
		s.cases[0].Name != "a" || len(s.notMade) != 1 || s.notMade[0] != "b" {
		t.Errorf("%v: %+v", err, s)
	}
}

func TestPlain(t *testing.T) {
	object := decoded(t, `{"kind":"A","metadata":{"name":"n","namespace":"s","uid":"u"}}`)
	want := decoded(t, `{"kind":"A","metadata":{"name":"n","namespace":"s"}}`)
	if diff := cmp.Diff(want, plain(object)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// made returns the suite of a cluster-wide definition with a schema in YAML,
// as text.
func made(t *testing.T, schema string) (string, error) {
	t.Helper()
	const crd = `--- {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
		metadata: {name: pools.example.com}, spec: {group: example.com, scope: Cluster,
		names: {plural: pools, kind: Pool}, versions: [{name: v1, served: true, storage: true,
		subresources: {status: {}}, schema: {openAPIV3Schema: `
	crds, err := crdtest.ParseCRDs("crd.yaml", []byte(crd+schema+`}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	suite, err := Of(t.Context(), crds[0])
	if err != nil {
		return "", err
	}
	_, cases, _ := strings.Cut(string(suite.Text("crd.yaml")), "\n")
	return cases, nil
}

// What no case is found for is a comment: rules that always hold or always
// fail, and defaults of objects that are never valid.
func TestNotMade(t *testing.T) {
	const smallest = `cases:
- name: the smallest object
  create:
    apiVersion: example.com/v1
    kind: Pool
    metadata:
      name: a
  want:
    object:
      apiVersion: example.com/v1
      kind: Pool
      metadata:
        name: a
`
	for _, c := range []struct{ name, properties, notMade, more string }{
		{"a rule that always holds", `a: {type: string, x-kubernetes-validations: [{rule: "self ==\n self"}]}`,
			"broken: self == self\n", `- name: 'kept: self == self'
  create:
    a: ""
    apiVersion: example.com/v1
    kind: Pool
    metadata:
      name: a
`},
		{"a rule that never holds", `a: {type: string, x-kubernetes-validations: [{rule: "self != self", message: never}]}`,
			"kept: self != self\nbroken: self != self\n", ""},
		{"a transition rule that always holds", `a: {type: string, x-kubernetes-validations: [{rule: "oldSelf == oldSelf"}]}`,
			"broken: oldSelf == oldSelf\n", ""},
		{"a status rule that always holds", `status: {type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: self == self}]}}}`,
			"broken: self == self\n", ""},
		{"a default of an object that is never valid", `a: {type: object, properties: {b: {type: string, default: x}},
			x-kubernetes-validations: [{rule: "self != self"}]}`,
			"kept: self != self\nbroken: self != self\nthe default of a.b\n", ""},
		{"metadata and a default of the status", `metadata: {type: object, properties: {name: {type: string}}},
			status: {type: object, default: {}}`, "", "      status: {}\n"},
		{"a default of a required field", `a: {type: object, required: [status], properties: {
			status: {type: string, default: x}}}`, "", `- name: the default of a.status
  create:
    a: {}
    apiVersion: example.com/v1
    kind: Pool
    metadata:
      name: a
  want:
    object:
      a:
        status: x
      apiVersion: example.com/v1
      kind: Pool
      metadata:
        name: a
`},
		{"rules of the status that cannot be told apart", `status: {type: object, properties: {a: {type: integer,
			x-kubernetes-validations: [{rule: self > 5, messageExpression: "'m'"}, {rule: 5 < self, messageExpression: "'n'"}]}}}`,
			"broken: self > 5\nbroken: 5 < self\n", ""},
		{"a field that is named metadata", `a: {type: object, properties: {metadata: {type: object, properties: {
			b: {type: string, default: x}}}}}`, "", `- name: the default of a.metadata.b
  create:
    a:
      metadata: {}
    apiVersion: example.com/v1
    kind: Pool
    metadata:
      name: a
  want:
    object:
      a:
        metadata:
          b: x
      apiVersion: example.com/v1
      kind: Pool
      metadata:
        name: a
`},
		{"a rule of the values of a map", `m: {type: object, additionalProperties: {type: object, properties: {
			j: {type: string}, k: {type: string}}, x-kubernetes-validations: [
			{rule: "!has(self.k) || self.k != 'x'"}]}}`, "", `- name: 'kept: !has(self.k) || self.k != ''x'''
  create:
    apiVersion: example.com/v1
    kind: Pool
    m:
      é:
        k: ""
    metadata:
      name: a
- name: 'broken: !has(self.k) || self.k != ''x'''
  create:
    apiVersion: example.com/v1
    kind: Pool
    m:
      é:
        k: x
    metadata:
      name: a
  want:
    error: 'failed rule: !has(self.k) || self.k != ''x'''
`},
	} {
		got, err := made(t, `{type: object, properties: {`+c.properties+`}}`)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		want := ""
		for line := range strings.Lines(c.notMade) {
			want += "# no case was found: " + line
		}
		if diff := cmp.Diff(want+smallest+c.more, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Without a valid object there is no suite.
func TestNoValidObject(t *testing.T) {
	got, err := made(t, `{type: object, x-kubernetes-validations: [{rule: "self != self"}]}`)
	if got != "" || err == nil {
		t.Errorf("%v: %s", err, got)
	}
}
