package coverage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/coverage"
	"github.com/crdsem/crdsem/internal/app/mutation"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
)

const crontab = "../../../kit/crdtest/testdata/crontab/crd.yaml"

func cover(t *testing.T, crds []*crdtest.CRD, suites []*crdtest.Suite) *coverage.Report {
	t.Helper()
	report, err := coverage.Measure(t.Context(), crds, suites)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Every item of the CronTab with what was seen of it.
func TestCoverage(t *testing.T) {
	const header = "apiVersion: stable.example.com/v1, kind: CronTab"
	_, suites := crdcases.Suite(t, crontab, `
- {name: a, create: {`+header+`, spec: {cronSpec: a, replicas: 2, policy: Allow}}}
- {name: b, create: {`+header+`, spec: {replicas: 0, policy: Other}}, want: {error: cronSpec}}
- name: c
  steps:
  - create: {`+header+`, spec: {cronSpec: a, image: a}}
  - update: {`+header+`, spec: {cronSpec: a, image: ""}}
    want: {error: immutable}
  - updateStatus: {`+header+`, status: {active: 1}}
`)
	got := []string{}
	report := cover(t, nil, suites)
	for _, v := range report.Versions {
		for _, item := range v.Items {
			var goals []string
			for _, goal := range item.Goals {
				goals = append(goals, fmt.Sprintf("%s %d", goal.Name, goal.Count))
			}
			path := strings.TrimPrefix(item.Path, "openAPIV3Schema")
			path = strings.ReplaceAll(path, "properties", "")
			got = append(got, fmt.Sprintf("%d:%d %s %s %s: %s", item.Line, item.Column, path,
				item.Keyword, item.Text, strings.Join(goals, ", ")))
		}
	}
	want := []string{
		`18:20  required[0] spec: passed 4, failed 0`,
		`20:11 .[spec]  : seen 4`,
		`22:24 .[spec] required[0] cronSpec: passed 3, failed 1`,
		`24:15 .[spec] x-kubernetes-validations[0].rule self.replicas <= self.maxReplicas: passed 4, failed 0`,
		"26:15 .[spec] x-kubernetes-validations[1].rule !has(self.image) ||\nself.image != '' && self.image == oldSelf.image\n: passed 1, failed 1",
		`27:17 .[spec] x-kubernetes-validations[1].rule !has(self.image): true 0, false 2`,
		`28:17 .[spec] x-kubernetes-validations[1].rule self.image != "" && self.image == oldSelf.image: true 1, false 1`,
		`28:17 .[spec] x-kubernetes-validations[1].rule self.image != "": true 1, false 1`,
		`28:37 .[spec] x-kubernetes-validations[1].rule self.image == oldSelf.image: true 1, false 0`,
		`31:15 .[spec].[cronSpec]  : seen 3`,
		`31:40 .[spec].[cronSpec] maxLength 20: passed 3, failed 0`,
		`32:15 .[spec].[image]  : seen 2`,
		`34:15 .[spec].[maxReplicas]  : seen 4`,
		`34:44 .[spec].[maxReplicas] maximum 10: passed 4, failed 0`,
		`34:57 .[spec].[maxReplicas] default 5: filled in 4, given 0`,
		`35:15 .[spec].[policy]  : seen 2`,
		`37:17 .[spec].[policy] enum ["Allow","Forbid"]: passed 1, failed 1`,
		`37:24 .[spec].[policy] enum[0] "Allow": seen 1`,
		`37:31 .[spec].[policy] enum[1] "Forbid": seen 0`,
		`33:15 .[spec].[replicas]  : seen 4`,
		`33:41 .[spec].[replicas] minimum 1: passed 3, failed 1`,
		`33:53 .[spec].[replicas] default 1: filled in 2, given 2`,
		`38:11 .[status]  : seen 1`,
		`41:15 .[status].[active]  : seen 1`,
		`41:39 .[status].[active] minimum 0: passed 1, failed 0`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if score := report.Score(); score.Reached != 31 || score.Goals != 40 ||
		score.String() != "77.5% of 40 goals" {
		t.Error(score)
	}
	rules := report.Score(coverage.ValidationRules, coverage.Operands)
	if rules != (crdtest.Score{Reached: 9, Goals: 12}) {
		t.Errorf("rules with operands: %s", rules)
	}
	if score := report.Score(coverage.Operands); score != (crdtest.Score{Reached: 6, Goals: 8}) {
		t.Errorf("operands: %s", score)
	}
}

// Junctors, list types and formats are constraints.
func TestCoverageOfLists(t *testing.T) {
	folder := t.TempDir()
	crdcases.Write(t, folder, "crd.yaml", `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lists.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: lists, singular: list, kind: List2, listKind: List2List}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        default: {}
        x-kubernetes-validations: [{rule: "(self.any > 3 ? self.any : 5) > 4"}]
        properties:
          most: {type: integer, maximum: 3, exclusiveMaximum: true}
          least: {type: integer, minimum: 3, exclusiveMinimum: true}
          set: {type: array, x-kubernetes-list-type: set, items: {type: string, format: ipv4}}
          map:
            type: array
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [k]
            items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer}}}
          any: {type: integer, format: int64, anyOf: [{minimum: 5}, {maximum: 2}], not: {enum: [7]}}
          port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
          one: {type: integer, allOf: [{minimum: 1}]}
          free: {type: object, additionalProperties: {type: string, minLength: 2}}
          two: {type: object, required: [a, b, a], properties: {a: {type: integer}, b: {type: integer}}}
`)
	const header = "apiVersion: example.com/v1, kind: List2"
	file := crdcases.Write(t, folder, "x.crdtest.yaml", `crds: crd.yaml
cases:
- {name: a, create: {`+header+`, set: [1.2.3.4, x, x], map: [{k: a}, {k: a}], any: 3, most: 3, two: {a: 1}}, want: {error: set}}
- {name: b, create: {`+header+`, map: [{k: a, v: 1}, {k: b, v: 1}], any: 9, port: 1, free: {a: bb, b: c}, least: 3},
    want: {error: free}}
- {name: c, create: {`+header+`, map: [{k: c, v: x}], any: 9, most: 2, least: 4}, want: {error: map}}
- {name: d, create: {`+header+`, most: x, least: "1", map: {k: a}, set: null}, want: {error: most}}
`)
	_, suites := crdcases.Read(t, []string{folder + "/crd.yaml"}, file)
	got := []string{}
	for _, item := range cover(t, nil, suites).Versions[0].Items {
		path := strings.TrimPrefix(item.Path, "openAPIV3Schema.properties")
		switch item.Class {
		case coverage.Constraints:
			got = append(got, fmt.Sprintln(path, item.Keyword, item.Goals))
		case coverage.Operands:
			got = append(got, fmt.Sprintln(item.Text, item.Goals))
		}
	}
	want := []string{
		"self.any > 3 [{true 1} {false 0}]\n",
		"self.any [{evaluated 1}]\n",
		"5 [{evaluated 0}]\n",
		"[any] anyOf [{passed 2} {failed 1}]\n",
		"[any] anyOf[0] [{passed 2} {failed 1}]\n",
		"[any] anyOf[1] [{passed 0} {failed 3}]\n",
		"[any] not [{passed 3} {failed 0}]\n",
		"[free].additionalProperties minLength [{passed 1} {failed 1}]\n",
		"[least] minimum [{passed 1} {failed 1}]\n",
		"[map] x-kubernetes-list-type [{passed 2} {failed 1}]\n",
		"[map].items required[0] [{passed 5} {failed 0}]\n",
		"[most] maximum [{passed 1} {failed 1}]\n",
		"[one] allOf [{passed 0} {failed 0}]\n",
		"[set] x-kubernetes-list-type [{passed 0} {failed 1}]\n",
		"[set].items format [{passed 1} {failed 2}]\n",
		"[two] required[0] [{passed 1} {failed 0}]\n",
		"[two] required[1] [{passed 0} {failed 1}]\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCoverageText(t *testing.T) {
	crds, suites := crdcases.Read(t, []string{crontab},
		"../../../kit/crdtest/testdata/examples/invalid")
	var out bytes.Buffer
	if err := cover(t, crds, suites).WriteText(&out, 6); err != nil {
		t.Fatal(err)
	}
	if out.Len() != 0 {
		t.Errorf("a request that is refused before validation covers something:\n%s", &out)
	}
	crds, suites = crdcases.Read(t, []string{crontab}, "../../../kit/crdtest/testdata/crontab")
	if err := cover(t, crds, suites).WriteText(&out, 6); err != nil {
		t.Fatal(err)
	}
	const want = `crd.yaml: crontabs.stable.example.com v1: 75.0% of 40 goals
  fields       100.0%  8 of 8
  constraints   64.3%  9 of 14
  enum values   50.0%  1 of 2; missing: spec.policy "Forbid"
  defaults      75.0%  3 of 4; missing: spec.maxReplicas
  rules        100.0%  4 of 4
  operands      62.5%  5 of 8
crd.yaml: crontabs.stable.example.com v1beta1: no case sends an object of this served version
crd.yaml:18:20: the object: required spec: never failed
crd.yaml:22:24: spec: required cronSpec: never failed
crd.yaml:28:17: spec: operand self.image != "" && self.image == oldSelf.image: never true
crd.yaml:28:17: spec: operand self.image != "": never false
crd.yaml:28:37: spec: operand self.image == oldSelf.image: never true
crd.yaml:33:41: spec.replicas: minimum 1: never failed
crd.yaml:34:44: spec.maxReplicas: maximum 10: never failed
crd.yaml:37:17: spec.policy: enum ["Allow","Forbid"]: never failed
`
	if diff := cmp.Diff(want, strings.ReplaceAll(out.String(), crontab, "crd.yaml")); diff != "" {
		t.Error(diff)
	}
}

// The reports are the same in each run, although cases run in parallel.
func TestReportsAreTheSame(t *testing.T) {
	crds, suites := crdcases.Read(t, []string{crontab}, "../../../kit/crdtest/testdata/crontab",
		"../../../kit/crdtest/testdata/openshift/v1/tests",
		"../../../kit/crdtest/testdata/examples")
	reports := func() string {
		var out bytes.Buffer
		report := cover(t, crds, suites)
		mutants, err := mutation.Run(t.Context(), crds, suites)
		if err != nil {
			t.Fatal(err)
		}
		for _, write := range []func() error{
			func() error { return report.WriteText(&out, 6) },
			func() error { return report.WriteJSON(&out) },
			func() error { return report.WriteHTML(&out) },
			func() error { return mutants.WriteText(&out) },
			func() error { return mutants.WriteJSON(&out) },
		} {
			if err := write(); err != nil {
				t.Fatal(err)
			}
		}
		return out.String()
	}
	first := reports()
	for range 3 {
		if diff := cmp.Diff(first, reports()); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestCoverageJSON(t *testing.T) {
	crds, suites := crdcases.Read(t, []string{crontab}, "../../../kit/crdtest/testdata/crontab")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	none, err := coverage.Measure(ctx, crds, suites)
	if none != nil || err != context.Canceled {
		t.Errorf("with a context that has ended: %v, %v", none, err)
	}
	report := cover(t, crds, suites)
	var out bytes.Buffer
	if err := report.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var back coverage.Report
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Score() != report.Score() || back.Score().Goals == 0 {
		t.Errorf("read back %+v, want %+v", back.Score(), report.Score())
	}
}

// What is missing of an item depends on how many of its goals were seen.
func TestMissingGoals(t *testing.T) {
	const place = "openAPIV3Schema.properties[a]"
	item := func(line int, class coverage.Class, text string, seen ...int) *coverage.Item {
		i := &coverage.Item{Class: class, Path: place, Keyword: "keyword[0]", Text: text,
			Line: line, Column: 2}
		for at, count := range seen {
			i.Goals = append(i.Goals, coverage.Goal{Name: string(rune('x' + at)), Count: count})
		}
		return i
	}
	report := coverage.Report{Versions: []*coverage.Version{{
		File: "f", Name: "n", Version: "v", Items: []*coverage.Item{
			item(9, coverage.Constraints, "1", 0, 0, 2), item(8, coverage.Constraints, "2", 0, 0),
			item(7, coverage.Operands, "self.a  == 1", 0), item(6, coverage.ValidationRules, "r", 1, 0),
			item(5, coverage.Operands, "all", 3, 1), item(4, coverage.EnumValues, "e", 0),
			item(3, coverage.Fields, "", 0), item(2, coverage.Defaults, "d", 0, 1),
		},
	}, {
		File: "g", Name: "m", Version: "w", Items: []*coverage.Item{
			item(1, coverage.ValidationRules, "s", 0, 1), item(2, coverage.Fields, "", 1),
		},
	}}}
	var out bytes.Buffer
	if err := report.WriteText(&out, 6); err != nil {
		t.Fatal(err)
	}
	const want = `f: n v: 35.7% of 14 goals
  fields         0.0%  0 of 1; missing: a
  constraints   20.0%  1 of 5
  enum values    0.0%  0 of 1; missing: a e
  defaults      50.0%  1 of 2; missing: a
  rules         50.0%  1 of 2
  operands      66.7%  2 of 3
g: m w: 66.7% of 3 goals
  fields       100.0%  1 of 1
  rules         50.0%  1 of 2
f:6:2: a: rule r: never y
f:7:2: a: operand self.a == 1: never x
f:8:2: a: keyword 2: never evaluated
f:9:2: a: keyword 1: never x or y
g:1:2: a: rule s: never x
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// The page has the text of the definition, with a colour for each line that has
// items.
func TestCoverageHTML(t *testing.T) {
	crds, suites := crdcases.Read(t, []string{crontab}, "../../../kit/crdtest/testdata/crontab")
	var out bytes.Buffer
	if err := cover(t, crds, suites).WriteHTML(&out); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, want := range []string{
		`<option value="0">` + crontab + ` (`,
		`<span class="n">1</span><span class="" title="">apiVersion: apiextensions.k8s.io/v1</span>`,
		`<span class="full" title="spec.image: seen 2">              image: {type: string}</span>`,
		`<span class="note part" title="true 0, false 1">self.image == oldSelf.image</span>`,
		`self.image != &#39;&#39; &amp;&amp; self.image == oldSelf.image`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	text, err := os.ReadFile(crontab)
	if err != nil {
		t.Fatal(err)
	}
	lost := coverage.Report{Versions: []*coverage.Version{{File: "missing"}}}
	if err := lost.WriteHTML(&out); err == nil {
		t.Error("a file that is missing is shown")
	}
	if lines := strings.Count(page, `<span class="n">`); lines != bytes.Count(text, []byte("\n")) {
		t.Errorf("%d lines", lines)
	}
}

// The coverage of a project's own suite.
func TestCoverageOfProjects(t *testing.T) {
	crds, suites := crdcases.Project(t, "external-snapshotter", "", "suite")
	report := cover(t, crds, suites)
	var page bytes.Buffer
	if err := report.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), "<option "); n != len(report.Versions) ||
		!strings.Contains(page.String(), `<span class="no" `) {
		t.Errorf("the page shows %d files of %d versions", n, len(report.Versions))
	}
	got := map[string]string{}
	for _, v := range report.Versions {
		got[v.Name+" "+v.Version] = v.Score(coverage.ValidationRules, coverage.Operands).String()
	}
	want := map[string]string{
		"volumegroupsnapshotclasses.groupsnapshot.storage.k8s.io v1beta2":  "83.3% of 6 goals",
		"volumegroupsnapshotcontents.groupsnapshot.storage.k8s.io v1beta2": "87.9% of 58 goals",
		"volumegroupsnapshots.groupsnapshot.storage.k8s.io v1beta2":        "88.2% of 34 goals",
		"volumesnapshotcontents.snapshot.storage.k8s.io v1":                "95.5% of 44 goals",
		"volumesnapshots.snapshot.storage.k8s.io v1":                       "100.0% of 32 goals",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
