package contexts_test

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/celrules/policy"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/contexts"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/kit/advice/lint"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/catalog"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/merge/apply"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// fixture is hostile input, read and compiled.
type fixture struct {
	t           *testing.T
	def         *crdsem.Definition
	v           *crdsem.Version
	schema      *structural.Schema
	crd, wide   *definition.CRD
	wideText    []byte
	object, old map[string]any
	body        []byte
	review      []byte
	pod         *builtin.Kind
}

func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func newFixture(t *testing.T) *fixture {
	x := &fixture{t: t, object: contexts.Object("x"), old: contexts.Object("y")}
	x.wideText = []byte(contexts.Definition(300))
	x.crd, _, _ = definition.Parse([]byte(contexts.Definition(0)))
	x.wide, _, _ = definition.Parse(x.wideText)
	x.def = must[*crdsem.Definition](t)(crdsem.Parse(
		[]byte(contexts.Definition(0)), apply.Server()))
	x.v = must[*crdsem.Version](t)(x.def.Version("v1"))
	x.schema = x.v.Schema()
	x.pod = must[*builtin.Kind](t)(builtin.Find(manifest.TypeOf(
		map[string]any{"apiVersion": "v1", "kind": "Pod"}), minors.Minor("")))
	x.body = must[[]byte](t)(json.Marshal(x.object))
	x.review = must[[]byte](t)(json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": map[string]any{"uid": "u", "desiredAPIVersion": "g.io/v2",
			"objects": []any{x.object}},
	}))
	return x
}

// ignore takes any results.
func ignore(...any) {}

// Every exported function that takes a context ends with it.
func TestEverythingEndsWithItsContext(t *testing.T) {
	x := newFixture(t)
	rows := map[string]func(context.Context){}
	for _, of := range []map[string]func(context.Context){
		x.facade(), x.pieces(), x.merges(), x.conversions(), x.tools(), x.tests(),
	} {
		maps.Copy(rows, of)
	}
	contexts.Run(t, "../../..", rows, "internal/app/edit")
}

func (x *fixture) facade() map[string]func(context.Context) {
	list := map[string]any{"apiVersion": "g.io/v1", "kind": "KList",
		"items": []any{x.object, x.old}}
	patch := []byte(`[` + strings.TrimSuffix(strings.Repeat(
		`{"op":"copy","from":"/spec/l","path":"/spec/l"},`, 10_000), ",") + `]`)
	return map[string]func(context.Context){
		". Definition.Convert": func(ctx context.Context) {
			ignore(x.def.Convert(ctx, x.object, "g.io/v2"))
		},
		". Definition.ConvertList": func(ctx context.Context) {
			ignore(x.def.ConvertList(ctx, list, "g.io/v2"))
		},
		". Definition.Store":      func(ctx context.Context) { x.def.Store(ctx, x.object) },
		". Definition.ReadServed": func(ctx context.Context) { x.def.ReadServed(ctx, x.object) },
		". Version.Write":         func(ctx context.Context) { x.v.Write(ctx, x.object) },
		". Version.Prepare":       func(ctx context.Context) { ignore(x.v.Prepare(ctx)) },
		". Version.Create":        func(ctx context.Context) { x.v.Create(ctx, x.object) },
		". Version.CreateBytes":   func(ctx context.Context) { x.v.CreateBytes(ctx, x.body) },
		". Version.Update":        func(ctx context.Context) { x.v.Update(ctx, x.object, x.old) },
		". Version.UpdateBytes":   func(ctx context.Context) { x.v.UpdateBytes(ctx, x.body, x.old) },
		". Version.UpdateStatus": func(ctx context.Context) {
			x.v.UpdateStatus(ctx, x.object, x.old)
		},
		". Version.UpdateStatusBytes": func(ctx context.Context) {
			x.v.UpdateStatusBytes(ctx, x.body, x.old)
		},
		". Version.Patch": func(ctx context.Context) {
			x.v.Patch(ctx, patch, crdsem.JSONPatch, x.object)
		},
		". Version.PatchStatus": func(ctx context.Context) {
			x.v.PatchStatus(ctx, patch, crdsem.JSONPatch, x.object)
		},
		". PatchType.Apply": func(ctx context.Context) {
			ignore(crdsem.JSONPatch.Apply(ctx, x.object, patch))
		},
		". PatchType.ApplyText": func(ctx context.Context) {
			ignore(crdsem.JSONPatch.ApplyText(ctx, x.body, patch, crdsem.Warn))
		},
		". Version.Apply": func(ctx context.Context) {
			x.v.Apply(ctx, x.object, x.old, crdsem.FieldManager("m"), crdsem.Force())
		},
		". Version.ApplyStatus": func(ctx context.Context) {
			x.v.ApplyStatus(ctx, x.object, x.old, crdsem.FieldManager("m"), crdsem.Force())
		},
		". Version.Read":  func(ctx context.Context) { x.v.Read(ctx, x.object) },
		". Version.Scale": func(ctx context.Context) { ignore(x.v.Scale(ctx, x.object)) },
		". Version.UpdateScale": func(ctx context.Context) {
			x.v.UpdateScale(ctx, x.object, crdsem.Scale{})
		},
		". Version.Do": func(ctx context.Context) {
			x.v.Do(ctx, crdsem.Request{Verb: crdsem.VerbCreate, Object: x.object})
		},
	}
}

// pieces are the packages below the facade.
func (x *fixture) pieces() map[string]func(context.Context) {
	values, rules := validation.Compile(x.schema), celrules.Compile(x.schema)
	compiler := must[*policy.Compiler](x.t)(policy.NewCompiler(minors.Newest()))
	condition := compiler.Compile("object.spec.l.all(a, object.spec.l.all(b, a+'c' != b))",
		policy.Condition)
	configuration := compiler.Compile(
		"Object{spec: object.spec.l.all(a, object.spec.l.all(b, a+'c' != b))}",
		policy.Configuration)
	patch := compiler.Compile("object.spec.l.all(a, object.spec.l.all(b, a+'c' != b)) ? "+
		"[JSONPatch{op: 'add'}] : []", policy.Patch)
	path := field.NewPath("spec")
	return map[string]func(context.Context){
		"celrules Rules.Prepare":  func(ctx context.Context) { ignore(rules.Prepare(ctx)) },
		"celrules Rules.Validate": func(ctx context.Context) { rules.Validate(ctx, x.object, x.old) },
		"celrules/policy Run.Eval": func(ctx context.Context) {
			run := compiler.Start(policy.Request{Object: x.object}, policy.ConditionsBudget)
			ignore(run.Eval(ctx, condition))
		},
		"celrules/policy Run.Configuration": func(ctx context.Context) {
			run := compiler.Start(policy.Request{Object: x.object}, policy.ConditionsBudget)
			ignore(run.Configuration(ctx, configuration))
		},
		"celrules/policy Run.Patch": func(ctx context.Context) {
			run := compiler.Start(policy.Request{Object: x.object}, policy.ConditionsBudget)
			ignore(run.Patch(ctx, patch))
		},
		"celrules/policy Run.Match": func(ctx context.Context) {
			run := compiler.Start(policy.Request{Object: x.object}, policy.ConditionsBudget)
			ignore(run.Match(ctx, []*policy.Expression{condition}))
		},
		"celrules/check NewTrial": func(ctx context.Context) {
			ignore(check.NewTrial(ctx, x.wideSchema()))
		},
		"celrules/check Costs": func(ctx context.Context) {
			ignore(check.Costs(ctx, x.wideSchema()))
		},
		"celrules/check Validate": func(ctx context.Context) {
			ignore(check.Validate(ctx, x.wideSchema(), path))
		},
		"definition/validate Create": func(ctx context.Context) { validate.Create(ctx, x.wide) },
		"definition/validate Stored": func(ctx context.Context) {
			validate.Stored(ctx, x.wide)
		},
		"definition/validate Update": func(ctx context.Context) {
			validate.Update(ctx, x.wide, x.crd)
		},
		"validation Validator.EmbeddedResources": func(ctx context.Context) {
			values.EmbeddedResources(ctx, path, x.object)
		},
		"validation Validator.ListTypes": func(ctx context.Context) {
			values.ListTypes(ctx, x.object)
		},
		"validation Validator.ListTypesUpdate": func(ctx context.Context) {
			ignore(values.ListTypesUpdate(ctx, x.object, x.old))
		},
		"validation Validator.RootAndEmbeddedResources": func(ctx context.Context) {
			values.RootAndEmbeddedResources(ctx, path, x.object)
		},
		"validation Validator.StatusValuesUpdate": func(ctx context.Context) {
			ignore(values.StatusValuesUpdate(ctx, x.object, x.old))
		},
		"validation Validator.Validate": func(ctx context.Context) { values.Validate(ctx, x.object) },
		"validation Validator.ValidateStatusUpdate": func(ctx context.Context) {
			ignore(values.ValidateStatusUpdate(ctx, x.object, x.old))
		},
		"validation Validator.ValidateUpdate": func(ctx context.Context) {
			ignore(values.ValidateUpdate(ctx, x.object, x.old))
		},
		"validation Validator.Values": func(ctx context.Context) {
			values.Values(ctx, path, x.object)
		},
		"validation Validator.ValuesUpdate": func(ctx context.Context) {
			ignore(values.ValuesUpdate(ctx, x.object, x.old))
		},
	}
}

func (x *fixture) wideSchema() *structural.Schema {
	model := must[*definition.Model](x.t)(definition.Compile(x.wide))
	return model.Version("v1").Schema()
}

func (x *fixture) merges() map[string]func(context.Context) {
	of := merge.Compile(x.schema)
	managers := must[*merge.FieldManager](x.t)(merge.NewFieldManager("K",
		[]merge.Version{{APIVersion: "g.io/v1", Type: of}}, merge.Hooks{}))
	by := merge.Request{APIVersion: "g.io/v1", Manager: "m", Force: true}
	return map[string]func(context.Context){
		"merge/apply WithTime": func(ctx context.Context) { apply.WithTime(ctx, time.Time{}) },
		"merge/apply Tracker.Track": func(ctx context.Context) {
			ignore(apply.NewTracker(x.v).Track(ctx, crdsem.Request{Object: x.object}, x.object))
		},
		"merge FieldManager.Apply": func(ctx context.Context) {
			ignore(managers.Apply(ctx, x.old, x.object, by))
		},
		"merge FieldManager.Update": func(ctx context.Context) {
			ignore(managers.Update(ctx, x.old, x.object, by))
		},
	}
}

// conversions have functions and a server that wait for the context.
func (x *fixture) conversions() map[string]func(context.Context) {
	slow := func(ctx context.Context, _ map[string]any) (map[string]any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	functions := must[*conversion.Functions](x.t)(conversion.Pairwise(
		conversion.Route{From: "g.io/v1", To: "g.io/v2", Convert: slow},
		conversion.Route{From: "g.io/v2", To: "g.io/v1", Convert: slow}))
	waits := conversion.WebhookFunc(func(ctx context.Context, _ []byte) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	spec := conversion.Spec{CRD: "ks.g.io", Group: "g.io", Versions: []string{"v1", "v2"},
		Strategy: conversion.StrategyWebhook, ReviewVersions: []string{"v1"}}
	converter := must[*conversion.Converter](x.t)(conversion.New(spec, waits))
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	x.t.Cleanup(silent.Close)
	spec.Client.URL = silent.URL
	client := must[*webhook.Client](x.t)(webhook.New(spec, webhook.AllowHTTP()))
	x.t.Cleanup(client.Close)
	list := map[string]any{"apiVersion": "g.io/v1", "kind": "KList",
		"items": []any{x.object, x.old}}
	return map[string]func(context.Context){
		"conversion Converter.Convert": func(ctx context.Context) {
			ignore(converter.Convert(ctx, x.object, "g.io/v2"))
		},
		"conversion Converter.ConvertList": func(ctx context.Context) {
			ignore(converter.ConvertList(ctx, list, "g.io/v2"))
		},
		"conversion Functions.Call": func(ctx context.Context) {
			ignore(functions.Call(ctx, x.review))
		},
		"conversion Functions.Convert": func(ctx context.Context) {
			ignore(functions.Convert(ctx, x.object, "g.io/v2"))
		},
		"conversion RoundTrip": func(ctx context.Context) {
			ignore(conversion.RoundTrip(ctx, functions, x.object, "g.io/v2", nil))
		},
		"conversion WebhookFunc.Call": func(ctx context.Context) { ignore(waits.Call(ctx, x.review)) },
		"conversion/webhook Client.Call": func(ctx context.Context) {
			ignore(client.Call(ctx, x.review))
		},
	}
}

func (x *fixture) tools() map[string]func(context.Context) {
	resources := must[*generate.Resources](x.t)(generate.NewResources(x.def, "v1"))
	changed := []byte(strings.ReplaceAll(string(x.wideText), `["a","b`, `["c","b`))
	other, _, _ := definition.Parse(changed)
	report := must[*upgrade.Report](x.t)(upgrade.CompareCRDs(x.t.Context(), x.crd, x.crd))
	unknown := &field.Error{Field: "spec", Origin: "VAL-081", BadValue: x.object}
	hints := &advice.Object{Schema: x.wideSchema(), Object: x.object}
	var document map[string]any
	if err := json.Unmarshal(x.wideText, &document); err != nil {
		x.t.Fatal(err)
	}
	fixed := &advice.Definition{Document: document}
	whole, _, err := jsonvalue.DecodeObject(x.wideText)
	if err != nil {
		x.t.Fatal(err)
	}
	both := []minors.Minor{"1.37", "1.38"}
	cluster := must[*upgrade.ClusterReport](x.t)(
		upgrade.CompareMinors(x.t.Context(), whole, both, upgrade.Tries(0)))
	costly := &check.RuleCost{Path: "openAPIV3Schema", Rule: "has(self.a) != has(self.b)"}
	w := edit.NewWorkspace(edit.UTF16)
	w.Set("crd.json", contexts.Definition(0))
	w.Set("a.json", string(x.body))
	return map[string]func(context.Context){
		"kit/advice Definition.Hint":    func(ctx context.Context) { fixed.Hint(ctx, unknown) },
		"kit/advice Definition.Silent":  func(ctx context.Context) { fixed.Silent(ctx) },
		"kit/advice Definition.Warning": func(ctx context.Context) { fixed.Warning(ctx, `unknown field "a"`) },
		"kit/advice Object.Hint":        func(ctx context.Context) { hints.Hint(ctx, unknown) },
		"kit/advice Object.Warning":     func(ctx context.Context) { hints.Warning(ctx, `unknown field "a"`) },
		"kit/advice/lint Definition": func(ctx context.Context) {
			ignore(lint.Definition(ctx, x.def.Model(), document))
		},
		"internal/app/edit Workspace.Repair": func(ctx context.Context) {
			ignore(w.Repair(ctx, "a.json"))
		},
		"internal/app/edit Workspace.Actions": func(ctx context.Context) {
			ignore(w.Actions(ctx, "a.json", 0, 1))
		},
		"internal/app/edit Workspace.Complete": func(ctx context.Context) {
			w.Complete(ctx, "a.json", edit.Position{})
		},
		"internal/app/edit Workspace.Definition": func(ctx context.Context) {
			w.Definition(ctx, "a.json", edit.Position{})
		},
		"internal/app/edit Workspace.Diagnose": func(ctx context.Context) { ignore(w.Diagnose(ctx, "a.json")) },
		"internal/app/edit Workspace.Hover":    func(ctx context.Context) { w.Hover(ctx, "a.json", edit.Position{}) },
		"internal/app/edit Workspace.Inlays":   func(ctx context.Context) { ignore(w.Inlays(ctx, "a.json")) },
		"internal/app/edit Workspace.Prepare":  func(ctx context.Context) { w.Prepare(ctx, "crd.json", nil) },
		"internal/app/edit Workspace.Skeleton": func(ctx context.Context) {
			ignore(w.Skeleton(ctx, "example.com/v1", "Tab"))
		},
		"internal/app/edit Workspace.Stored": func(ctx context.Context) { ignore(w.Stored(ctx, "a.json", 0)) },
		"internal/app/edit Workspace.Whole":  func(ctx context.Context) { w.Whole(ctx, "a.json", 0) },
		"kit/generate Resources.Search": func(ctx context.Context) {
			search := resources.Search(ctx, nil, []string{".spec"}, 1000)
			ignore(search.Judged())
		},
		"kit/generate Resources.Within": func(ctx context.Context) { resources.Within(ctx) },
		"kit/builtin Kind.Validate":     func(ctx context.Context) { ignore(x.pod.Validate(ctx, x.object)) },
		"kit/skew Compare":              func(ctx context.Context) { ignore(skew.Compare(ctx, x.wideText, nil, x.object)) },
		"kit/upgrade Compare": func(ctx context.Context) {
			ignore(upgrade.Compare(ctx, x.wideText, changed))
		},
		"kit/upgrade CompareCRDs": func(ctx context.Context) {
			ignore(upgrade.CompareCRDs(ctx, x.wide, other))
		},
		"kit/upgrade CompareMinors": func(ctx context.Context) {
			ignore(upgrade.CompareMinors(ctx, whole, both))
		},
		"kit/upgrade ClusterReport.Judge": func(ctx context.Context) {
			ignore(cluster.Judge(ctx, x.object))
		},
		"kit/skew CureOf": func(ctx context.Context) {
			ignore(skew.CureOf(ctx, whole, "spec.versions[0].schema.openAPIV3Schema", costly))
		},
		"kit/upgrade Report.Judge":   func(ctx context.Context) { ignore(report.Judge(ctx, x.object)) },
		"kit/upgrade Report.Prepare": func(ctx context.Context) { ignore(report.Prepare(ctx)) },
	}
}

func (x *fixture) tests() map[string]func(context.Context) {
	crds := must[[]*crdtest.CRD](x.t)(crdtest.ParseCRDs("crd.json", []byte(contexts.Definition(0))))
	suite := must[[]byte](x.t)(json.Marshal(map[string]any{
		"cases": []any{map[string]any{
			"name": "a", "create": x.object,
		}},
	}))
	suites, err := crdtest.ParseSuites("suite.json", suite)
	if err != nil {
		x.t.Fatal(err)
	}
	jobs := crdtest.Jobs(crds, suites)
	file := filepath.Join(x.t.TempDir(), "crd.json")
	if err := os.WriteFile(file, x.wideText, 0o600); err != nil {
		x.t.Fatal(err)
	}
	return map[string]func(context.Context){
		"kit/catalog Catalog.Judge": func(ctx context.Context) {
			for f := range catalog.New().Judge(ctx, file) {
				ignore(f, f.Err)
			}
		},
		"kit/crdtest Execute": func(ctx context.Context) { ignore(crdtest.Execute(ctx, crds, suites)) },
		"kit/crdtest Job.Run": func(ctx context.Context) { jobs[0].Run(ctx, nil) },
		"kit/crdtest Rewrite": func(ctx context.Context) { ignore(crdtest.Rewrite(ctx, crds, suites)) },
	}
}
