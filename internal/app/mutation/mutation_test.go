package mutation_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/mutation"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kit/crdtest"
)

const crontab = "../../../kit/crdtest/testdata/crontab/crd.yaml"

const mutantHeader = "apiVersion: stable.example.com/v1, kind: CronTab"

// complete has a case for every mutant of the CronTab.
const complete = `
- name: minimal
  create: {` + mutantHeader + `, spec: {cronSpec: a}}
  want: {object: {` + mutantHeader + `, spec: {cronSpec: a, replicas: 1, maxReplicas: 5}}}
- {name: no spec, create: {` + mutantHeader + `}, want: {error: "spec: Required value"}}
- {name: no cronSpec, create: {` + mutantHeader + `, spec: {}}, want: {error: "spec.cronSpec: Required value"}}
- {name: longest, create: {` + mutantHeader + `, spec: {cronSpec: abcdefghijklmnopqrst}}}
- {name: too long, create: {` + mutantHeader + `, spec: {cronSpec: abcdefghijklmnopqrstu}}, want: {error: Too long}}
- {name: least, create: {` + mutantHeader + `, spec: {cronSpec: a, replicas: 0}}, want: {error: spec.replicas in body}}
- {name: most, create: {` + mutantHeader + `, spec: {cronSpec: a, maxReplicas: 10}}}
- {name: more, create: {` + mutantHeader + `, spec: {cronSpec: a, maxReplicas: 11}}, want: {error: spec.maxReplicas}}
- {name: exceeds, create: {` + mutantHeader + `, spec: {cronSpec: a, replicas: 6}}, want: {error: exceeds}}
- {name: allow, create: {` + mutantHeader + `, spec: {cronSpec: a, policy: Allow}}}
- {name: forbid, create: {` + mutantHeader + `, spec: {cronSpec: a, policy: Forbid}}}
- name: immutable
  stored: {` + mutantHeader + `, spec: {cronSpec: a, image: a}}
  update: {` + mutantHeader + `, spec: {cronSpec: a, image: b}}
  want: {error: image is immutable}
- name: idle
  stored: {` + mutantHeader + `, spec: {cronSpec: a}}
  updateStatus: {` + mutantHeader + `, status: {active: 0}}
- name: less than idle
  stored: {` + mutantHeader + `, spec: {cronSpec: a}}
  updateStatus: {` + mutantHeader + `, status: {active: -1}}
  want: {error: status.active}
`

func mutate(t *testing.T, cases string) *mutation.Report {
	t.Helper()
	_, suites := crdcases.Suite(t, crontab, cases)
	if failed, _ := crdcases.Failures(t, nil, suites); len(failed) > 0 {
		t.Fatal(failed)
	}
	report, err := mutation.Run(t.Context(), nil, suites)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func texts(mutants []*mutation.Mutant) []string {
	var all []string
	for _, m := range mutants {
		text := fmt.Sprintf("%d:%d %s", m.Line, m.Column, m.Change)
		if !m.Visited {
			text += " (not visited)"
		}
		all = append(all, text)
	}
	return all
}

// Every mutant is noticed by a case that was written for it.
func TestMutants(t *testing.T) {
	report := mutate(t, complete)
	want := []string{
		"18:20 required lacks \"spec\"",
		"24:15 the rule is dropped: self.replicas <= self.maxReplicas",
		"24:15 the rule is negated: self.replicas <= self.maxReplicas",
		"26:15 the rule is dropped: !has(self.image) || self.image != '' && self.image == oldSelf.image",
		"26:15 the rule is negated: !has(self.image) || self.image != '' && self.image == oldSelf.image",
		"22:24 required lacks \"cronSpec\"",
		"31:40 maxLength 20 is 21", "31:40 maxLength 20 is 19",
		"34:44 maximum 10 is 11", "34:44 maximum 10 is 9", "34:57 default 5 is 6",
		"37:24 enum lacks \"Allow\"", "37:31 enum lacks \"Forbid\"",
		"33:41 minimum 1 is 0", "33:53 default 1 is 2",
		"41:39 minimum 0 is 1", "41:39 minimum 0 is -1",
	}
	// minimum 2 of replicas is left out: a server refuses it, since the default
	// is 1.
	if diff := cmp.Diff(want, texts(report.Mutants)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string(nil), texts(report.Survivors())); diff != "" {
		t.Error(diff)
	}
	var first []string
	for _, m := range report.Mutants {
		first = append(first, strings.TrimPrefix(m.NoticedBy, "x/"))
	}
	if diff := cmp.Diff([]string{
		"no spec", "exceeds", "minimal", "immutable", "immutable", "no cronSpec", "too long", "longest",
		"more", "most", "minimal", "allow", "forbid", "least", "minimal", "idle", "less than idle",
	}, first); diff != "" {
		t.Errorf("noticed first by (-want +got):\n%s", diff)
	}
}

// Without a case, the mutants that it notices survive.
func TestSurvivors(t *testing.T) {
	for name, want := range map[string][]string{
		"minimal":  {"33:53 default 1 is 2"},
		"too long": {"31:40 maxLength 20 is 21"},
		"longest":  {"31:40 maxLength 20 is 19"},
		"forbid":   {"37:31 enum lacks \"Forbid\""},
		"exceeds":  {"24:15 the rule is dropped: self.replicas <= self.maxReplicas"},
		"allow":    {"37:24 enum lacks \"Allow\""},
		"immutable": {
			"26:15 the rule is dropped: !has(self.image) || self.image != '' && self.image == oldSelf.image",
		},
		"idle": {"41:39 minimum 0 is 1"},
	} {
		t.Run(name, func(t *testing.T) {
			report := mutate(t, without(t, name))
			if diff := cmp.Diff(want, texts(report.Survivors())); diff != "" {
				t.Error(diff)
			}
			score := report.Score()
			if score.Goals != 17 || score.Reached != 17-len(want) {
				t.Error(score)
			}
		})
	}
}

// without returns the complete cases without one.
func without(t *testing.T, name string) string {
	t.Helper()
	var kept []string
	for _, c := range strings.Split(complete, "\n- ") {
		if !strings.HasPrefix(c, "name: "+name+"\n") && !strings.HasPrefix(c, "{name: "+name+",") {
			kept = append(kept, c)
		}
	}
	cases := strings.Join(kept, "\n- ")
	if len(cases) == len(complete) {
		t.Fatalf("there is no case %s", name)
	}
	return cases
}

func TestMutationText(t *testing.T) {
	report := mutate(t, `
- {name: a, create: {`+mutantHeader+`, spec: {cronSpec: a, maxReplicas: 10}}}
- {name: b, create: {`+mutantHeader+`, spec: {cronSpec: abcdefghijklmnopqrstu}}, want: {error: Too long}}
`)
	var out bytes.Buffer
	if err := report.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, line := range lines {
		lines[i] = line[strings.Index(line, "crd.yaml"):]
	}
	want := []string{
		"crd.yaml: crontabs.stable.example.com: 3 of 17 mutants noticed (17.6%), 4 in fields that no case has",
		`crd.yaml:18:20: the object: required lacks "spec"`,
		`crd.yaml:22:24: spec: required lacks "cronSpec"`,
		"crd.yaml:24:15: spec: the rule is dropped: self.replicas <= self.maxReplicas",
		"crd.yaml:26:15: spec: the rule is dropped: !has(self.image) || self.image != '' && self.image == oldSelf.image",
		"crd.yaml:26:15: spec: the rule is negated: !has(self.image) || self.image != '' && self.image == oldSelf.image",
		"crd.yaml:31:40: spec.cronSpec: maxLength 20 is 19",
		"crd.yaml:33:41: spec.replicas: minimum 1 is 0",
		"crd.yaml:33:53: spec.replicas: default 1 is 2",
		"crd.yaml:34:44: spec.maxReplicas: maximum 10 is 11",
		"crd.yaml:34:57: spec.maxReplicas: default 5 is 6",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// Of several definitions, each has its score, and survivors are in the order of
// the files.
func TestMutationTextOfDefinitions(t *testing.T) {
	folder := t.TempDir()
	for file, c := range map[string]struct{ kind, properties string }{
		"1.yaml": {"B", "a: {type: string, pattern: a}"},
		"0.yaml": {"A", "z: {type: string, maxLength: 5}, a: {type: string, maxLength: 0}, " +
			"n: {type: string}"},
		"2.yaml": {"C", "a: {type: string, pattern: a}"},
	} {
		crdcases.Write(t, folder, file, testschema.Definition(c.kind, `
    schema:
      openAPIV3Schema:
        type: object
        properties: {`+c.properties+"}\n"))
	}
	file := crdcases.Write(t, folder, "x.crdtest.yaml", `crds: 1.yaml
cases:
- {name: b, create: {apiVersion: example.com/v1, kind: B, a: a}}
`)
	crdcases.Write(t, folder, "y.crdtest.yaml", `crds: [0.yaml, 2.yaml]
cases:
- {name: a, create: {apiVersion: example.com/v1, kind: A, z: aaaaa}}
`)
	suites, err := crdtest.ReadSuites(file, strings.Replace(file, "x.", "y.", 1))
	if err != nil {
		t.Fatal(err)
	}
	report, err := mutation.Run(t.Context(), nil, suites)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	const want = `1.yaml: bs.example.com: 0 of 1 mutants noticed (0.0%), 0 in fields that no case has
0.yaml: as.example.com: 1 of 3 mutants noticed (33.3%), 1 in fields that no case has
0.yaml:15:40: z: maxLength 5 is 6
1.yaml:15:40: a: pattern a is dropped
`
	got := strings.ReplaceAll(out.String(), folder+string(filepath.Separator), "")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if report, err := mutation.Run(ctx, nil, suites); report != nil || err != context.Canceled {
		t.Errorf("with a context that has ended: %v, %v", report, err)
	}
}

// A case that is skipped at a later step notices nothing.
func TestSkippedCaseNoticesNothing(t *testing.T) {
	const create = "\n  - create: {" + mutantHeader + ", spec: {cronSpec: a}}"
	file := crdcases.Write(t, t.TempDir(), "x.crdtest.yaml",
		"cases:\n- name: a\n  steps:"+create+"\n  - create: {apiVersion: v1, kind: Pod}\n")
	crds, suites := crdcases.Read(t, []string{crontab}, file)
	report, err := mutation.Run(t.Context(), crds, suites)
	if err != nil || len(report.Mutants) != 17 || report.Score().Reached != 0 {
		t.Errorf("%d mutants, %v, %v", len(report.Mutants), report.Score(), err)
	}
}

// A request without an object in its answer shows nothing of its version.
func TestVersionWithoutObjects(t *testing.T) {
	const old = "apiVersion: stable.example.com/v1beta1, kind: CronTab"
	report := mutate(t, "- {name: a, stored: {"+old+"}, updateStatus: {"+old+
		"}, want: {error: not found}}\n")
	if len(report.Mutants) != 0 {
		t.Errorf("mutants %v", texts(report.Mutants))
	}
}

// A case that only reads what is stored notices changes, and one that is not as
// stated notices nothing.
func TestReadsNotice(t *testing.T) {
	_, suites := crdcases.Suite(t, crontab, `
- {name: sent, create: {`+mutantHeader+`, spec: {cronSpec: a}}}
- {name: wrong, create: {`+mutantHeader+`, spec: {cronSpec: a}}, want: {error: a}}
- name: read
  stored: {`+mutantHeader+`, spec: {cronSpec: a}}
  read: v1
  want: {object: {`+mutantHeader+`, spec: {cronSpec: a, replicas: 1, maxReplicas: 5}}}
`)
	report, err := mutation.Run(t.Context(), nil, suites)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range report.Mutants {
		if m.NoticedBy != "" {
			got[m.Change] = m.NoticedBy
		}
	}
	if diff := cmp.Diff(map[string]string{
		"default 1 is 2": "x/read", "default 5 is 6": "x/read",
		"the rule is negated: self.replicas <= self.maxReplicas": "x/sent",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The JSON of a report has its mutants.
func TestMutationJSON(t *testing.T) {
	report := mutate(t, "- {name: a, create: {"+mutantHeader+", spec: {cronSpec: a}}}\n")
	var out bytes.Buffer
	var back mutation.Report
	if err := report.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(texts(report.Mutants), texts(back.Mutants)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(out.String(), "self.replicas <= self.maxReplicas") {
		t.Errorf("the rule is escaped: %s", &out)
	}
}

// A case with a stored object visits only the mutants where it has a value.
func TestStoredObjectVisitsItsFields(t *testing.T) {
	report := mutate(t, `
- name: nothing changes
  stored: {`+mutantHeader+`, spec: {cronSpec: a}}
  update: {`+mutantHeader+`, spec: {cronSpec: a}}
`)
	visited := map[string]bool{}
	for _, m := range report.Mutants {
		visited[m.Change] = m.Visited
	}
	if visited[`enum lacks "Allow"`] || visited["minimum 0 is 1"] || !visited["maxLength 20 is 21"] {
		t.Errorf("visited: %v", visited)
	}
}
