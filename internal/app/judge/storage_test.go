package judge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// boxes has a storage version, v1, with fewer fields than v1beta2. In v1 the
// field t is an embedded resource, so that not every object of v1beta2 can be
// converted. v3 is served, too.
const boxes = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.ex.io}
spec:
  group: ex.io
  scope: Namespaced
  names: {plural: boxes, kind: Box}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      a: {type: string},
      t: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}}}
  - name: v1beta2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      a: {type: string}, dep: {type: string},
      t: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}}
  - name: v3
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

const webhook = `  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1],
    clientConfig: {url: "https://example.com"}}}
`

func box(version, spec string) string {
	return "apiVersion: ex.io/" + version + "\nkind: Box\nmetadata: {name: one}\nspec:\n" + spec
}

// What is answered, stored and read is told apart, and what is lost on the way
// is a warning at its place.
func TestStorage(t *testing.T) {
	for _, c := range []struct {
		name, definition, text string
		want                   string
	}{
		{"the storage version", boxes, box("v1", "  a: x\n"), `accepted
stored: ex.io/v1 {"a":"x"}
v1beta2: ex.io/v1beta2 {"a":"x"}
v3: ex.io/v3 {"a":"x"}
`},
		{"a field that storage lacks", boxes, box("v1beta2", "  a: x\n  dep: why\n"), `accepted
warning 6:3 PIPE-021 spec.dep: spec.dep is not stored: the storage version v1 does not have it
lost: spec.dep
stored: ex.io/v1 {"a":"x"}
answered: ex.io/v1beta2 {"a":"x"}
v3: ex.io/v3 {"a":"x"}
`},
		{"nothing lost", boxes, box("v1beta2", "  a: x\n"), `accepted
stored: ex.io/v1 {"a":"x"}
answered: ex.io/v1beta2 {"a":"x"}
v3: ex.io/v3 {"a":"x"}
`},
		{"no conversion to storage", boxes, box("v1beta2", "  t:\n    apiVersion: v1\n    kind: A\n    metadata: {labels: {a: 1}}\n"), `refused
error 8:28  spec.t.metadata.labels[a]: spec.t.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string
`},
		{"a webhook", boxes + webhook, box("v1beta2", "  dep: why\n"), `accepted
answered: ex.io/v1beta2 {"dep":"why"}
a webhook decides
`},
		{"a webhook, the storage version", boxes + webhook, box("v1", "  a: x\n"), `accepted
stored: ex.io/v1 {"a":"x"}
v1beta2: a webhook decides
v3: a webhook decides
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := stations(t, c.definition, c.text, judge.StoredObjects)
			if diff := cmp.Diff(c.want, stationsOf(r)); diff != "" {
				t.Error(diff)
			}
			// A verdict alone has the same findings.
			alone := stations(t, c.definition, c.text, judge.FindingsOnly)
			diff := cmp.Diff(r.Findings, alone.Findings)
			if diff != "" || alone.Verdict != r.Verdict {
				t.Errorf("findings only: %s %s", alone.Verdict, diff)
			}
		})
	}
}

// stations judges a new object by one definition.
func stations(t *testing.T, definition, text string, details judge.Details) *verdict.Result {
	t.Helper()
	p, _ := panel(t, judge.Judge{Details: details}, "1.37", definition)
	doc := read(t, text)[0]
	object, strict := decoded(t, doc)
	return p.Send(t.Context(), doc, object, strict)
}

// stationsOf returns the stations of a result as text: apiVersion and spec.
func stationsOf(r *verdict.Result) string {
	var b strings.Builder
	object := func(title string, object map[string]any) {
		if object != nil {
			spec, _ := json.Marshal(object["spec"])
			fmt.Fprintf(&b, "%s: %s %s\n", title, object["apiVersion"], spec)
		}
	}
	fmt.Fprintln(&b, r.Verdict)
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %d:%d %s %s: %s\n",
			f.Severity, f.Line, f.Column, f.Rule, f.Field, f.Text)
	}
	for _, c := range r.Lost {
		fmt.Fprintln(&b, "lost:", c.Path)
	}
	object("stored", r.Object)
	object("answered", r.Answer)
	for _, read := range r.Reads {
		object(read.Version, read.Object)
		if read.Webhook {
			fmt.Fprintf(&b, "%s: a webhook decides\n", read.Version)
		}
	}
	if r.Webhook {
		fmt.Fprintln(&b, "a webhook decides")
	}
	return b.String()
}
