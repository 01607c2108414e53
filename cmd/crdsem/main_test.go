package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/evaluator"
)

// commandLines are cases of TestCommandLines.
var commandLines = []struct {
	golden, args, stdin string
}{
	{"usage", "help", ""},
	{"unknown-command", "frobnicate", ""},
	{"help-command", "help diff", ""},
	{"help-of-nothing", "help frobnicate", ""},
	{"check-list", "check -", "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(overpriced), "\n", "\n  ") + "\n- 5\n"},
	{"admit-list-kind", "admit --crd examples/crontab/crd.yaml -", "apiVersion: stable.example.com/v1\nkind: CronTabList\nitems:\n- apiVersion: stable.example.com/v1\n  kind: CronTab\n  metadata: {name: a}\n"},
	{"check-empty", "check -", "{}"},
	{"admit-json-objects", "admit --crd examples/crontab/crd.yaml -", `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"}}{"apiVersion":"stable.example.com/v1","kind":"CronTab"}`},
	{"convert-group", "convert --crd examples/rules/crd.yaml --to example.com/v1beta1 examples/rules/stored.yaml", ""},
	{"convert-ca", "convert --crd examples/rules/crd.yaml --to v1beta1 --ca ca.pem examples/rules/stored.yaml", ""},
	{"eval-parallel", "eval --parallel 0", ""},
	{"admit-crontab", "admit --crd examples/crontab/crd.yaml examples/crontab/objects.yaml", ""},
	{"admit-refused", "admit --crd examples/crontab/crd.yaml examples/crontab/refused.yaml", ""},
	{"admit-json", "admit -o json --crd examples/crontab/crd.yaml examples/crontab/refused.yaml", ""},
	{"admit-strict", "admit --field-validation Strict --crd examples/crontab/crd.yaml examples/crontab/objects.yaml", ""},
	{"admit-stdin", "admit -o yaml --crd examples/crontab/crd.yaml -", `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"x"},"spec":{"replicas":2}}`},
	{"admit-list", "admit --crd examples/crontab/crd.yaml -", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: stable.example.com/v1\n  kind: CronTab\n  metadata: {name: a}\n"},
	{"admit-rules", "admit --crd examples/rules/crd.yaml examples/rules/pools.yaml", ""},
	{"admit-explain", "admit --explain --crd examples/rules/crd.yaml examples/rules/pools.yaml", ""},
	{"admit-update", "admit --crd examples/rules/crd.yaml --old examples/rules/stored.yaml examples/rules/update.yaml", ""},
	{"admit-status", "admit --crd examples/rules/crd.yaml --old examples/rules/stored.yaml --status -", "apiVersion: example.com/v1\nkind: Pool\nmetadata: {name: crowded}\nstatus: {replicas: x}\n"},
	{"admit-stored-twice", "admit --crd examples/rules/crd.yaml --old examples/rules/stored.yaml --old - examples/rules/update.yaml", "apiVersion: example.com/v1\nkind: Pool\nmetadata: {name: crowded}\n"},
	{"admit-other-kind", "admit --crd examples/crontab/crd.yaml examples/rules/pools.yaml", ""},
	{"admit-no-crd", "admit examples/rules/pools.yaml", ""},
	{"admit-no-file", "admit --crd examples/crontab/crd.yaml no-such-file.yaml", ""},
	{"check-accepted", "check examples/crontab/crd.yaml examples/rules/crd.yaml", ""},
	{"check-refused", "check cmd/crdsem/testdata/nonstructural.yaml", ""},
	{"check-json", "check -o json cmd/crdsem/testdata/nonstructural.yaml", ""},
	{"lint", "lint examples/lint", ""},
	{"lint-nothing", "lint examples/crontab", ""},
	{"check-minors", "check --kubernetes 1.30-1.33 examples/minors", ""},
	{"check-minor", "check --kubernetes 1.31 examples/minors", ""},
	{"check-minor-unknown", "check --kubernetes 1.28 examples/minors", ""},
	{"validate-minors", "validate --kubernetes all examples/minors", ""},
	{"validate-minors-json", "validate --kubernetes 1.31-1.32 -o json examples/minors", ""},
	{"validate-minors-github", "validate --kubernetes 1.31-1.32 -o github examples/minors", ""},
	{"validate-minors-junit", "validate --kubernetes 1.31-1.32 -o junit examples/minors", ""},
	{"admit-minors", "admit --kubernetes 1.35-1.36 examples/minors", ""},
	{"cost-minors", "cost --kubernetes 1.31-1.32 examples/minors", ""},
	{"cost-minors-json", "cost --kubernetes 1.30-1.31 -o json examples/minors/older.yaml", ""},
	{"cost-minor", "cost --kubernetes 1.36 examples/minors/crd.yaml", ""},
	{"get-folder", "get --crd examples/crontab/crd.yaml --now 2026-07-01T12:00:00Z examples/crontab examples/rules/pools.yaml", ""},
	{"diff-glob", "diff --crd examples/rules/c*.yaml examples/rules/st*.yaml examples/rules/up*.yaml", ""},
	{"check-update", "check --old examples/crontab/crd.yaml -", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: crontabs.stable.example.com}\nspec: {group: other.example.com}\n"},
	{"check-no-document", "check -", "# nothing\n"},
	{"cost", "cost examples/rules/crd.yaml", ""},
	{"cost-over", "cost -", overpriced},
	{"cost-message", "cost -", strings.Replace(overpriced, "self.all(a, self.exists_one(b, a == b))", costlyMessage, 1)},
	{"admit-explain-json", "admit --explain -o json --crd examples/rules/crd.yaml examples/rules/pools.yaml", ""},
	{"cost-json", "cost -o json examples/rules/crd.yaml", ""},
	{"cost-over-json", "cost -o json -", overpriced},
	{"cost-format", "cost -o xml no-such-file.yaml", ""},
	{"cost-over-yaml", "cost -o yaml -", overpriced},
	{"cost-over-github", "cost -o github -", overpriced},
	{"cost-minors-markdown", "cost -o markdown --kubernetes 1.36-1.37 -", overpriced},
	{"convert", "convert --crd examples/rules/crd.yaml --to v1beta1 examples/rules/stored.yaml", ""},
	{"convert-unknown", "convert --crd examples/rules/crd.yaml --to v7 examples/rules/stored.yaml", ""},
	{"diff", "diff --crd examples/rules/crd.yaml examples/rules/stored.yaml examples/rules/update.yaml", ""},
	{"diff-default", "diff --default -o json --crd examples/rules/crd.yaml examples/rules/stored.yaml examples/rules/update.yaml", ""},
	{"diff-github", "diff -o github --crd examples/rules/crd.yaml examples/rules/stored.yaml examples/rules/update.yaml", ""},
	{"diff-junit", "diff -o junit --crd examples/rules/crd.yaml examples/rules/stored.yaml examples/rules/update.yaml", ""},
	{"diff-equal-yaml", "diff -o yaml --crd examples/rules/crd.yaml examples/rules/stored.yaml examples/rules/stored.yaml", ""},
	{"diff-equal", "diff --crd examples/rules/crd.yaml examples/rules/stored.yaml examples/rules/stored.yaml", ""},
	{"upgrade", "upgrade examples/upgrade/old.yaml examples/upgrade/new.yaml examples/upgrade/objects.yaml", ""},
	{"upgrade-markdown", "upgrade -o markdown examples/upgrade/old.yaml examples/upgrade/new.yaml", ""},
	{"upgrade-json", "upgrade -o json --tries 0 examples/upgrade/old.yaml examples/upgrade/new.yaml examples/upgrade/objects.yaml", ""},
	{"upgrade-yaml", "upgrade -o yaml --tries 0 examples/upgrade/old.yaml examples/upgrade/new.yaml examples/upgrade/objects.yaml", ""},
	{"upgrade-objects-markdown", "upgrade -o markdown --tries 0 examples/upgrade/old.yaml examples/upgrade/new.yaml examples/upgrade/objects.yaml", ""},
	{"upgrade-equal", "upgrade examples/upgrade/old.yaml examples/upgrade/old.yaml", ""},
	{"upgrade-unreadable", "upgrade examples/upgrade/old.yaml examples/upgrade/old.yaml -", "a: [\n---\n{}\n"},
	{"upgrade-no-definition", "upgrade examples/upgrade/old.yaml examples/upgrade/objects.yaml", ""},
	{"upgrade-one", "upgrade examples/upgrade/old.yaml", ""},
	{"upgrade-cluster", "upgrade --kubernetes 1.35..1.37 examples/minors", ""},
	{"upgrade-cluster-markdown", "upgrade -o markdown --kubernetes 1.35..1.37 examples/minors", ""},
	{"upgrade-cluster-next", "upgrade --kubernetes v1.37.2..1.38 -", refusedNext},
	{"upgrade-cluster-json", "upgrade -o json --tries 0 --kubernetes 1.37..1.38 -", refusedNext},
	{"upgrade-cluster-github", "upgrade -o github --tries 0 --kubernetes 1.37..1.38 -", refusedNext},
	{"upgrade-cluster-unreadable", "upgrade --kubernetes 1.36..1.37 examples/upgrade/old.yaml -", "a: [\n---\n{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: 1}\n"},
	{"upgrade-cluster-no-definition", "upgrade --kubernetes 1.36..1.37 examples/upgrade/objects.yaml", ""},
	{"upgrade-cluster-back", "upgrade --kubernetes 1.37..1.36 examples/minors", ""},
	{"upgrade-cluster-same", "upgrade --kubernetes 1.37..1.37 examples/minors", ""},
	{"upgrade-cluster-nothing", "upgrade --kubernetes 1.36..1.37", ""},
	{"lint-next", "lint --disable all --enable LINT-next -", refusedNext},
	{"lint-next-json", "lint -o json --disable all --enable LINT-next -", refusedNext},
	{"get", "get --crd examples/crontab/crd.yaml --now 2026-07-01T12:00:00Z -", printed},
	{"get-wide-json", "get -o json --crd examples/crontab/crd.yaml --now 2026-07-01T12:00:00Z -", printed},
	{"get-time", "get --crd examples/crontab/crd.yaml --now noon -", printed},
	{"api", "api --crd examples/crontab/crd.yaml --crd examples/rules/crd.yaml", ""},
	{"api-json", "api -o json examples/crontab/crd.yaml", ""},
	{"api-conflict", "api examples/crontab/crd.yaml -", strings.ReplaceAll(rival, "\t", "  ")},
	{"schema", "schema examples/crontab/crd.yaml", ""},
	{"schema-several", "schema examples/crontab/crd.yaml examples/rules/crd.yaml", ""},
	{"schema-nothing", "schema", ""},
	{"generate", "generate --crd examples/rules/crd.yaml -n 3 --seed 7", ""},
	{"generate-break", "generate --crd examples/crontab/crd.yaml -n 3 --break", ""},
	{"generate-json", "generate --crd examples/crontab/crd.yaml -n 2 --break -o json", ""},
	{"generate-minimal", "generate --crd examples/rules/crd.yaml --minimal", ""},
	{"generate-minimal-json", "generate --crd examples/crontab/crd.yaml --minimal -o json", ""},
	{"generate-full", "generate --crd examples/rules/crd.yaml --full", ""},
	{"generate-full-json", "generate --crd examples/rules/crd.yaml --full -o json", ""},
	{"generate-both", "generate --crd examples/rules/crd.yaml --full --minimal", ""},
	{"generate-no-kind", "generate --crd examples/crontab/crd.yaml --kind Pool", ""},
	{"generate-no-version", "generate --crd examples/crontab/crd.yaml --version v9", ""},
	{"generate-ambiguous", "generate --crd examples/crontab/crd.yaml --crd examples/rules/crd.yaml", ""},
	{"describe", "describe examples/crontab/crd.yaml", ""},
	{"describe-field", "describe examples/rules/crd.yaml pool.spec.replicas", ""},
	{"describe-recursive", "describe --recursive examples/rules/crd.yaml spec", ""},
	{"describe-markdown", "describe -o markdown --crd examples/rules/crd.yaml --crd examples/crontab/crd.yaml", ""},
	{"describe-version", "describe --version v9 examples/rules/crd.yaml", ""},
	{"describe-unknown", "describe examples/rules/crd.yaml spec.replica", ""},
	{"describe-ambiguous", "describe --crd examples/rules/crd.yaml --crd examples/crontab/crd.yaml spec", ""},
	{"describe-chosen", "describe --crd examples/rules/crd.yaml --crd examples/crontab/crd.yaml ct.spec.image", ""},
	{"describe-nothing", "describe", ""},
	{"explain", "explain VER-001 str-061", ""},
	{"explain-prefix", "explain VER", ""},
	{"explain-json", "explain -o json VER-001", ""},
	{"explain-prefix-json", "explain -o json VER", ""},
	{"explain-unknown", "explain VER-001 VRE-003", ""},
	{"explain-unlike", "explain replicas", ""},
	{"validate", "validate examples/crontab examples/rules", ""},
	{"validate-verbose", "validate -v examples/crontab", ""},
	{"validate-json", "validate -o json examples/crontab", ""},
	{"validate-yaml", "validate -v -o yaml --crd examples/crontab/crd.yaml -", printed},
	{"validate-junit", "validate -o junit examples/crontab", ""},
	{"validate-github", "validate -o github examples/crontab", ""},
	{"validate-warn", "validate --field-validation Warn examples/crontab", ""},
	{"validate-stream", "validate --crd examples/crontab -", stream},
	{"validate-missing", "validate no-such-file.yaml no-such-*.yaml examples/crontab/crd.yaml", ""},
	{"validate-not-judged", "validate examples/rules/pools.yaml", ""},
	{"validate-required", "validate --require-definitions examples/rules/pools.yaml", ""},
	{"validate-nothing", "validate", ""},
	{"test", "test examples/crdtest", ""},
	{"test-help", "test --help", ""},
	{"test-wrong", "test -v cmd/crdsem/testdata/wrong.crdtest.yaml", ""},
	{"test-json", "test -o json cmd/crdsem/testdata/wrong.crdtest.yaml", ""},
	{"test-yaml", "test -o yaml cmd/crdsem/testdata/wrong.crdtest.yaml", ""},
	{"test-github", "test -o github cmd/crdsem/testdata/wrong.crdtest.yaml", ""},
	{"test-markdown", "test -o markdown cmd/crdsem/testdata/wrong.crdtest.yaml", ""},
	{"test-stdin", "test -v -", "crds: examples/crontab/crd.yaml\ncases:\n- name: piped\n  create: {apiVersion: stable.example.com/v1, kind: CronTab}\n"},
	{"test-stdin-definition", "test -v -", shelfCRD + "---\n" + stored},
	{"test-stdin-update", "test --update -", "cases: []"},
	{"test-other-minor", "test -v -", "cases:\n- name: old\n  kubernetes: '1.31'\n  read: v1\n"},
	{"test-other-minors", "test -v --kubernetes 1.30-1.31 -", "kubernetes: 1.33-1.37\ncases:\n- name: new\n  read: v1\n"},
	{"test-no-case", "test -", "cases: []"},
	{"test-refused-definition", "test -v --crd cmd/crdsem/testdata/nonstructural.yaml -", "cases:\n- name: admitted\n  create: {apiVersion: g.io/v1, kind: Foo, spec: {a: x}}\n"},
	{"test-run", "test -v --run weights|status examples/crdtest", ""},
	{"test-run-nothing", "test --run nothing examples/crdtest", ""},
	{"test-run-malformed", "test --run ( examples/crdtest", ""},
	{"test-crd", "test -v --crd examples/crontab/crd.yaml examples/crontab", ""},
	{"test-crd-without", "test --crd examples/crontab/objects.yaml examples/crontab", ""},
	{"test-no-path", "test", ""},
	{"test-no-suite", "test examples/fuzz", ""},
	{"test-cover", "test --cover examples/crdtest", ""},
	{"test-mutate", "test --mutate examples/crdtest", ""},
	{"eval", "eval --parallel 2", "{\"id\":\"1\",\"op\":\"sort\",\"names\":[\"v1\",\"v2\"]}\nnonsense\n{\"id\":\"2\",\"op\":\"fly\"}\n"},
}

// stream is what kubectl and helm print: a list, built-in kinds, a broken
// document, values of a chart, JSON.
const stream = `# Source: chart/templates/service.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: v1
kind: List
items:
- apiVersion: stable.example.com/v1
  kind: CronTab
  metadata: {name: in-list}
  spec: {cronSpec: 1}
- apiVersion: stable.example.com/v1
  kind: CronTab
  metadata: {name: twice}
  spec: {cronSpec: '* * * * *', cronSpec: '* * * * *'}
- apiVersion: stable.example.com/v7
  kind: CronTab
  metadata: {name: unserved}
- 7
---
apiVersion: stable.example.com/v1
 kind: CronTab
---
image: {tag: latest}
---
{"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": "b"},
	"spec": {"cronSpec": "* * * * *", "imag": "x"}}
{"apiVersion": "example.org/v1", "kind": "Unknown", "metadata": {"name": "c"}}
`

// printed are stored objects, and rival is a definition that asks for names of
// the example's.
const (
	printed = "apiVersion: stable.example.com/v1\nkind: CronTab\n" +
		"metadata: {name: nightly, creationTimestamp: '2026-06-28T08:00:00Z'}\n" +
		"spec: {cronSpec: '0 3 * * *', image: backup}\n"
	rival = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
		"metadata: {name: tables.stable.example.com}\n" +
		"spec:\n\tgroup: stable.example.com\n\tscope: Cluster\n" +
		"\tnames: {plural: tables, kind: CronTab, shortNames: [ct, tb]}\n" +
		"\tversions:\n\t- {name: v1, served: true, storage: true, " +
		"schema: {openAPIV3Schema: {type: object}}}\n"
)

// Each case is a command line as a person types it in the module's root, and a
// file with what it prints. CRDSEM_GOLDEN=write rewrites the
// files.
func TestCommandLines(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	for _, c := range commandLines {
		t.Run(c.golden, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(context.Background(), strings.Fields(c.args),
				streams{strings.NewReader(c.stdin), &out, &errs})
			got := fmt.Sprintf("$ crdsem %s\n%s", c.args, out.String())
			if errs.Len() > 0 {
				got += "--- stderr\n" + errs.String()
			}
			golden(t, c.golden, got+fmt.Sprintf("--- exit code %d\n", code))
		})
	}
}

// foos is a definition that lacks its schema.
const foos = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.g.io}
spec:
  group: g.io
  scope: Cluster
  names: {plural: foos, kind: Foo}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:`

// overpriced has a rule that is quadratic in two unbounded lists.
const overpriced = foos + `
        type: object
        properties:
          list:
            type: array
            items: {type: string}
            x-kubernetes-validations:
            - rule: self.all(a, self.exists_one(b, a == b))
`

// costlyMessage is a cheap rule with a message that is quadratic.
const costlyMessage = `self.size() < 3
              messageExpression: "self.exists(a, self.exists(b, a + b == a)) ? 'twice' : 'once'"`

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("cmd", "crdsem", "testdata", name+".txt")
	if os.Getenv("CRDSEM_GOLDEN") == "write" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestVersion(t *testing.T) {
	v := version{Version: "v0.1.0", Kubernetes: []string{"1.36", "1.37"}}
	v.built(&debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "m"},
		Settings: []debug.BuildSetting{{Key: "vcs.modified", Value: "true"},
			{Key: "vcs.revision", Value: "0123abc"}}})
	if got := v.String(); got !=
		"crdsem v0.1.0, m, 0123abc with changes, go1.26.8, Kubernetes 1.36, 1.37" {
		t.Error(got)
	}
	want := versionText() + "\n"
	line, linked, _ := strings.Cut(want, "\n")
	if !strings.HasPrefix(linked, "  with ") || strings.Contains(linked, "not compared") {
		t.Errorf("the modules that are linked: %s", linked)
	}
	if !strings.HasPrefix(want, "crdsem "+evaluator.Hello().Version+", ") ||
		!strings.Contains(want, runtime.Version()) ||
		!strings.HasSuffix(line, strings.Join(evaluator.Hello().Kubernetes, ", ")) {
		t.Error(want)
	}
	for _, word := range []string{"version", "--version"} {
		if code, out, errs := execute(t, "", word); code != exitOK || out != want || errs != "" {
			t.Errorf("%s: exit code %d, %q %q", word, code, out, errs)
		}
	}
	if code, _, errs := execute(t, "", "version", "7"); code != exitFailed ||
		!strings.Contains(errs, "unknown command") {
		t.Errorf("an argument: exit code %d, %q", code, errs)
	}
}

// A server accepts the definitions of the examples, costs of rules and messages
// included.
func TestExamplesAreAccepted(t *testing.T) {
	crds, err := filepath.Glob(filepath.Join("..", "..", "examples", "*", "crd.yaml"))
	if err != nil || len(crds) < 2 {
		t.Fatalf("%d definitions, %v", len(crds), err)
	}
	for _, name := range []string{"check", "cost"} {
		if code, out, errs := execute(t, "", append([]string{name}, crds...)...); code != exitOK {
			t.Errorf("%s: exit code %d\n%s%s", name, code, out, errs)
		}
	}
}

// refusedNext is a definition with rules that Kubernetes 1.38 refuses, and an
// object.
const refusedNext = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: hosts, singular: host, kind: Host, listKind: HostList}
  versions:
  - name: v1
    storage: true
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [path]
            properties:
              path: {type: string, minLength: 2}
              peers:
                type: array
                maxItems: 100
                items:
                  type: object
                  properties: {name: {type: string}, address: {type: string}}
                  x-kubernetes-validations:
                  - rule: has(self.name) != has(self.address)
            x-kubernetes-validations:
            - rule: "self.path.split('/')[0].matches('^[a-z]+$')"
---
apiVersion: example.com/v1
kind: Host
metadata: {name: a, namespace: b}
spec: {path: /}
`
