package crdtest_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/coverage"
	"github.com/crdsem/crdsem/internal/app/mutation"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/kit/manifest"
)

const crontab = "testdata/crontab/crd.yaml"

// The suites of testdata have all formats, and everything that they can state.
func TestRun(t *testing.T) {
	crds, suites := crdcases.Read(t, []string{crontab}, "testdata/crontab",
		"testdata/openshift/v1/tests", "testdata/examples")
	crdtest.Run(t, crds, suites)
	results, err := crdtest.Execute(t.Context(), crds, suites)
	if err != nil {
		t.Fatal(err)
	}
	var skipped []string
	for _, r := range results {
		if r.Err != nil {
			t.Errorf("%s: %v", r.Name(), r.Err)
		}
		if r.Skipped != "" {
			skipped = append(skipped, r.Name()+": "+r.Skipped)
		}
	}
	want := []string{"testdata/examples/crontab#3: v1 Service is built into Kubernetes"}
	if diff := cmp.Diff(want, skipped); diff != "" || len(results) != 26 {
		t.Errorf("%d cases, skipped %s", len(results), diff)
	}
}

// Each case states something wrong.
func TestFailures(t *testing.T) {
	const header = "apiVersion: stable.example.com/v1, kind: CronTab"
	_, suites := crdcases.Suite(t, crontab, `
- {name: admitted, create: {`+header+`, spec: {cronSpec: a}}, want: {error: never}}
- {name: refused, create: {`+header+`}}
- {name: other error, create: {`+header+`}, want: {error: [Required value, other]}}
- {name: warnings, stored: {`+header+`}, read: v1beta1, want: {warnings: []}}
- {name: cost, create: {`+header+`, spec: {cronSpec: a}}, want: {cost: 4}}
- name: object
  create: {`+header+`, spec: {cronSpec: a}}
  want: {object: {`+header+`, spec: {cronSpec: b, replicas: 1, maxReplicas: 5}}}
- name: ratcheted
  stored: {`+header+`, spec: {cronSpec: a}}
  update: {`+header+`, spec: {cronSpec: a}}
  want: {ratcheted: [something]}
- {name: nothing stored, read: v1}
- {name: unserved version, create: {apiVersion: stable.example.com/v7, kind: CronTab}}
- {name: no kind, create: {apiVersion: stable.example.com/v1}}
- name: second step
  steps:
  - create: {`+header+`, spec: {cronSpec: a}}
  - update: {`+header+`, spec: {cronSpec: a, replicas: 0}}
`)
	got, count := crdcases.Failures(t, nil, suites)
	want := map[string]string{
		"x/admitted": `x.crdtest.yaml:4: create: admitted, want the error ["never"]`,
		"x/refused":  `x.crdtest.yaml:5: create: refused, want it admitted: CronTab.stable.example.com "test-00000" is invalid:`,
		"x/other error": `x.crdtest.yaml:6: create: the refusal lacks a stated error (-want +got): []string{ ` +
			`- "other", + "spec: Required value",`,
		"x/warnings":         `x.crdtest.yaml:7: read: warnings (-want +got): []string{ + "stable.example.com/v1beta1 CronTab is deprecated`,
		"x/cost":             `x.crdtest.yaml:8: create: the rules cost 5, want 4`,
		"x/object":           `x.crdtest.yaml:9: create: object (-want +got): map[string]any{ ... // 1 ignored and 1 identical entries`,
		"x/ratcheted":        `x.crdtest.yaml:12: update: ratcheted (-want +got): []string( - {"something"}, + nil, )`,
		"x/nothing stored":   `x.crdtest.yaml:16: read: nothing is stored: create an object first, or state what is stored`,
		"x/unserved version": `x.crdtest.yaml:17: create: crontabs.stable.example.com does not serve version "v7"`,
		"x/no kind":          `x.crdtest.yaml:18: create: apiVersion "stable.example.com/v1" and kind "" name no resource`,
		"x/second step":      `x.crdtest.yaml:22: update: refused, want it admitted: CronTab.stable.example.com "test-00000" is invalid: spec.replicas`,
	}
	if count != len(want) {
		t.Errorf("%d cases", count)
	}
	for name, text := range want {
		if name == "x/object" {
			text = `x.crdtest.yaml:9: create: object (-want +got):`
			if !strings.Contains(got[name], `- "cronSpec": string("b"), + "cronSpec": string("a"),`) {
				t.Errorf("%s: %s", name, got[name])
			}
		}
		if !strings.HasPrefix(got[name], text) {
			t.Errorf("%s: got %q, want %q", name, got[name], text)
		}
	}
}

// A suite that has no definitions fails, and the others are run.
func TestMissingDefinition(t *testing.T) {
	_, suites := crdcases.Read(t, []string{crontab}, "testdata/crontab")
	suites = append(suites, &crdtest.Suite{Name: "other", File: "other.yaml", CRDName: "nothing"})
	got, count := crdcases.Failures(t, nil, suites)
	want := map[string]string{"other/definitions": "other.yaml: no definition nothing is given"}
	if diff := cmp.Diff(want, got); diff != "" || count < 5 {
		t.Errorf("%d cases, %s", count, diff)
	}
}

// Of two definitions of a kind the later one counts, as on a server to which
// both are applied.
func TestDuplicateDefinition(t *testing.T) {
	crds, suites := crdcases.Read(t, []string{crontab}, "testdata/crontab")
	empty := crds[0].With(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": crds[0].Name()},
		"spec": map[string]any{
			"group": "stable.example.com", "names": map[string]any{"kind": "CronTab"},
		},
	})
	before, _ := crdcases.Failures(t, []*crdtest.CRD{empty, crds[0]}, suites)
	after, _ := crdcases.Failures(t, []*crdtest.CRD{crds[0], empty}, suites)
	if len(before) > 0 || len(after) == 0 {
		t.Errorf("%d cases fail with the definition last, %d with it first",
			len(before), len(after))
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"not YAML", "a.yaml", "a: [", "a.yaml:1"},
		{"unknown field", "a.crdtest.yaml", "cases:\n- name: a\n  creat: {}", "a.crdtest.yaml:2:3: cases[0]: say what is done"},
		{"unknown field of a suite", "a.crdtest.yaml", "case: []", "a.crdtest.yaml:1:1: case: unknown field"},
		{"no name", "a.crdtest.yaml", "cases:\n- create: {a: b}", "a.crdtest.yaml:2:3: cases[0]: the case has no name"},
		{"two verbs", "a.crdtest.yaml", "cases:\n- name: a\n  create: {}\n  read: v1", "a.crdtest.yaml:4:3: cases[0].read: a step does one thing"},
		{"wrong type", "a.crdtest.yaml", "cases:\n- name: a\n  create: 3", "a.crdtest.yaml:3:11: cases[0].create: want an object, found integer"},
		{"wrong list", "a.crdtest.yaml", "cases: {}", "a.crdtest.yaml:1:8: cases: want a list"},
		{"wrong item", "a.crdtest.yaml", "cases: [3]", "cases[0]: want an object"},
		{"wrong texts", "a.crdtest.yaml", "cases:\n- name: a\n  create: {}\n  want: {error: [3]}", "want.error: want a list of strings"},
		{"wrong cost", "a.crdtest.yaml", "cases:\n- name: a\n  create: {}\n  want: {cost: many}", "want.cost: want an integer"},
		{"field validation", "a.crdtest.yaml", "fieldValidation: strict", `a.crdtest.yaml:1:18: fieldValidation: unknown level of field validation "strict": want one of [Ignore Warn Strict]`},
		{"minor", "a.crdtest.yaml", "kubernetes: new", "a.crdtest.yaml:1:13: kubernetes: "},
		{"minor that is a number", "a.crdtest.yaml", "cases:\n- name: a\n  kubernetes: 1.31", "a.crdtest.yaml:3:15: cases[0].kubernetes: want a string, found number: write it in quotes"},
		{"name that is a boolean", "a.crdtest.yaml", "cases:\n- name: no", "a.crdtest.yaml:2:9: cases[0].name: want a string, found boolean: write it in quotes"},
		{"duplicate key", "a.crdtest.yaml", "cases: []\ncases: []", `key "cases" already set in map`},
		{"two documents", "a.crdtest.yaml", "cases: []\n---\ncases: []", "want one document, found 2"},
		{"error and object", "a.crdtest.yaml", "cases:\n- name: a\n  create: {}\n  want: {error: a, object: {}}", "state error or object"},
		{"no definition", "a.testsuite.yaml", "name: a\ntests: {onCreate: []}", "neither crdName nor crd"},
		{"object of OpenShift", "a.testsuite.yaml", "crdName: a\ntests:\n  onCreate:\n  - name: a\n    initial: '['", "a.testsuite.yaml:5"},
		{"no suite", "a.yaml", "a: b", "holds no suite and no manifest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := crdcases.Write(t, t.TempDir(), c.file, c.text)
			_, err := crdtest.ReadSuites(file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if _, err := crdtest.ReadCRDs("testdata/examples"); !errors.Is(err, crdtest.ErrNoCRD) {
		t.Errorf("definitions in examples: %v", err)
	}
	for _, path := range []string{"testdata/nothing", "testdata/nothing.yaml"} {
		if _, err := crdtest.ReadSuites(path); err == nil {
			t.Errorf("%s is read", path)
		}
	}
}

// A text needs no name that says what it is, and its paths begin at its folder.
func TestParseSuites(t *testing.T) {
	const header = "apiVersion: stable.example.com/v1\nkind: CronTab\n"
	suites, err := crdtest.ParseSuites("testdata/stdin", []byte(
		"crds: crontab\ncases:\n- name: a\n  create:\n    apiVersion: stable.example.com/v1\n"+
			"    kind: CronTab\n---\n"+header+"spec: {cronSpec: a}\n"))
	if err != nil || len(suites) != 2 {
		t.Fatalf("%d suites, %v", len(suites), err)
	}
	results, err := crdtest.Execute(t.Context(), nil, suites)
	if err != nil || len(results) != 2 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	placed, ok := errors.AsType[*manifest.Error](results[0].Err)
	want := manifest.Position{File: "testdata/stdin", Line: 3}
	if !ok || placed.Position != want || results[0].Name() != "stdin/a" {
		t.Errorf("%s: %v", results[0].Name(), results[0].Err)
	}
	if results[1].Name() != "testdata/stdin#2" || results[1].Skipped == "" {
		t.Errorf("%+v", results[1])
	}
	for text, want := range map[string]string{
		"":                   "stdin: holds no suite and no manifest",
		"cases: []\ncase: 1": "stdin:2:1: case: unknown field",
		"a: [":               "stdin:1",
		"a: b":               "stdin: holds no suite and no manifest",
	} {
		if _, err := crdtest.ParseSuites("stdin", []byte(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestFilter(t *testing.T) {
	_, suites := crdcases.Read(t, []string{crontab}, "testdata/crontab",
		"testdata/openshift/v1/tests")
	var names []string
	filtered := crdtest.Filter(suites, regexp.MustCompile("^CronTab.*(cost|zone)"))
	if len(filtered) != 3 {
		t.Errorf("%d suites", len(filtered))
	}
	for _, suite := range filtered {
		for _, c := range suite.Cases {
			names = append(names, suite.Name+"/"+c.Name)
		}
	}
	want := []string{
		"CronTab/defaults and the cost of rules", "CronTab with -TimeZones/onCreate/a time zone",
		"CronTab with TimeZones/onCreate/a time zone",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestJUnit(t *testing.T) {
	results := []crdtest.Result{
		{Suite: "a", Case: "passes", File: "a.yaml", Line: 3},
		{Suite: "b", Case: "is <skipped>", Skipped: "no definition"},
		{Suite: "a", Case: "fails", Err: errors.New("x & y\x00")},
	}
	var out bytes.Buffer
	if err := crdtest.WriteJUnit(&out, results); err != nil {
		t.Fatal(err)
	}
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" skipped="1" time="0.000000">
  <testsuite name="a" tests="2" failures="1" skipped="0" time="0.000000">
    <testcase classname="a" name="passes" time="0.000000" file="a.yaml" line="3"></testcase>
    <testcase classname="a" name="fails" time="0.000000">
      <failure message="not as stated">x &amp; y` + "\ufffd" + `</failure>
    </testcase>
  </testsuite>
  <testsuite name="b" tests="1" failures="0" skipped="1" time="0.000000">
    <testcase classname="b" name="is &lt;skipped&gt;" time="0.000000">
      <skipped message="no definition"></skipped>
    </testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	if err := crdtest.WriteJUnit(brokenPipe{}, results); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("written to a pipe that is closed: %v", err)
	}
	if err := xml.Unmarshal(out.Bytes(), new(struct{})); err != nil {
		t.Error(err)
	}
}

// A context that has ended ends everything.
func TestContext(t *testing.T) {
	crds, suites := crdcases.Read(t, []string{crontab}, "testdata/crontab")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, runErr := crdtest.Execute(ctx, crds, suites)
	_, coverErr := coverage.Measure(ctx, crds, suites)
	_, mutateErr := mutation.Run(ctx, crds, suites)
	for _, err := range []error{runErr, coverErr, mutateErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// A suite is run with each minor, and a case with those that it names.
func TestMinors(t *testing.T) {
	const header = "apiVersion: stable.example.com/v1, kind: CronTab"
	folder := t.TempDir()
	file := crdcases.Write(t, folder, "x.crdtest.yaml", `kubernetes: 1.34-1.35
cases:
- name: all
  create: {`+header+`, spec: {cronSpec: a, replicas: 6}}
  want: {error: 'spec: Invalid value: "object": replicas exceeds'}
- name: some
  kubernetes: "1.34"
  create: {`+header+`, spec: {cronSpec: a, replicas: 6}}
  want: {error: "spec: Invalid value: replicas exceeds"}
- name: others
  kubernetes: "1.35-1.37"
  create: {`+header+`, spec: {cronSpec: a, replicas: 6}}
  want: {error: "spec: Invalid value: replicas exceeds"}
`)
	crds, suites := crdcases.Read(t, []string{crontab}, file)
	results, err := crdtest.Execute(t.Context(), crds, suites)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, r := range results {
		got[r.Name()] = r.Err == nil
	}
	// Servers before 1.35 print the type.
	want := map[string]bool{
		"x/1.34/all": true, "x/1.35/all": true, "x/1.34/some": false, "x/1.35/others": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	suites[0].Kubernetes = "1.2"
	failed, _ := crdcases.Failures(t, crds, suites)
	if text := failed["x/definitions"]; !strings.Contains(text, "1.2") {
		t.Errorf("a minor that is not known: %q", failed)
	}
}
