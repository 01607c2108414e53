package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// boxes returns a definition with versions, of which the first is stored. Each
// is a name and the schema of spec in flow style. The conversion may be empty.
func boxes(conversion string, versions ...[2]string) string {
	var b strings.Builder
	b.WriteString(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.ex.io}
spec:
  group: ex.io
  scope: Namespaced
  names: {plural: boxes, singular: box, kind: Box, listKind: BoxList}
`)
	if conversion != "" {
		b.WriteString("  conversion: " + conversion + "\n")
	}
	b.WriteString("  versions:\n")
	for i, v := range versions {
		fmt.Fprintf(&b,
			"  - name: %s\n    served: true\n    storage: %t\n    schema: {openAPIV3Schema: "+
				"{type: object, properties: {spec: %s}}}\n", v[0], i == 0, v[1])
	}
	return b.String()
}

// boxOf returns an object of a version with the fields of spec in flow style.
func boxOf(version, spec string) string {
	return "apiVersion: ex.io/" + version + "\nkind: Box\n" +
		"metadata: {name: a, namespace: default}\nspec: {" + spec + "}\n"
}

const (
	byWebhook = `{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/"}}}`

	onlyA   = `{type: object, properties: {a: {type: string}}}`
	withDep = `{type: object, properties: {a: {type: string}, dep: {type: string}}}`
	// boundA has a bound that objects of other versions may break.
	boundA = `{type: object, properties: {a: {type: string, maxLength: 2}}}`
)

// folder writes files into a new folder, and returns their paths by name.
func folder(t *testing.T, files map[string]string) func(name string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return func(name string) string { return filepath.Join(dir, name) }
}

// A field that the storage version lacks is lost by the next write, although
// the object is read as before.
func TestUpgradeFollowsToStorage(t *testing.T) {
	in := folder(t, map[string]string{
		"old.yaml":  boxes("", [2]string{"v1beta2", withDep}),
		"new.yaml":  boxes("", [2]string{"v1", onlyA}, [2]string{"v1beta2", withDep}),
		"obj.yaml":  boxOf("v1beta2", "a: x, dep: keep me"),
		"bare.yaml": boxOf("v1beta2", "a: x"),
	})
	_, out, errs := execute(t, "", "upgrade", in("old.yaml"), in("new.yaml"), in("obj.yaml"),
		in("bare.yaml"))
	for _, want := range []string{
		"Box default/a: pruned\n", "spec.dep: lost by the next write",
		"boxes.ex.io: 2 objects: 1 pruned, 1 unaffected",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s%s", want, out, errs)
		}
	}
}

// An object is judged for the clients of each served version, not only for
// those of the version in which the file happens to be.
func TestUpgradeJudgesEachVersion(t *testing.T) {
	in := folder(t, map[string]string{
		"old.yaml":     boxes("", [2]string{"v1beta1", onlyA}),
		"new.yaml":     boxes("", [2]string{"v1beta2", boundA}, [2]string{"v1beta1", onlyA}),
		"webhook.yaml": boxes(byWebhook, [2]string{"v1beta2", boundA}, [2]string{"v1beta1", onlyA}),
		"obj.yaml":     boxOf("v1beta1", "a: long"),
	})
	for _, c := range []struct {
		changed string
		want    []string
	}{
		{"new.yaml", []string{"Box default/a: ratcheted through v1beta2", "1 object: 1 ratcheted"}},
		{"webhook.yaml", []string{
			"v1beta1 to v1beta2: the conversion webhook has to meet what every write does: spec.a: at most 2 characters",
			"not judged: a conversion webhook decides what other versions store and read; --webhook URL asks it",
			"Box default/a: a webhook decides", "1 object: 1 a webhook decides",
		}},
	} {
		_, out, errs := execute(t, "", "upgrade", in("old.yaml"), in(c.changed), in("obj.yaml"))
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing in\n%s%s", c.changed, want, out, errs)
			}
		}
	}
}

// A conversion ends with what a client of the other version reads: what is lost
// and what would be refused is said.
func TestConvertFollowsToReaders(t *testing.T) {
	in := folder(t, map[string]string{
		"crd.yaml": boxes("", [2]string{"v1", onlyA}, [2]string{"v1beta2", withDep}, [2]string{"v2", boundA},
			[2]string{"v3", withDep}),
		"webhook.yaml": boxes(byWebhook, [2]string{"v1", onlyA}, [2]string{"v1beta2", withDep}),
		"obj.yaml":     boxOf("v1beta2", "a: long, dep: keep me"),
	})
	for _, c := range []struct {
		crd, to, out, err string
		code              int
	}{
		{"crd.yaml", "v1", "spec:\n  a: long\n", "4:17: warning: spec.dep is lost", exitOK},
		{"crd.yaml", "v3", "spec:\n  a: long\n", "4:17: warning: spec.dep is lost", exitOK},
		{"crd.yaml", "v2", "apiVersion: ex.io/v2\n",
			"4:11: as a new object of v2 it is refused: spec.a: Too long: may not be more than 2 bytes", exitRefused},
		{"crd.yaml", "v7", "", "request to convert CR to an invalid group/version: ex.io/v7", exitRefused},
		{"webhook.yaml", "v1", "", "1:13: not judged: a conversion webhook decides; --webhook URL asks it", exitNotJudged},
	} {
		code, out, errs := execute(t, "", "convert", "--crd", in(c.crd), "--to", c.to,
			in("obj.yaml"))
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.err) ||
			strings.Contains(out, "keep me") {
			t.Errorf("%s to %s: exit code %d\n%s%s", c.crd, c.to, code, out, errs)
		}
	}
}

// managed is a stored object: helm applied it, and another manager owns one
// field.
const managed = `apiVersion: ex.io/v1
kind: Box
metadata:
  name: a
  namespace: default
  uid: u
  managedFields:
  - {manager: helm, operation: Apply, apiVersion: ex.io/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:a": {}}}}
  - {manager: injector, operation: Update, apiVersion: ex.io/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:dep": {}}}}
spec: {a: x, dep: injected}
`

// An apply merges by managers. Conflicts name them, and what force would take.
func TestApply(t *testing.T) {
	in := folder(t, map[string]string{
		"crd.yaml":   boxes("", [2]string{"v1", withDep}),
		"live.yaml":  managed,
		"same.yaml":  boxOf("v1", "a: w"),
		"other.yaml": boxOf("v1", "a: w, dep: mine"),
		"odd.yaml":   boxOf("v1", "b: w"),
	})
	live := strings.ReplaceAll(managed, "FieldsV1,", "Other,")
	write(t, in("broken.yaml"), live)
	const conflict = `conflict with "injector" using ex.io/v1: .spec.dep`
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"admit --apply helm --old live.yaml same.yaml", exitOK,
			[]string{"accepted: Box default/a (apply, v1)", "dep: injected", "a: w"}},
		{"admit --apply helm --old live.yaml other.yaml", exitRefused, []string{
			"other.yaml:4:19: error: Box default/a: " + conflict,
			`hint: --force-conflicts takes it from "injector" using ex.io/v1: "injected" becomes "mine"`}},
		{"validate --apply helm --old live.yaml other.yaml", exitRefused, []string{conflict}},
		{"admit --apply helm --force-conflicts --old live.yaml other.yaml", exitOK, []string{"dep: mine"}},
		{"admit --apply helm --old live.yaml odd.yaml", exitRefused, []string{"odd.yaml:4:8", "field not declared in schema"}},
		{"admit --apply helm same.yaml", exitOK, []string{"accepted: Box default/a (apply, v1)"}},
		{"admit --apply helm --old broken.yaml same.yaml", exitRefused, []string{"managed fields"}},
		{"admit --old live.yaml same.yaml", exitOK, []string{
			`judged as a replacement, which removes what the file leaves out; an apply by "helm" stores other values: spec.dep stays "injected"`,
			"--apply helm judges the apply"}},
		{"admit --old live.yaml other.yaml", exitOK, []string{`an apply by "helm" is refused: Apply failed with 1 conflict`}},
	} {
		args := strings.Fields(c.args)
		for i, arg := range args {
			if strings.HasSuffix(arg, ".yaml") {
				args[i] = in(arg)
			}
		}
		code, out, errs := execute(t, "", append(args, "--crd", in("crd.yaml"))...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing in\n%s%s", c.args, want, out, errs)
			}
		}
		if code != c.code {
			t.Errorf("%s: exit code %d\n%s%s", c.args, code, out, errs)
		}
	}
}

// A patch is sent to the objects of the files.
func TestPatch(t *testing.T) {
	in := folder(t, map[string]string{
		"crd.yaml": boxes("", [2]string{"v1", boundA}), "obj.yaml": boxOf("v1", "a: x"),
		"merge.yaml": "spec: {a: long}\n", "json.json": `[{"op": "replace", "path": "/spec/a", "value": "w"}]`,
		"none.json": `[{"op": "remove", "path": "/spec/b"}]`,
	})
	for _, c := range []struct {
		patch, language, want string
		code                  int
	}{
		{"merge.yaml", "merge", "spec.a: Too long", exitRefused},
		{"json.json", "json", "accepted: Box default/a (patch, v1)", exitOK},
		{"none.json", "json", "the server rejected our request due to an error in our request", exitRefused},
		{"merge.yaml", "strategic", "the body of the request was in an unknown format", exitRefused},
	} {
		code, out, errs := execute(t, "", "admit", "--crd", in("crd.yaml"), "--patch", in(c.patch),
			"--type", c.language, in("obj.yaml"))
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d\n%s%s", c.patch, code, out, errs)
		}
	}
	code, out, errs := execute(t, "", "check", "--type", "json", "--patch", in("path.json"),
		in("crd.yaml"))
	if code != exitFailed {
		t.Errorf("no such patch: %d\n%s%s", code, out, errs)
	}
	write(t, in("path.json"), `[{"op": "replace", "path": "/spec/scope", "value": "Cluster"}]`)
	code, out, errs = execute(t, "", "check", "--type", "json", "--patch", in("path.json"),
		in("crd.yaml"))
	if code != exitRefused || !strings.Contains(out,
		"spec.scope: Invalid value: \"Cluster\": field is immutable") {
		t.Errorf("a patched definition: %d\n%s%s", code, out, errs)
	}
}

// A definition is applied over a live one whose CA bundle another manager
// wrote.
func TestApplyDefinition(t *testing.T) {
	conversion := strings.Replace(byWebhook, `url: "https://127.0.0.1:1/"`,
		`caBundle: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K", service: {name: c, namespace: s}`, 1)
	live := strings.Replace(boxes(conversion, [2]string{"v1", onlyA}), "metadata: {name: boxes.ex.io}", `metadata:
  name: boxes.ex.io
  managedFields:
  - manager: helm
    operation: Apply
    apiVersion: apiextensions.k8s.io/v1
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:conversion": {"f:strategy": {}, "f:webhook": {"f:conversionReviewVersions": {}, "f:clientConfig": {"f:service": {"f:name": {}, "f:namespace": {}}}}},
      "f:group": {}, "f:scope": {}, "f:names": {"f:kind": {}, "f:listKind": {}, "f:plural": {}, "f:singular": {}}, "f:versions": {}}}
  - manager: cainjector
    operation: Update
    apiVersion: apiextensions.k8s.io/v1
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:conversion": {"f:webhook": {"f:clientConfig": {"f:caBundle": {}}}}}}`, 1) + established
	in := folder(t, map[string]string{
		"live.yaml": live, "new.yaml": boxes("", [2]string{"v1", onlyA}),
		"none.yaml":  boxes("{strategy: None}", [2]string{"v1", onlyA}),
		"other.yaml": boxes(strings.Replace(conversion, "LS0tLS1C", "LS0tLS2C", 1), [2]string{"v1", onlyA}),
	})
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"check", "--apply", "helm", "--old", "live.yaml", "new.yaml"}, exitRefused, "spec.conversion.strategy: Required value"},
		{[]string{"check", "--apply", "helm", "--old", "live.yaml", "none.yaml"}, exitRefused, "Forbidden"},
		{[]string{"check", "--old", "live.yaml", "new.yaml"}, exitOK, `an apply by "helm" is refused: `},
		{[]string{"check", "--apply", "helm", "--old", "live.yaml", "other.yaml"}, exitRefused,
			`conflict with "cainjector" using apiextensions.k8s.io/v1: .spec.conversion.webhook.clientConfig.caBundle`},
		{[]string{"upgrade", "live.yaml", "new.yaml"}, exitOK, `an apply by "helm" is refused: `},
	} {
		for i, arg := range c.args {
			if strings.HasSuffix(arg, ".yaml") {
				c.args[i] = in(arg)
			}
		}
		code, out, errs := execute(t, "", c.args...)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%v: exit code %d\n%s%s", c.args, code, out, errs)
		}
	}
}

// What a server, etcd and kubectl apply have no room for.
func TestSizes(t *testing.T) {
	described := func(n int) string {
		return strings.Replace(boxes("", [2]string{"v1", onlyA}), "a: {type: string}",
			"a: {type: string, description: "+strings.Repeat("x", n)+"}", 1)
	}
	in := folder(t, map[string]string{
		"small.yaml": described(1000), "apply.yaml": described(300_000), "etcd.yaml": described(1_600_000),
		"huge.yaml": described(3_200_000), "obj.yaml": boxOf("v1", "a: "+strings.Repeat("x", 3_200_000)),
		"large.yaml": boxOf("v1", "a: "+strings.Repeat("x", 300_000)),
	})
	for _, c := range []struct {
		command, file string
		code          int
		want          []string
	}{
		{"check", "small.yaml", exitOK, nil},
		{"check", "apply.yaml", exitOK, []string{"kubectl apply fails", "kubectl apply --server-side, or shorten the descriptions, which have 300000 bytes"}},
		{"lint", "apply.yaml", exitOK, []string{"kubectl apply fails"}},
		{"check", "etcd.yaml", exitOK, []string{"etcd takes requests of 1572864 bytes by default", "kubectl apply fails"}},
		{"check", "huge.yaml", exitRefused, []string{"Request entity too large: limit is 3145728 [PIPE-002]"}},
		{"validate", "obj.yaml", exitRefused, []string{"Request entity too large: limit is 3145728"}},
		{"validate", "large.yaml", exitOK, []string{"kubectl apply fails: it writes the whole object"}},
	} {
		args := []string{c.command, in(c.file)}
		if c.command == "validate" {
			args = append(args, "--crd", in("small.yaml"))
		}
		code, out, errs := execute(t, "", args...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s %s: %q is missing in\n%s%s", c.command, c.file, want, out, errs)
			}
		}
		if code != c.code || c.want == nil && strings.Contains(out, "bytes") {
			t.Errorf("%s %s: exit code %d\n%s%s", c.command, c.file, code, out, errs)
		}
	}
}

// roles has defaults in a list, and git what a server writes otherwise.
const (
	roles = `{type: object, properties: {roles: {type: array, items: {type: object, required: [name], properties: {
      name: {type: string}, limit: {type: integer, default: -1}}}}, note: {type: string}, size: {type: string}, d: {type: string, default: z}}}`
	inGit = `apiVersion: ex.io/v1
kind: Box
metadata: {name: a, namespace: default}
spec:
  size: 1000m
  roles:
  - {name: app, comment: hello, limit: null}
  - {name: ro}
`
	onServer = `apiVersion: ex.io/v1
kind: Box
metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"ex.io/v1","kind":"Box","metadata":{"annotations":{},"name":"a","namespace":"default"},"spec":{"note":"old","size":"1000m","roles":[{"name":"app"},{"name":"ro"}]}}
  creationTimestamp: "2026-11-28T12:15:12Z"
  generation: 1
  name: a
  namespace: default
  resourceVersion: "42"
  uid: c2c885d5-6875-43f9-a42c-182013778d2e
spec:
  d: z
  size: 1000m
  roles:
  - {limit: -1, name: app}
  - {limit: -1, name: ro}
`
)

// diff --server prints what an apply would change, and nothing that a server
// fills in.
func TestDiffServer(t *testing.T) {
	in := folder(t, map[string]string{
		"crd.yaml": boxes("", [2]string{"v1", roles}), "git.yaml": inGit, "live.yaml": onServer,
		"kept.yaml":    strings.Replace(onServer, "spec:\n  d", "spec:\n  note: old\n  d", 1),
		"changed.yaml": strings.Replace(inGit, "size: 1000m", "size: 2000m", 1),
		"new.yaml":     strings.Replace(inGit, "name: a,", "name: b,", 1),
		"bad.yaml":     strings.Replace(inGit, "size: 1000m", "size: 1", 1),
	})
	for _, c := range []struct {
		file, live string
		code       int
		out, err   string
	}{
		{"git.yaml", "live.yaml", exitOK, "", "git.yaml:7:17: spec.roles[0].comment is not stored"},
		{"git.yaml", "kept.yaml", exitRefused, "  - .spec.note: \"old\"", "comment is not stored"},
		{"changed.yaml", "live.yaml", exitRefused, `  ~ .spec.size: "1000m" -> "2000m"`, ""},
		{"new.yaml", "live.yaml", exitRefused, "  + .", ""},
		{"bad.yaml", "live.yaml", exitFailed, "", "bad.yaml:5:9: refused: spec.size: Invalid value: "},
	} {
		code, out, errs := execute(t, "", "diff", "--crd", in("crd.yaml"), "--server", in(c.live),
			in(c.file))
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.err) ||
			strings.Contains(out, "resourceVersion") || c.out == "" && out != "" {
			t.Errorf("%s: exit code %d\n%s%s", c.file, code, out, errs)
		}
	}
	code, out, errs := execute(t, "", "diff", "--default", "--crd", in("crd.yaml"), in("git.yaml"),
		in("live.yaml"))
	if code != exitOK || out != "" || !strings.Contains(errs, "comment is not stored") {
		t.Errorf("two files: exit code %d\n%s%s", code, out, errs)
	}
}

// diff --gitops names the values that a server writes otherwise, each by its
// rule.
func TestDiffGitOps(t *testing.T) {
	crd := strings.Replace(boxes("", [2]string{"v1", roles}), "  scope:",
		"  preserveUnknownFields: false\n  scope:", 1)
	crd = strings.Replace(crd, "kind: Box,", "kind: Box, shortNames: [],", 1)
	in := folder(t, map[string]string{"crd.yaml": crd, "git.yaml": inGit, "clean.yaml": boxOf("v1",
		"size: 10s, roles: []")})
	code, out, errs := execute(t, "", "diff", "--gitops", "--crd", in("crd.yaml"), in("crd.yaml"),
		in("git.yaml"), in("clean.yaml"))
	for _, want := range []string{
		"spec.preserveUnknownFields: the server leaves out an empty value",
		"spec.names.shortNames: the server leaves out an empty value",
		"spec.roles[0].comment: the schema does not declare it: the server removes it [PRN-001]",
		"spec.roles[0].limit: the server fills in a default",
		"spec.roles[1].limit: the server fills in a default, below a list, which is compared as a whole [DEF-002] (Argo CD)",
		"3 objects: 2 with drift",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s%s", want, out, errs)
		}
	}
	if code != exitRefused || strings.Contains(out, "spec.d:") || strings.Contains(out, "size") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if code, out, _ := execute(t, "", "diff", "--gitops", "--crd", in("crd.yaml"),
		in("clean.yaml")); code != exitOK {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
