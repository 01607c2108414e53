package crdtest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
	v1 "github.com/crdsem/crdsem/kit/crdtest/testdata/crontab/v1"
)

// cronTab returns a valid object of the version v1 with a spec.
func cronTab(spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab", "spec": spec,
	}
}

// createSuite returns a suite in Go with a request that creates an object.
func createSuite(object any, want crdtest.Want) *crdtest.Suite {
	create := crdtest.Step{Verb: crdtest.Create, Object: object, Want: want}
	return &crdtest.Suite{
		Name: "s", Cases: []crdtest.Case{{Name: "c", Steps: []crdtest.Step{create}}},
	}
}

// Maps with other Go values are encoded, as a client does. Maps of the server's
// values are sent as they are.
func TestMapsOfGoValues(t *testing.T) {
	crds, _ := crdcases.Read(t, []string{crontab}, "testdata/crontab")
	api := crdtest.NewTester(crds)
	api.Create(t, cronTab(map[string]any{"cronSpec": "a", "replicas": 3}))
	api.Create(t, cronTab(map[string]any{"cronSpec": "a", "replicas": 0}),
		"spec.replicas: Invalid value: 0: ")
	api.Create(t, map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab",
		"metadata": map[string]any{"labels": map[string]string{"a": "b"}},
		"spec":     v1.CronTabSpec{CronSpec: "a"},
	})
	suite := createSuite(cronTab(map[string]any{"cronSpec": "a", "replicas": 3}), crdtest.Want{})
	c := &suite.Cases[0]
	c.Stored = cronTab(map[string]any{"cronSpec": "a", "replicas": 2})
	c.Steps[0].Verb = crdtest.Update
	c.Steps[0].Want.Object = cronTab(map[string]any{
		"cronSpec": "a", "replicas": 3, "maxReplicas": int32(5),
	})
	if got, _ := crdcases.Failures(t, crds, []*crdtest.Suite{suite}); len(got) > 0 {
		t.Errorf("a suite in Go: %v", got)
	}
	r := &recorder{TB: t}
	api.Create(r, map[string]any{"spec": map[string]any{"replicas": 3}})
	const want = `create: apiVersion "" and kind "" name no resource`
	if len(r.errors) != 1 || r.errors[0] != want {
		t.Errorf("a map without a kind: %q", r.errors)
	}
}

// An object without a definition fails a case whose suite names definitions,
// because it is probably misspelt.
func TestKindsWithoutDefinition(t *testing.T) {
	const cases = `
- {name: group, create: {apiVersion: stable.examples.com/v1, kind: CronTab}}
- {name: kind, create: {apiVersion: stable.example.com/v1, kind: CronTabb}, want: {error: a}}
- {name: other, create: {apiVersion: example.com/v1, kind: Other}}
- {name: version, create: {apiVersion: stable.example.com/v2, kind: CronTab}}
- {name: built in, create: {apiVersion: v1, kind: Pod}}
`
	file, suites := crdcases.Suite(t, crontab, cases)
	want := map[string]string{
		"x/group": "x.crdtest.yaml:4: create: no definition of stable.examples.com/v1 CronTab was " +
			"given; did you mean the group `stable.example.com`?",
		"x/kind": "x.crdtest.yaml:5: create: no definition of stable.example.com/v1 CronTabb was " +
			"given; did you mean `CronTab`?",
		"x/other": "x.crdtest.yaml:6: create: no definition of example.com/v1 Other was given",
		"x/version": "x.crdtest.yaml:7: create: crontabs.stable.example.com does not serve version " +
			`"v2"; it serves v1, v1beta1`,
	}
	got, _ := crdcases.Failures(t, nil, suites)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// The definitions that are given may be those of other suites.
	crds, suites := crdcases.Read(t, []string{crontab},
		crdcases.Write(t, filepath.Dir(file), "x.crdtest.yaml", "cases:"+cases))
	got, _ = crdcases.Failures(t, crds, suites)
	if len(got) != 1 || got["x/version"] == "" {
		t.Errorf("without definitions of its own: %v", got)
	}
}

// An error that no server gives is no refusal, whatever the case wants.
func TestErrorsThatNoServerGives(t *testing.T) {
	refused := crdtest.Want{Refused: true}
	notUTF8 := crdtest.Want{Errors: []string{"spec.image"}}
	level := createSuite(cronTab(map[string]any{"cronSpec": "a"}), refused)
	level.FieldValidation = "strict"
	value := createSuite(cronTab(map[string]any{"cronSpec": "a", "image": func() {}}), notUTF8)
	stored := createSuite(nil, refused)
	stored.Cases[0].Stored = map[string]any{
		"apiVersion": "stable.example.com/v9", "kind": "CronTab",
	}
	stored.Cases[0].Steps[0] = crdtest.Step{
		Verb: crdtest.Update, Object: cronTab(map[string]any{"cronSpec": "a"}), Want: refused,
	}
	crds, _ := crdcases.Read(t, []string{crontab}, "testdata/crontab")
	for _, c := range []struct {
		suite *crdtest.Suite
		want  string
	}{
		{level, `unknown level of field validation "strict": want one of [Ignore Warn Strict]`},
		{value, "unsupported type: func()"},
		{stored, "update: a server would not answer this: old object: "},
	} {
		got, _ := crdcases.Failures(t, crds, []*crdtest.Suite{c.suite})
		var text string
		for _, text = range got {
		}
		if len(got) != 1 || !strings.Contains(text, c.want) {
			t.Errorf("got %v, want %s", got, c.want)
		}
	}
	level.FieldValidation = crdsem.Strict
	level.Cases[0].Steps[0].Want = crdtest.Want{}
	if got, _ := crdcases.Failures(t, crds, []*crdtest.Suite{level}); len(got) > 0 {
		t.Errorf("a level that is known: %v", got)
	}
}
