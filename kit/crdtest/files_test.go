package crdtest_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// outcomesOf writes files, reads their suites, runs them with the definitions
// of a folder crds, and returns a line for each error and each result. T stands
// for the folder of the files.
func outcomesOf(t *testing.T, texts map[string]string) []string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		crdcases.Write(t, folder, name, texts[name])
	}
	var lines []string
	add := func(text string) {
		text = strings.Join(strings.Fields(text), " ")
		lines = append(lines, strings.ReplaceAll(text, folder, "T"))
	}
	var crds []*crdtest.CRD
	if _, err := os.Stat(folder + "/crds"); err == nil {
		if crds, err = crdtest.ReadCRDs(folder + "/crds"); err != nil {
			add("definitions: " + err.Error())
		}
	}
	suites, err := crdtest.ReadSuites(folder)
	if err != nil {
		add("suites: " + err.Error())
	}
	results, err := crdtest.Execute(t.Context(), crds, suites)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		switch {
		case r.Err != nil:
			add(fmt.Sprintf("%s: fails: %v", r.Name(), r.Err))
		case r.Skipped != "":
			add(r.Name() + ": skipped: " + r.Skipped)
		default:
			add(r.Name() + ": passes")
		}
	}
	return lines
}

const (
	cronTabHeader = "apiVersion: stable.example.com/v1\nkind: CronTab\n"
	goodCronTab   = cronTabHeader + "spec: {cronSpec: a}\n"
	unchecked     = "<nil>: Invalid value: null: some validation rules were not checked because " +
		"the object was invalid; correct the existing errors to complete validation"
	inJSON = `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"cronSpec":"a"}}`
	inFlow = "{apiVersion: stable.example.com/v1, kind: CronTab, spec: {cronSpec: a}}"
)

// gated returns a definition of CronTabs for a cluster profile.
func gated(crd, profile string) string {
	return strings.Replace(crd, "metadata:\n", "metadata:\n  annotations: "+
		"{include.release.openshift.io/"+profile+": 'true'}\n", 1)
}

// Files of all formats with mistakes, and what is said about each.
func TestFiles(t *testing.T) {
	text, err := os.ReadFile(crontab)
	if err != nil {
		t.Fatal(err)
	}
	crd := string(text)
	one := crd[:strings.Index(crd, "  - name: v1beta1\n")]
	renamed := strings.Replace(crd, "name: crontabs", "name: other", 1)
	const openShift = "name: o\ncrdName: crontabs.stable.example.com\n"
	const onCreate = "tests: {onCreate: [{name: c, initial: '" + inJSON + "'}]}\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"manifests": {map[string]string{
			"crds/a.yaml": crd, "good.yaml": goodCronTab,
			"two.yaml": goodCronTab + "---\n" + cronTabHeader,
			"any.yaml": cronTabHeader, "any.yaml.err": "\n",
			"other.yaml": cronTabHeader, "other.yaml.err": " something \n",
			"invalid-a/b.yaml": goodCronTab, "invalids/b.yaml": goodCronTab,
			"alone.pre.yaml":   goodCronTab,
			"second.pre.yaml":  goodCronTab + "---\n" + goodCronTab,
			"second.post.yaml": cronTabHeader,
			"folder.yaml":      goodCronTab, "folder.yaml.err/x": "",
			"post.pre.yaml": goodCronTab, "post.post.yaml/x": "",
			"list.pre.yaml": goodCronTab, "list.post.yaml": "[]",
			"tx.pre.yaml": goodCronTab, "tx.post.yaml": goodCronTab,
			"tx.post.yaml.tx_err/x": "", "broken.yaml": "a: [",
		}, []string{
			"suites: T/broken.yaml:1:5: yaml: did not find expected node content " +
				"T/folder.yaml.err: not a regular file " +
				"T/list.post.yaml:1:1: expected an object, got array " +
				"T/list.post.yaml: expected an object, got array T/post.post.yaml: not a regular file " +
				"T/tx.post.yaml.tx_err: not a regular file",
			"T/alone.pre: passes", "T/any: passes", "T/good: passes",
			"T/other: fails: T/other.yaml:1: create: the refusal lacks a stated error (-want +got):" +
				" []string{ - \"something\", + \"spec: Required value\", + \"" + unchecked + "\", }",
			"T/second.pre: fails: T/second.pre.yaml:1: update: refused, want it admitted: " +
				"CronTab.stable.example.com \"test-00000\" is invalid: [spec: Required value, " +
				unchecked + "]",
			"T/second.pre#2: passes", "T/two: passes",
			"T/two#2: fails: T/two.yaml:5: create: refused, want it admitted: " +
				"CronTab.stable.example.com \"test-00000\" is invalid: [spec: Required value, " +
				unchecked + "]",
			"T/invalid-a/b: fails: T/invalid-a/b.yaml:1: create: admitted, want it refused",
			"T/invalids/b: passes",
		}},
		"definitions that are not read": {map[string]string{
			"crds/a.yaml": crd, "crds/b.yaml": "a: [", "good.yaml": goodCronTab,
			"none.crdtest.yaml": "crds: [crds/a.yaml, none]\ncases:\n- name: a\n  create: " + inFlow,
		}, []string{
			"definitions: T/crds/b.yaml:1:5: yaml: did not find expected node content",
			"suites: T/crds/b.yaml:1:5: yaml: did not find expected node content",
			"T/good: passes",
			"none/definitions: fails: T/none: no such file or directory",
		}},
		"patches": {map[string]string{
			"crd.yaml": one, "a.crdtest.yaml": `crds: crd.yaml
cases:
- name: patched
  steps:
  - create: {apiVersion: stable.example.com/v1, kind: CronTab}
    crdPatches: [{op: remove, path: /spec/versions/0/schema/openAPIV3Schema/required}]
  - read: v1
    want: {object: {apiVersion: stable.example.com/v1, kind: CronTab}}
- name: no path
  create: ` + inFlow + `
  crdPatches: [{op: remove, path: /spec/nothing}]
- name: no object
  create: ` + inFlow + `
  crdPatches: [{op: replace, path: "", value: 3}]
- name: no model
  create: ` + inFlow + `
  crdPatches: [{op: replace, path: /spec/versions, value: 3}]
`,
			"b.crdtest.yaml": "crds: crd.yaml\ncases:\n- name: a\n  create: " + inFlow +
				"\n  crdPatches: [{op: remove, path: /a, from: /b}]\n",
		}, []string{
			"suites: T/b.crdtest.yaml:5:39: cases[0].crdPatches[0].from: unknown field",
			"a/patched: passes",
			"a/no path: fails: T/a.crdtest.yaml:9: create: T/crd.yaml: patched: " +
				"operation 0 (remove \"/spec/nothing\"): there is no such path",
			"a/no object: fails: T/a.crdtest.yaml:12: create: T/crd.yaml: patched: " +
				"operation 0 (replace \"\"): the whole can be replaced by an object or a list only",
			"a/no model: fails: T/a.crdtest.yaml:15: create: T/crd.yaml: patched: json: cannot " +
				"unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.versions " +
				"of type []v1.CustomResourceDefinitionVersion",
		}},
		"steps": {map[string]string{
			"crd.yaml": crd, "a.crdtest.yaml": `crds: crd.yaml
cases:
- {name: nothing stored, update: ` + inFlow + `}
- {name: unknown version, stored: ` + inFlow + `, read: v3}
- {name: unknown kind, stored: {apiVersion: a.io/v1, kind: A}, read: v1}
- {name: built in, stored: {apiVersion: v1, kind: Pod}, read: v1}
- {name: no version, stored: {kind: CronTab}, read: v1}
- name: name of a map
  create: {apiVersion: stable.example.com/v1, kind: CronTab, metadata: a, spec: {cronSpec: a}}
- name: names
  stored: {apiVersion: stable.example.com/v1, kind: CronTab, metadata: {namespace: ns}}
  update: ` + inFlow + `
  want:
    object:
      apiVersion: stable.example.com/v1
      kind: CronTab
      metadata: {name: test, namespace: ns}
      spec: {cronSpec: a, replicas: 1, maxReplicas: 5}
- name: name of the case
  stored: {apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: own}}
  update: {apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: b}}
  want: {error: the name of the object (b) does not match the name on the URL (own)}
- name: name to generate
  create: {apiVersion: stable.example.com/v1, kind: CronTab, metadata: {generateName: c-}}
  want: {error: 'CronTab.stable.example.com "c-00000" is invalid'}
- name: created next to a stored one
  stored: {apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: own}}
  create: {apiVersion: stable.example.com/v1, kind: CronTab}
  want: {error: ["", 'CronTab.stable.example.com "test-00000" is invalid']}
- name: no error
  create: ` + inFlow + `
  want: {error: ""}
- name: several
  create: ` + inFlow + `
  want: {cost: 4, warnings: [a], object: {apiVersion: stable.example.com/v1, kind: CronTab}}
`,
		}, []string{
			"a/nothing stored: fails: T/a.crdtest.yaml:3: update: nothing is stored: create an " +
				"object first, or state what is stored",
			"a/unknown version: fails: T/a.crdtest.yaml:4: read: crontabs.stable.example.com does " +
				"not serve version \"v3\"; it serves v1, v1beta1",
			"a/unknown kind: fails: T/a.crdtest.yaml:5: read: no definition of a.io/v1 A was given",
			"a/built in: skipped: v1 Pod is built into Kubernetes",
			"a/no version: fails: T/a.crdtest.yaml:7: read: apiVersion \"\" and kind \"CronTab\" " +
				"name no resource",
			"a/name of a map: fails: T/a.crdtest.yaml:8: create: refused, want it admitted: " +
				"CronTab in version \"v1\" cannot be handled as a CronTab: json: cannot unmarshal " +
				"string into Go value of type v1.ObjectMeta",
			"a/names: passes", "a/name of the case: passes", "a/name to generate: passes",
			"a/created next to a stored one: passes", "a/no error: passes",
			"a/several: fails: T/a.crdtest.yaml:33: create: warnings (-want +got): " +
				"[]string( - {\"a\"}, + nil, ) the rules cost 5, want 4 object (-want +got): " +
				"map[string]any{ \"apiVersion\": string(\"stable.example.com/v1\"), \"kind\": " +
				"string(\"CronTab\"), + \"spec\": map[string]any{\"cronSpec\": " +
				"string(\"a\"), \"maxReplicas\": int64(5), \"replicas\": int64(1)}, }",
		}},
		"versions of suites": {map[string]string{
			"crds/crd.yaml": crd, "a.testsuite.yaml": openShift + "version: v1\n" + onCreate,
			"b.testsuite.yaml": openShift + "version: v7\n" + onCreate,
			"c.testsuite.yaml": openShift + onCreate,
			"d.testsuite.yaml": "name: d\ncrd: none.yaml\n" + onCreate,
			"g.testsuite.yaml": openShift + "version: v1beta1\n" +
				strings.Replace(onCreate, "/v1", "/v1beta1", 1),
			"f.testsuite.yaml": "name: f\ncrd: crds/crd.yaml\n" + onCreate,
			"e.testsuite.yaml": openShift + "version: v1\ntests: {onUpdate: [{name: u, initial: '" +
				strings.Replace(inJSON, "/v1", "/v1beta1", 1) + "', updated: '" + inJSON +
				"', initialCRDPatches: [{op: add, path: /a, value: b}]}]}\n",
		}, []string{
			"o/onCreate/c: passes",
			"o/onCreate/c: fails: T/b.testsuite.yaml:4: create: T/crds/crd.yaml: there is no " +
				"version \"v7\"",
			"o/definitions: fails: T/c.testsuite.yaml: name one version of T/crds/crd.yaml: " +
				"it has v1, v1beta1",
			"d/definitions: fails: T/none.yaml: no such file or directory",
			"o/onUpdate/u: fails: T/e.testsuite.yaml:4: create: crontabs.stable.example.com does " +
				"not serve version \"v1beta1\"; it serves v1",
			"f/definitions: fails: T/f.testsuite.yaml: name one version of T/crds/crd.yaml: " +
				"it has v1, v1beta1",
			"o/onCreate/c: passes",
		}},
		"several definitions": {map[string]string{
			"crds/a.crd.yaml": one, "crds/b.yaml": one, "crds/c.yaml": renamed,
			"a.testsuite.yaml": openShift + onCreate,
			"b.testsuite.yaml": "name: p\ncrd: crds/b.yaml\n" + onCreate,
			"c.testsuite.yaml": "name: q\ncrdName: q\nfeatureGates: [A, -B]\n" + onCreate,
			"d.testsuite.yaml": "name: r\ncrd: crds/a.crd.yaml\ntests: {onCreate: " +
				"[{name: c, initial: 'kind: A\n\n  apiVersion: a.io/v1'}]}\n",
		}, []string{
			"o/a/onCreate/c: passes", "o/b/onCreate/c: passes", "p/onCreate/c: passes",
			"q/definitions: fails: T/c.testsuite.yaml: no definition q is given that has the " +
				"feature gates [A -B]",
			"r/onCreate/c: skipped: no definition of a.io/v1 A was given",
		}},
		"gates without lists": {map[string]string{
			"crds/a.yaml":      gated(one, "ha"),
			"a.testsuite.yaml": openShift + "featureGates: [A]\n" + onCreate,
		}, []string{
			"o/definitions: fails: T/a.testsuite.yaml: T/crds/a.yaml: no folder " +
				"payload-manifests/featuregates above it lists the feature gates [A]",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, outcomesOf(t, c.files)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
