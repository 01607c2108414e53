package crdtest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/crdtest"
)

// Outcomes are written into the file, and everything else stays.
func TestRewrite(t *testing.T) {
	file, suites := suiteOf(t, `
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
      warnings: []`)
	changed, err := crdtest.Rewrite(t.Context(), nil, suites)
	if err != nil || len(changed) != 1 || changed[0] != file {
		t.Fatal(changed, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const want = `crds: crd.yaml
cases:

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
    cost: 5
    object:
      apiVersion: stable.example.com/v1
      kind: CronTab
      spec:
        cronSpec: a
        maxReplicas: 5
        replicas: 1

- want:
    cost: 5
  name: want comes first
  create: {apiVersion: stable.example.com/v1, kind: CronTab, spec: {cronSpec: a}}
- name: refused
  create:
    apiVersion: stable.example.com/v1
    kind: CronTab
  want:
    error:
    - 'spec: Required value'
    - '<nil>: Invalid value: null: some validation rules were not checked because the
      object was invalid; correct the existing errors to complete validation'

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
      object:
        apiVersion: stable.example.com/v1
        kind: CronTab
        spec:
          cronSpec: a
          maxReplicas: 5
          replicas: 1
        status:
          active: 1
  - read: v1beta1
    want:
      warnings:
      - stable.example.com/v1beta1 CronTab is deprecated; use stable.example.com/v1 CronTab
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if suites, err = crdtest.ReadSuites(file); err != nil {
		t.Fatal(err)
	}
	if failed, _ := failures(t, nil, suites); len(failed) > 0 {
		t.Error(failed)
	}
	if changed, err = crdtest.Rewrite(t.Context(), nil, suites); err != nil || len(changed) > 0 {
		t.Error(changed, err)
	}
}

// What cannot be rewritten is an error, and the file stays.
func TestRewriteErrors(t *testing.T) {
	for cases, want := range map[string]string{
		"- {name: a, create: {apiVersion: stable.example.com/v1, kind: CronTab}}": ":3:3: write the case in lines of its own",
		"- name: a\n  create: {apiVersion: stable.example.com/v2, kind: CronTab}": `does not serve version "v2"`,
		"- name: a\n  read: v1": "nothing is stored",
	} {
		file, suites := suiteOf(t, cases)
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
