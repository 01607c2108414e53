package spec_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/kit/generate"
)

// tally counts errors by their rules.
type tally struct {
	t         *testing.T
	errors    int
	refusals  int // before validation
	nameless  int // errors and refusals without a rule
	byRule    map[string]int
	knownRule map[string]bool
}

func newTally(t *testing.T) *tally {
	known := map[string]bool{}
	for _, c := range spec.Chapters() {
		for _, r := range c.Rules {
			known[r.ID] = true
		}
	}
	return &tally{t: t, byRule: map[string]int{}, knownRule: known}
}

// add counts an error. The test fails if its rule is missing or not in the
// book.
func (c *tally) add(at, rule, text string) {
	c.t.Helper()
	c.byRule[rule]++
	switch {
	case rule == "":
		c.nameless++
		c.t.Errorf("%s: no rule: %s", at, text)
	case !c.knownRule[rule]:
		c.t.Errorf("%s: the specification has no %s: %s", at, rule, text)
	}
}

// result counts what a request came to.
func (c *tally) result(at string, r *crdsem.Result) {
	c.t.Helper()
	for _, f := range r.Findings() {
		c.errors++
		c.add(at, f.Rule, f.Error.Error())
	}
	status, ok := errors.AsType[*crdsem.StatusError](r.Err())
	switch {
	case !ok:
	case r.Stage == crdsem.StageInvalid:
		if status.Rule != r.Errors[0].Origin {
			c.t.Errorf("%s: the answer names %q, its first error %q", at, status.Rule,
				r.Errors[0].Origin)
		}
	default:
		c.refusals++
		c.add(at, status.Rule, status.Message)
	}
}

// log shows the sums. A test that counts nothing fails.
func (c *tally) log() {
	c.t.Helper()
	c.t.Logf("%d errors and %d refusals of %d rules; without a rule: %d",
		c.errors, c.refusals, len(c.byRule), c.nameless)
	if len(c.byRule) == 0 {
		c.t.Error("nothing was counted")
	}
}

// Every error of the answers to the vectors names its rule. It need not be the
// rule that the vector is about, e.g. for a vector of ratcheting.
func TestVectors(t *testing.T) {
	count := newTally(t)
	about, handle := 0, whole.New()
	all := vectors.Eval(t, "validate", "cel", "admit", "convert")
	for _, v := range all {
		result, err := handle(context.Background(), v.Req)
		if err != nil {
			continue // a fault, which has no errors
		}
		found := false
		for _, e := range errorsOf(result) {
			count.errors++
			count.add(v.ID, e.Rule, e.Text)
			found = found || e.Rule == v.Rule
		}
		if found {
			about++
		}
	}
	t.Logf("%d of %d vectors have an error of their own rule", about, len(all))
	count.log()
}

func errorsOf(result protocol.Result) []protocol.FieldError {
	switch r := result.(type) {
	case protocol.Validated:
		return append(r.Errors, r.Ratcheted...)
	case protocol.Evaluated:
		return r.Errors
	case protocol.Admitted:
		return r.Errors
	case protocol.Converted:
		return r.Errors
	}
	return nil
}

// Every refusal of the cases names its rule.
func TestCases(t *testing.T) {
	type input struct {
		CRD             protocol.Input `json:"crd"`
		Version         string         `json:"version"`
		Object          protocol.Input `json:"object"`
		Old             protocol.Input `json:"old"`
		Subresource     string         `json:"subresource"`
		FieldValidation string         `json:"fieldValidation"`
	}
	count := newTally(t)
	for _, c := range vectors.Cases[input, any](t, "refusal") {
		definition, _ := c.Input.CRD.Document()
		def, err := crdsem.Parse(definition)
		if err != nil {
			t.Fatal(err)
		}
		v, err := def.Version(c.Input.Version)
		if err != nil {
			t.Fatal(err)
		}
		doc, format := c.Input.Object.Document()
		count.result(c.ID, v.Do(context.Background(), crdsem.Request{
			Subresource: crdsem.Subresource(c.Input.Subresource), Body: doc,
			Old:             vectors.Object(t, c.Input.Old),
			FieldValidation: crdsem.Strictness(c.Input.FieldValidation),
			Format:          crdsem.Encoding(format),
		}))
	}
	count.log()
}

// Every error of the objects of real projects, and of objects that are broken
// on purpose, names its rule.
func TestCorpus(t *testing.T) {
	count := newTally(t)
	definitions := map[string]*crdsem.Definition{}
	for i, file := range corpus.Definitions(t) {
		def, err := crdsem.Parse(file.Text)
		if err != nil {
			t.Fatalf("%s: %v", file.Name(), err)
		}
		definitions[file.Path] = def
		for _, v := range def.Model().Versions() {
			if v.Served {
				count.broken(file.Name()+" "+v.Name, def, v.Name, uint64(i))
			}
		}
	}
	for _, o := range corpus.Objects(t) {
		def := definitions[o.Definition]
		if def == nil {
			continue
		}
		if v, err := def.Version(o.Version); err == nil {
			count.object(o.Path, v, o.Text)
		}
	}
	count.log()
}

// object counts the findings on one object: as it is, and with each field at
// the top replaced.
func (c *tally) object(at string, v *crdsem.Version, text []byte) {
	c.t.Helper()
	ctx := context.Background()
	c.result(at, v.CreateBytes(ctx, text, crdsem.FieldValidation(crdsem.Strict)))
	object, _, err := jsonvalue.DecodeObject(text)
	if err != nil {
		return
	}
	old := v.Create(ctx, object).Object
	for key, value := range object {
		for _, wrong := range []any{int64(5), []any{nil}, map[string]any{"x y": 1.5}} {
			object[key] = wrong
			c.result(at+" "+key, v.Create(ctx, object))
		}
		if old != nil {
			c.result(at+" update "+key, v.Update(ctx, object, old))
		}
		object[key] = value
	}
}

// broken counts the findings on objects that are made to break the schema.
func (c *tally) broken(at string, def *crdsem.Definition, version string, seed uint64) {
	c.t.Helper()
	v, err := def.Version(version)
	if err != nil {
		c.t.Fatalf("%s: %v", at, err)
	}
	resources, err := generate.NewResources(def, version)
	if err != nil {
		return
	}
	ctx, r := context.Background(), rand.New(rand.NewPCG(seed, 17))
	for range 3 {
		object, _, err := resources.Broken(r)
		if err != nil {
			return
		}
		c.result(at, v.Create(ctx, object))
	}
	if old, err := resources.Valid(r); err == nil {
		if object, _, err := resources.BrokenUpdate(r, old); err == nil {
			c.result(at+" update", v.Update(ctx, object, old))
		}
	}
}

// Every answer to a request that is refused before validation names its rule.
func TestRefusals(t *testing.T) {
	const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ks.g.io}
spec:
  group: g.io
  scope: Namespaced
  names: {plural: ks, kind: K}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {replicas: {type: integer}, e: {type: object, x-kubernetes-embedded-resource: true}}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`
	def, err := crdsem.Parse([]byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	const head = `"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"a"`
	stored, _, err := jsonvalue.DecodeObject([]byte(`{` + head + `,"resourceVersion":"5"},"spec":{"replicas":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	count, ctx := newTally(t), context.Background()
	for _, body := range []string{
		``, `{`, `[]`, "a: [", "a: .inf", `{"apiVersion":"g.io/v1"}`, `{"kind":5}`, `{"kind":"K","apiVersion":"a/b/c"}`,
		`{` + head + `},"spec":{"x":1}}`, `{` + head + `,"labels":{"a":1}}}`, `{` + head + `},"spec":{"e":{"kind":1}}}`,
		`{` + head + `},"spec":{"e":{"metadata":5}}}`, `{"apiVersion":"g.io/v2","kind":"K"}`, `{` + head + `},"n":1e999}`,
		`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"other","namespace":"a"}}`, `{"apiVersion":"g.io/v1","kind":"K"}`,
		`{` + head + `,"resourceVersion":"x"}}`, `{` + head + `,"resourceVersion":"4"}}`, `{` + head + `}}`,
		strings.Replace(`{`+head+`}}`, `"namespace":"a"`, `"namespace":"b"`, 1),
	} {
		for _, level := range []crdsem.Option{
			crdsem.FieldValidation(crdsem.Strict), crdsem.FieldValidation(crdsem.Ignore),
		} {
			count.result("create "+body,
				v.CreateBytes(ctx, []byte(body), level, crdsem.Namespace("a")))
			count.result("update "+body,
				v.UpdateBytes(ctx, []byte(body), stored, level,
					crdsem.Concurrency(crdsem.RequireResourceVersion)))
			count.result("status "+body, v.UpdateStatusBytes(ctx, []byte(body), stored, level))
			count.result("merge "+body,
				v.Patch(ctx, []byte(body), crdsem.MergePatch, stored, level))
			count.result("patch "+body, v.Patch(ctx, []byte(body), crdsem.JSONPatch, stored, level))
			count.result("type "+body, v.Patch(ctx, []byte(body), "text/plain", stored, level))
		}
	}
	for _, patch := range []string{
		`[{"op":"fly"}]`, `[{"op":"remove","path":"/x"}]`, `[{"op":"remove","path":"/kind"}]`, `[{"op":"remove","path":"/apiVersion"}]`,
		`[` + strings.Repeat(`{"op":"test","path":"/kind","value":"K"},`, 10000) + `{"op":"test","path":"/kind","value":"K"}]`,
		`[{"op":"add","path":"/metadata","value":5}]`, `[{"op":"add","path":"/spec/e","value":{"metadata":[]}}]`,
		`[{"op":"add","path":"/apiVersion","value":"g.io/v2"}]`, `[{"op":"add","path":"/metadata/resourceVersion","value":""}]`,
	} {
		count.result("patch "+patch,
			v.Patch(ctx, []byte(patch), crdsem.JSONPatch, stored,
				crdsem.FieldValidation(crdsem.Strict)))
	}
	count.result("scale", v.UpdateScale(ctx, stored, crdsem.Scale{Replicas: -1 << 31}))
	count.result("negative scale", v.UpdateScale(ctx, stored, crdsem.Scale{Replicas: -1}))
	count.log()
}
