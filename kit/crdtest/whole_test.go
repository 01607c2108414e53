package crdtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// Documents of other kinds are no definitions, and what is not YAML is an
// error.
func TestDefinitionsOfDocuments(t *testing.T) {
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
		"metadata: {name: as.a.io}\nspec: {versions: [{name: v1}, {name: v2}]}\n"
	for _, c := range []struct{ text, each, all string }{
		{crd, "as.a.io f:1 [v1 v2]", "as.a.io"},
		{"kind: A\n---\n" + crd, "f: no CustomResourceDefinition", "as.a.io"},
		{"kind: A\n", "f: no CustomResourceDefinition", ""},
		{"3\n", "f:1:1: expected an object, got integer", "f:1:1: expected an object, got integer"},
		{crd + "---\na: [", "as.a.io f:1 [v1 v2]", "f:6:5: yaml: did not find expected node content"},
	} {
		for doc, err := range manifest.Read("f", strings.NewReader(c.text)) {
			if err != nil {
				t.Fatal(err)
			}
			crd, err := crdtest.NewCRD(doc)
			got := fmt.Sprint(err)
			if err == nil {
				at := crd.Document().Find("kind").Key
				got = fmt.Sprintf("%s %s:%d %v", crd.Name(), crd.File, at.Line-1, crd.Versions())
			} else if crd != nil {
				t.Errorf("%q: %v with an error", c.text, crd)
			}
			if got != c.each {
				t.Errorf("%q: %s, want %s", c.text, got, c.each)
			}
			break
		}
		crds, err := crdtest.ParseCRDs("f", []byte(c.text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		for _, crd := range crds {
			got += crd.Name()
		}
		if got != c.all {
			t.Errorf("%q: %s, want %s", c.text, got, c.all)
		}
	}
}

// A file that changed since it was read, and a case that cannot be sent, are
// errors. A suite in another format is left as it is.
func TestRewriteOfChangedFiles(t *testing.T) {
	const cases = "- name: a\n  create: {apiVersion: stable.example.com/v1, kind: CronTab}"
	for _, c := range []struct {
		name   string
		change func(file string, suite *crdtest.Suite) error
		want   string
	}{
		{"gone", func(file string, _ *crdtest.Suite) error { return os.Remove(file) },
			"stat F: no such file or directory"},
		{"not YAML", func(file string, _ *crdtest.Suite) error {
			return os.WriteFile(file, []byte("a: ["), 0o600)
		}, "F:1:5: yaml: did not find expected node content"},
		{"two documents", func(file string, _ *crdtest.Suite) error {
			return os.WriteFile(file, []byte("a: b\n---\na: b\n"), 0o600)
		}, "F: want one document, found 2"},
		{"no definition", func(_ string, suite *crdtest.Suite) error {
			suite.CRDFiles[0] += "x"
			return nil
		}, "D/crd.yamlx: no such file or directory"},
		{"what is stored", func(_ string, suite *crdtest.Suite) error {
			suite.Cases[0].Stored = map[string]any{"a": func() {}}
			return nil
		}, "stored: json: unsupported type: func()"},
		{"another format", func(_ string, suite *crdtest.Suite) error {
			suite.File = "x.yaml"
			return nil
		}, ""},
	} {
		file, suites := crdcases.Suite(t, crontab, cases)
		if err := c.change(file, suites[0]); err != nil {
			t.Fatal(err)
		}
		next, more := crdcases.Suite(t, crontab, cases)
		changed, err := crdtest.Rewrite(t.Context(), nil, append(suites, more...))
		if c.want == "" {
			if err != nil || len(changed) != 1 || changed[0].File != next {
				t.Errorf("%s: %v, %v", c.name, changed, err)
			}
			continue
		}
		text := strings.ReplaceAll(fmt.Sprint(err), file, "F")
		text = strings.ReplaceAll(text, filepath.Dir(file), "D")
		if text != c.want || len(changed) > 0 {
			t.Errorf("%s: %s, want %s; %v", c.name, text, c.want, changed)
		}
	}
}

// What is stated is written where a step has warnings or findings that are
// ratcheted, also into a file whose last line does not end.
func TestRewriteOfWarnings(t *testing.T) {
	const exceeds = "spec: Invalid value: replicas exceeds maxReplicas"
	const header = "\n    apiVersion: stable.example.com/v1beta1\n    kind: CronTab\n"
	v1 := strings.Replace(header, "v1beta1", "v1", 1)
	file, suites := crdcases.Suite(t, crontab, "- name: warned\n  create:"+header+
		"  want: {error: a}\n- name: ratcheted\n  stored:"+header+"    spec: {cronSpec: 3}\n"+
		"  update:"+header+"    spec: {cronSpec: 3}\n  want: {ratcheted: []}\n"+
		"- name: refused\n  want: {}\n  create:"+v1+"    spec: {cronSpec: a, replicas: 6}\n"+
		"- name: no status\n  stored:"+header+"  updateStatus:"+header+
		"- name: known\n  want: {warnings: [a]}\n  create:"+header+"    unknown: a")
	changed, err := crdtest.Rewrite(t.Context(), nil, suites)
	if err != nil || len(changed) != 1 {
		t.Fatal(changed, err)
	}
	if diff := cmp.Diff([]string{
		"cases[0] (warned): the request was to be refused; the file now states that it is admitted",
		"cases[2] (refused): the request was to be admitted; the file now states that it is " +
			"refused: CronTab.stable.example.com \"test-00000\" is invalid: " + exceeds,
		"cases[3] (no status): the request was to be admitted; the file now states that it is " +
			"refused: crontabs.stable.example.com \"test\" not found",
	}, changed[0].Warnings); diff != "" {
		t.Error(diff)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const deprecated = "stable.example.com/v1beta1 CronTab is deprecated; use " +
		"stable.example.com/v1 CronTab\n"
	want := "crds: crd.yaml\ncases:\n- name: warned\n  create:" + header +
		"  want:\n    object:\n      apiVersion: stable.example.com/v1beta1\n" +
		"      kind: CronTab\n    warnings:\n    - " + deprecated +
		"- name: ratcheted\n  stored:" + header + "    spec: {cronSpec: 3}\n  update:" + header +
		"    spec: {cronSpec: 3}\n  want:\n    ratcheted:\n    - 'spec.cronSpec: Invalid value: " +
		"\"integer\": spec.cronSpec in body must be of type\n      string: \"integer\"'\n" +
		"    warnings:\n    - " + deprecated +
		"- name: refused\n  want:\n    error:\n    - 'spec: Invalid value: replicas exceeds " +
		"maxReplicas'\n  create:" + v1 + "    spec: {cronSpec: a, replicas: 6}\n" +
		"- name: no status\n  stored:" + header + "  updateStatus:" + header +
		"  want:\n    error:\n    - crontabs.stable.example.com \"test\" not found\n" +
		"- name: known\n  want:\n    warnings:\n    - " + deprecated +
		"    - unknown field \"unknown\"\n  create:" + header + "    unknown: a"
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
}

func TestScore(t *testing.T) {
	for want, score := range map[string]crdtest.Score{
		"100.0% of 0 goals": {}, "0.0% of 1 goals": {Goals: 1},
		"66.7% of 3 goals": {Reached: 2, Goals: 3},
	} {
		if got := score.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// child makes TestRunReports run suites that fail, in a process of its own.
const child = "CRDTEST_CHILD"

// Cases are subtests: they fail, are skipped, or log a warning.
func TestRunReports(t *testing.T) {
	const text = refusedCRD + "status: {conditions: [{type: Established, status: 'True'}]}\n"
	if os.Getenv(child) != "" {
		crds, err := crdtest.ParseCRDs("crd.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		good, bad := createSuite(cronTab(nil), crdtest.Want{}),
			createSuite(cronTab(nil), crdtest.Want{Refused: true})
		other := createSuite(map[string]any{"apiVersion": "v1", "kind": "Pod"}, crdtest.Want{})
		bad.Name, other.Name = "b", "o"
		crdtest.Run(t, crds, []*crdtest.Suite{good, bad, other})
		return
	}
	run := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRunReports$", "-test.v")
	run.Env = append(os.Environ(), child+"=1")
	out, err := run.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); !failed {
		t.Fatalf("%v\n%s", err, out)
	}
	const name = "TestRunReports/"
	for _, want := range []string{
		"--- PASS: " + name + "s/definition_crontabs.stable.example.com ",
		": a server has stored the definition: it is believed, but as a new one it would be " +
			"crd.yaml:16:11: " + refusedA,
		"--- PASS: " + name + "s/c ", "--- FAIL: " + name + "b/c ", "--- SKIP: " + name + "o/c ",
		": create: admitted, want it refused\n", ": v1 Pod is built into Kubernetes\n",
	} {
		if strings.Count(string(out), want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, out)
		}
	}
}

// Errors of a step made in Go have its verb alone.
func TestErrorsOfSteps(t *testing.T) {
	crds, err := crdtest.ReadCRDs(crontab)
	if err != nil {
		t.Fatal(err)
	}
	type Other struct{ A int }
	good := cronTab(map[string]any{"cronSpec": "a"})
	for _, c := range []struct {
		step crdtest.Step
		want string
	}{
		{crdtest.Step{Verb: crdtest.Create, Object: 3},
			"create: int: expected an object, got integer"},
		{crdtest.Step{Verb: crdtest.Create, Object: func() {}},
			"create: json: unsupported type: func()"},
		{crdtest.Step{Verb: crdtest.Create, Object: struct{ A int }{}},
			`create: apiVersion "" and kind "" name no resource`},
		{crdtest.Step{Verb: crdtest.Create, Object: &Other{}}, "create: *crdtest_test.Other: has " +
			`no kind, and no definition is of kind "Other"`},
		{crdtest.Step{Verb: "delete", Object: good},
			`delete: unknown verb "delete": want one of [create update updateStatus apply applyStatus patch patchStatus convert read]`},
		{crdtest.Step{Verb: crdtest.Update, Object: 3},
			"update: int: expected an object, got integer"},
		{crdtest.Step{Verb: crdtest.Create, Object: good, CRDPatches: []crdtest.Patch{{
			Op: "add", Path: "/a", Value: []any{func() {}}}}}, "create: testdata/crontab/crd.yaml: " +
			"patched: [0]: a value of type func() is not one of map[string]any, []any, string, " +
			"bool, int64, float64, nil"},
		{crdtest.Step{Verb: crdtest.Create, Object: good,
			Want: crdtest.Want{Object: map[string]any{"a": func() {}}}},
			"create: the stated object: json: unsupported type: func()"},
	} {
		suite := createSuite(nil, crdtest.Want{})
		suite.Cases[0].Steps[0] = c.step
		suite.Cases[0].Stored = good
		results, err := crdtest.Execute(t.Context(), crds, []*crdtest.Suite{suite})
		if err != nil || len(results) != 1 || fmt.Sprint(results[0].Err) != c.want {
			t.Errorf("%v, %v, want %s", results, err, c.want)
		}
	}
	stored := createSuite(good, crdtest.Want{})
	stored.Cases[0].Stored = map[string]any{"a": func() {}}
	only := createSuite(map[string]any{"apiVersion": "stable.example.com/v1beta1",
		"kind": "CronTab"}, crdtest.Want{})
	only.Version = "v1"
	for want, suite := range map[string]*crdtest.Suite{
		"stored: json: unsupported type: func()":                                               stored,
		"create: crontabs.stable.example.com does not serve version \"v1beta1\"; it serves v1": only,
	} {
		failed, _ := crdcases.Failures(t, crds, []*crdtest.Suite{suite})
		if diff := cmp.Diff(map[string]string{"s/c": want}, failed); diff != "" {
			t.Error(diff)
		}
	}
	// A definition that a later object needs.
	refused, err := crdtest.ParseCRDs("crd.yaml", []byte(refusedCRD))
	if err != nil {
		t.Fatal(err)
	}
	later := createSuite(cronTab(nil), crdtest.Want{})
	later.Cases[0].Stored = map[string]any{"a": func() {}}
	if r, err := crdtest.Execute(t.Context(), refused, []*crdtest.Suite{later}); err != nil ||
		len(r) != 2 || r[0].Name() != "s/definition crontabs.stable.example.com" {
		t.Errorf("%v, %v", r, err)
	}
	// A suite or a case of a minor that is not known.
	suite := createSuite(good, crdtest.Want{})
	suite.Version, suite.Kubernetes = "v1", "1.2"
	failed, _ := crdcases.Failures(t, crds, []*crdtest.Suite{suite})
	if _, err := minors.ParseRange("1.2"); len(failed) != 1 ||
		failed["s/definitions"] != fmt.Sprint(err) {
		t.Errorf("%v, want %v", failed, err)
	}
	suite.Version, suite.Kubernetes = "", ""
	suite.File, suite.Cases[0].Kubernetes = "f", "1.2"
	results, err := crdtest.Execute(t.Context(), crds, []*crdtest.Suite{suite})
	if err != nil || len(results) != 1 || results[0].Name() != "s/definitions" {
		t.Fatal(results, err)
	}
	const want = "f: c: "
	if text := results[0].Err.Error(); !strings.HasPrefix(text, want) {
		t.Errorf("%s, want %s", text, want)
	}
}

// Suites share a definition that they read, and a job knows its definitions.
func TestJobs(t *testing.T) {
	const cases = "cases:\n- {name: a, create: " + inFlow + "}\n- {name: b, stored: " + inFlow +
		", read: v1}\n- {name: c, stored: {apiVersion: v1, kind: CronTab}, read: v1}\n" +
		"- {name: d, stored: {kind: CronTab}, read: v1}\n"
	file, _ := crdcases.Suite(t, crontab, "")
	folder := filepath.Dir(file)
	crdcases.Write(t, folder, "other.yaml", strings.ReplaceAll(refusedCRD, "stable.", "other."))
	crdcases.Write(t, folder, "x.crdtest.yaml", "crds: crd.yaml\n"+cases)
	crdcases.Write(t, folder, "y.crdtest.yaml", "crds: [./crd.yaml, other.yaml]\n"+cases)
	crdcases.Write(t, folder, "z.crdtest.yaml", cases)
	given, suites := crdcases.Read(t, []string{filepath.Join(folder, "crd.yaml")}, folder)
	own := crdtest.Jobs(nil, suites)
	shared := crdtest.Jobs(given, suites)
	if len(own) != 12 || len(shared) != 12 {
		t.Fatal(len(own), len(shared))
	}
	x, y := own[0].CRDs(), own[4].CRDs()
	if len(x) != 1 || len(y) != 2 || x[0] != y[0] || len(own[8].CRDs()) != 0 {
		t.Errorf("%v %v", x, y)
	}
	for i := range shared {
		if shared[i].CRDs()[0] != given[0] {
			t.Errorf("%d: a definition that was given is read again", i)
		}
	}
	for i, want := range []bool{false, true, false, false, false, true, false, false} {
		if got := own[i].Stores(x[0]); got != want {
			t.Errorf("%d: stores %t", i, got)
		}
		if own[i].Stores(given[0]) || own[i].Stores(y[1]) {
			t.Errorf("%d: stores an object of another definition", i)
		}
	}
	by := x[0].With(map[string]any{})
	for i, j := range crdtest.Replace(own, x[0], by) {
		crds := j.CRDs()
		if j.Case() != own[i].Case() || len(crds) != len(own[i].CRDs()) ||
			len(crds) > 0 && crds[0] != by || len(crds) > 1 && crds[1] != y[1] {
			t.Errorf("%d: %v", i, crds)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := own[0].Run(ctx, nil); !errors.Is(r.Err, context.Canceled) {
		t.Errorf("a context that has ended: %v", r.Err)
	}
	missing := crdtest.Jobs(nil, []*crdtest.Suite{{Name: "m", CRDName: "n"}})
	if len(missing) != 1 || missing[0].CRDs() != nil ||
		crdtest.Replace(missing, x[0], by)[0].CRDs() != nil {
		t.Errorf("%v", missing)
	}
}

// Each request is watched with the object before, unless its step patches the
// definition.
func TestWatch(t *testing.T) {
	const step = "\n  - update: {apiVersion: stable.example.com/v1, kind: CronTab, " +
		"spec: {cronSpec: "
	_, suites := crdcases.Suite(t, crontab, "- name: a\n  steps:\n  - create: "+inFlow+
		step+"b}}"+step+"c}}\n    crdPatches: [{op: add, path: /metadata/labels, value: {a: b}}]"+
		step+"d}}\n  - read: v1\n"+step+"3}}\n    want: {error: spec.cronSpec}\n"+
		"  - updateStatus: {apiVersion: stable.example.com/v1beta1, kind: CronTab}\n"+
		"    want: {error: not found}\n  - create: "+inFlow+"\n")
	var got []string
	r := crdtest.Jobs(nil, suites)[0].Run(t.Context(), func(x *crdtest.Exchange) {
		of := func(object map[string]any) any { return jsonvalue.At(object, "spec", "cronSpec") }
		got = append(got, fmt.Sprintf("%s %s %s %v %v", x.CRD.Name(), x.Version.Name(), x.Verb,
			of(x.Old), of(x.Result.Object)))
	})
	want := []string{"v1 create <nil> a", "v1 update a b", "v1 update c d", "v1 update d 3",
		"v1beta1 updateStatus d <nil>", "v1 create <nil> a"}
	for i := range want {
		want[i] = "crontabs.stable.example.com " + want[i]
	}
	if diff := cmp.Diff(want, got); diff != "" || r.Err != nil {
		t.Errorf("%v (-want +got):\n%s", r.Err, diff)
	}
}

// An object that cannot be converted for storage fails its case.
func TestStoreFails(t *testing.T) {
	crds, err := crdtest.ReadCRDs(crontab)
	if err != nil {
		t.Fatal(err)
	}
	object := jsonvalue.DeepCopyMap(crds[0].Object())
	spec, _ := object["spec"].(map[string]any)
	spec["conversion"] = map[string]any{"strategy": "Webhook", "webhook": map[string]any{
		"conversionReviewVersions": []any{"v1"},
		"clientConfig":             map[string]any{"url": "https://a.io"}}}
	old := cronTab(nil)
	old["apiVersion"] = "stable.example.com/v1beta1"
	suite := createSuite(old, crdtest.Want{Refused: true})
	failed, _ := crdcases.Failures(t, []*crdtest.CRD{crds[0].With(object)},
		[]*crdtest.Suite{suite})
	const want = "create: the object cannot be stored: "
	if len(failed) != 1 || !strings.HasPrefix(failed["s/c"], want) {
		t.Errorf("%v, want %s", failed, want)
	}
}
