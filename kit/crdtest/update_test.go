package crdtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// Outcomes are written into the file, and everything else stays.
func TestRewrite(t *testing.T) {
	const before = `
# A comment that stays.
- name: right
  create: {apiVersion: stable.example.com/v1, kind: CronTab, spec: {cronSpec: a}}
  want: {cost: 5} # This one too.

- name: object and cost
  create:
    apiVersion: stable.example.com/v1
    kind: CronTab
    spec: {cronSpec: a}
  want:
    # This comment goes with what is stated.
    object: {}
    cost: 0

- want: {cost: 7}
  name: want comes first
  create: {apiVersion: stable.example.com/v1, kind: CronTab, spec: {cronSpec: a}}
- name: refused
  create:
    apiVersion: stable.example.com/v1
    kind: CronTab

# Another comment.
- name: steps
  stored:
    apiVersion: stable.example.com/v1
    kind: CronTab
    spec: {cronSpec: a}
  steps:
  - updateStatus:
      apiVersion: stable.example.com/v1
      kind: CronTab
      status: {active: 1}
    want:
      error: something
  - read: v1beta1
    want:
      warnings: []`
	file, suites := crdcases.Suite(t, crontab, before)
	changed, err := crdtest.Rewrite(t.Context(), nil, suites)
	if err != nil || len(changed) != 1 || changed[0].File != file {
		t.Fatal(changed, err)
	}
	warnings := []string{
		`cases[3] (refused): the request was to be admitted; the file now states that it is ` +
			`refused: CronTab.stable.example.com "test-00000" is invalid: [spec: Required value, ` +
			`<nil>: Invalid value: null: some validation rules were not checked because the object ` +
			`was invalid; correct the existing errors to complete validation]`,
		`cases[4].steps[0] (steps): the request was to be refused; the file now states that it ` +
			`is admitted`,
	}
	if diff := cmp.Diff(warnings, changed[0].Warnings); diff != "" {
		t.Error(diff)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "crds: crd.yaml\ncases:\n" + before + "\n"
	for old, actual := range map[string]string{
		// Fields that are stated are replaced, and the object is added.
		`
  want:
    # This comment goes with what is stated.
    object: {}
    cost: 0
`: `
  want:
    cost: 5
    object:
      apiVersion: stable.example.com/v1
      kind: CronTab
      spec:
        cronSpec: a
        maxReplicas: 5
        replicas: 1
`,
		"- want: {cost: 7}\n": "- want:\n    cost: 5\n",
		"    kind: CronTab\n\n# Another": `    kind: CronTab
  want:
    error:
    - 'spec: Required value'
    - '<nil>: Invalid value: null: some validation rules were not checked because the
      object was invalid; correct the existing errors to complete validation'

# Another`,
		"      error: something\n": `      object:
        apiVersion: stable.example.com/v1
        kind: CronTab
        spec:
          cronSpec: a
          maxReplicas: 5
          replicas: 1
        status:
          active: 1
`,
		"      warnings: []\n": "      warnings:\n      - stable.example.com/v1beta1 CronTab is " +
			"deprecated; use stable.example.com/v1 CronTab\n",
	} {
		if !strings.Contains(want, old) {
			t.Fatalf("%q is not in the file", old)
		}
		want = strings.Replace(want, old, actual, 1)
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if suites, err = crdtest.ReadSuites(file); err != nil {
		t.Fatal(err)
	}
	if failed, _ := crdcases.Failures(t, nil, suites); len(failed) > 0 {
		t.Error(failed)
	}
	if changed, err = crdtest.Rewrite(t.Context(), nil, suites); err != nil || len(changed) > 0 {
		t.Error(changed, err)
	}
}

// What cannot be rewritten is an error, and the file stays.
func TestRewriteErrors(t *testing.T) {
	for cases, want := range map[string]string{
		"- {name: a, create: {apiVersion: stable.example.com/v1, kind: CronTab}}": ":3: create: write the case in lines of its own",
		"- name: a\n  create: {apiVersion: stable.example.com/v2, kind: CronTab}": `does not serve version "v2"`,
		"- name: a\n  read: v1": "nothing is stored",
	} {
		file, suites := crdcases.Suite(t, crontab, cases)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = crdtest.Rewrite(t.Context(), nil, suites)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", cases, err, want)
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
			t.Errorf("%s: the file changed: %v", cases, err)
		}
	}
}

// Outcomes of a definition that a server refuses are not written.
func TestRewriteRefusedDefinition(t *testing.T) {
	folder := t.TempDir()
	crdcases.Write(t, folder, "crd.yaml", refusedCRD)
	file := crdcases.Write(t, folder, "a.crdtest.yaml", "crds: crd.yaml\ncases:\n"+
		"- name: a\n  create: {apiVersion: stable.example.com/v1, kind: CronTab, b: abcd}\n")
	suites, err := crdtest.ReadSuites(file)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = crdtest.Rewrite(t.Context(), nil, suites)
	if err == nil || !strings.Contains(err.Error(), refusedA) {
		t.Errorf("got %v", err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the file changed: %v", err)
	}
}

// A suite for several minors is written once. Outcomes that depend on the minor
// are an error, because a step states one.
func TestRewriteMinors(t *testing.T) {
	const create = "\ncases:\n- name: a\n  create: " +
		"{apiVersion: stable.example.com/v1, kind: CronTab, spec: {cronSpec: a, replicas: 6}}\n"
	for kubernetes, want := range map[string]string{
		"1.35-1.37": "", "1.34-1.35": "depends on the minor of Kubernetes: write a case for each",
	} {
		file, _ := crdcases.Suite(t, crontab, "")
		text := "crds: crd.yaml\nkubernetes: " + kubernetes + create
		crdcases.Write(t, filepath.Dir(file), "x.crdtest.yaml", text)
		suites, err := crdtest.ReadSuites(file)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := crdtest.Rewrite(t.Context(), nil, suites)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
			continue
		}
		if err != nil || len(changed) != 1 || len(changed[0].Warnings) != 1 {
			t.Errorf("%+v, %v", changed, err)
		}
		after, err := os.ReadFile(file)
		if err != nil || strings.Count(string(after), "want:") != 1 {
			t.Errorf("%v\n%s", err, after)
		}
	}
}

// A step that several cases have by an alias is written once. Where its outcome
// depends on the case, and where the anchor would be lost, the file stays.
func TestRewriteAliases(t *testing.T) {
	const status = "{apiVersion: stable.example.com/v1, kind: CronTab, spec: {cronSpec: a}, " +
		"status: {active: 1}}"
	const shared = "  - &s\n    update: " + inFlow + "\n    want: {object: {apiVersion: " +
		"stable.example.com/v1, kind: CronTab, spec: {cronSpec: a, maxReplicas: 5, replicas: 1}}}\n"
	const later = "- name: b\n  stored: " + status + "\n  steps:\n  - read: v1\n" +
		"    want: {cost: 7}\n  - *s\n"
	written := strings.NewReplacer("want: {object: {apiVersion: stable.example.com/v1, kind: "+
		"CronTab, spec: {cronSpec: a, maxReplicas: 5, replicas: 1}}}", "want:\n      object:\n"+
		"        apiVersion: stable.example.com/v1\n        kind: CronTab\n        spec:\n"+
		"          cronSpec: a\n          maxReplicas: 5\n          replicas: 1\n"+
		"        status:\n          active: 1", "want: {cost: 7}", "want:\n      cost: 0")
	for _, c := range []struct{ cases, want string }{
		{"- name: a\n  stored: " + inFlow + "\n  steps:\n  - &s\n    read: v1\n    want: {cost: 7}\n" +
			"  - *s\n- name: b\n  stored: " + inFlow + "\n  steps:\n  - *s\n", ""},
		{"- name: a\n  kubernetes: '1.31'\n  stored: " + inFlow + "\n  steps:\n" + shared + later, ""},
		{"- name: a\n  stored: " + inFlow + "\n  steps:\n" + shared + later,
			"F:14: update: the outcome depends on the case: write the step without an alias"},
		{"- name: a\n  create: " + inFlow + "\n  want: &w {cost: 0}\n- name: b\n  stored: " + inFlow +
			"\n  read: v1\n  want: *w\n",
			"the outcomes cannot be written: F:1:1: yaml: unknown anchor 'w' referenced"},
	} {
		file, suites := crdcases.Suite(t, crontab, c.cases)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = crdtest.Rewrite(t.Context(), nil, suites)
		if text := strings.ReplaceAll(errorText(err), file, "F"); text != c.want {
			t.Errorf("%s: %s, want %s", c.cases, text, c.want)
		}
		want := string(before)
		if c.want == "" {
			want = written.Replace(want)
		}
		after, err := os.ReadFile(file)
		if diff := cmp.Diff(want, string(after)); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.cases, err, diff)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
