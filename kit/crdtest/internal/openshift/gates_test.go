package openshift

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/manifest"
)

// write writes a file below a folder.
func write(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// gateList is a list of gates of OpenShift, as its repository has them.
func gateList(profile, set, versions, enabled, disabled string) string {
	items := func(names string) string {
		var all []string
		for _, name := range strings.Fields(names) {
			all = append(all, "{name: "+name+"}")
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return fmt.Sprintf(`apiVersion: config.openshift.io/v1
kind: FeatureGate
metadata:
  annotations:
    include.release.openshift.io/%s: "true"
    release.openshift.io/feature-set: %s
    release.openshift.io/major-version: %q
status: {featureGates: [{enabled: %s, disabled: %s}]}
---
`, profile, set, versions, items(enabled), items(disabled))
}

// Which definitions are those of a suite with feature gates.
func TestHas(t *testing.T) {
	root := t.TempDir()
	write(t, root, "payload-manifests/featuregates/a.yaml",
		gateList("ha", "Default", "4", "GateA", "GateB")+
			gateList("ha", "Tech", "4,5", "GateA GateB", "")+
			gateList("one", "Default", "5", "GateB", "GateA")+
			gateList("ha", "Default", "6", "GateC", ""))
	write(t, root, "v1/tests/suite.yaml", "")
	var r Reader
	gates, err := r.gatesNear(filepath.Join(root, "v1", "tests"))
	if err != nil || gates == nil {
		t.Fatal(gates, err)
	}
	if again, err := r.gatesNear(root); again != gates || err != nil {
		t.Errorf("the lists are read twice (%v)", err)
	}
	other := t.TempDir()
	write(t, other, "payload-manifests/featuregates/a.yaml", "a: b")
	if found, err := r.gatesNear(other); found == gates || len(found.lists) != 1 || err != nil {
		t.Errorf("lists of another repository: %v (%v)", found, err)
	}
	if again, err := r.gatesNear(root); again != gates || err != nil {
		t.Errorf("the lists are read after others (%v)", err)
	}
	write(t, root, "v2/payload-manifests/featuregates", "a file")
	if again, err := r.gatesNear(filepath.Join(root, "v2")); again != gates || err != nil {
		t.Errorf("a file stands for the lists (%v)", err)
	}
	if none, err := r.gatesNear(t.TempDir()); none != nil || err != nil {
		t.Errorf("no lists: %v (%v)", none, err)
	}
	const (
		profile = "include.release.openshift.io/"
		set     = "release.openshift.io/feature-set"
		version = "release.openshift.io/major-version"
	)
	type notes = map[string]any
	ofHA, ofNone := notes{profile + "ha": "true"}, notes{profile + "other": "true"}
	for _, c := range []struct {
		annotations notes
		gates, want string
	}{
		{ofNone, "", "true"},
		{notes{set: "CustomNoUpgrade, Tech", profile + "ha": "true"}, "Unknown", "true"},
		{notes{set: "CustomNoUpgrade"}, "GateA -GateB", "false"},
		{notes{}, "GateA", "true"},
		{notes{profile + "ha": "false"}, "GateA", "true"},
		{ofHA, "GateA", "true"},
		{ofHA, "-GateA", "false"},
		{ofHA, "GateB", "false"},
		{ofHA, "-GateB", "true"},
		{ofHA, "GateA -GateB", "true"},
		{ofHA, "GateA GateB", "false"},
		{notes{set: "Tech", profile + "ha": "true"}, "GateA GateB", "true"},
		{notes{set: "None,Tech", profile + "ha": "true"}, "GateA GateB", "true"},
		{notes{version: "5", profile + "ha": "true"}, "GateA", "error: has no list for " + profile + "ha and the feature sets [Default]"},
		{notes{version: "5", profile + "one": "true"}, "GateA", "false"},
		{notes{version: "6", profile + "ha": "true"}, "GateC", "true"},
		{notes{"a": "true", profile + "one": "true"}, "GateA", "false"},
		{notes{profile + "a": "false", profile + "one": "true"}, "GateA", "false"},
		{notes{version: "3, 4", profile + "ha": "true"}, "GateA", "true"},
		{notes{profile + "one": "true", profile + "ha": "true"}, "GateA", "true"}, // the first by name
		{ofHA, "Unknown", `error: lists no feature gate "Unknown"`},
		{ofNone, "GateA", "error: has no list for " + profile + "other and the feature sets [Default]"},
	} {
		got, err := gates.Has(c.annotations, strings.Fields(c.gates))
		text := fmt.Sprint(got)
		if err != nil {
			if got {
				t.Errorf("%v, %s: true with an error", c.annotations, c.gates)
			}
			text = "error: " + strings.TrimPrefix(err.Error(), gates.folder+" ")
		}
		if text != c.want {
			t.Errorf("%v, %s: %s, want %s", c.annotations, c.gates, text, c.want)
		}
	}
	if has, err := (*Gates)(nil).Has(ofHA, []string{"GateA"}); has || err == nil ||
		!strings.HasPrefix(err.Error(), "no folder ") {
		t.Errorf("without lists: %t, %v", has, err)
	}
	items := []any{map[string]any{"name": "A"}, map[string]any{"name": 3}, "B"}
	on := gatesOf(map[string]any{"status": map[string]any{"featureGates": []any{
		map[string]any{"enabled": items}, map[string]any{"enabled": []any{}}}}})
	if diff := cmp.Diff(map[string]bool{"A": true}, on); diff != "" {
		t.Errorf("gates without a name: %s", diff)
	}
	for _, status := range []map[string]any{nil, {"featureGates": []any{}}} {
		if on := gatesOf(map[string]any{"status": status}); len(on) != 0 {
			t.Errorf("%v has the gates %v", status, on)
		}
	}
	write(t, root, "payload-manifests/featuregates/b.yaml", "a: [")
	if _, err := new(Reader).gatesNear(root); err == nil {
		t.Error("a list that is no YAML was read")
	}
}

// A folder that is gone is not known to be in a repository.
func TestGatesOfNoFolder(t *testing.T) {
	gone := t.TempDir()
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skip(err) // a system that keeps the current folder, e.g. Windows
	}
	if gates, err := new(Reader).gatesNear("."); gates != nil || err == nil {
		t.Errorf("%v", gates)
	}
}

// A suite names its definition and has its tests.
func TestRead(t *testing.T) {
	root := t.TempDir()
	read := func(text string) (*Suite, error) {
		t.Helper()
		if !strings.Contains(text, "tests:") {
			text += "tests: {}\n"
		}
		write(t, root, "v1/tests/a/suite.yaml", text)
		for o, err := range manifest.Objects(manifest.Find(
			[]string{filepath.Join(root, "v1", "tests", "a", "suite.yaml")}, nil)) {
			if err != nil {
				t.Fatal(err)
			}
			return new(Reader).Read(o)
		}
		return nil, nil
	}
	const tests = `tests:
  onCreate:
  - {name: one, initial: "a: 1", expected: "a: 2"}
  - {name: two, initial: "a: 1", expected: "a: 2", expectedError: e}
  onUpdate:
  - {name: three, initial: "a: 1", updated: "a: 3", expectedStatusError: s,
    initialCRDPatches: [{op: add, path: /spec, value: {b: 1}}, {op: remove, path: /c}]}
`
	suite, err := read("name: suite\ncrdName: c\nversion: v1\n" + tests)
	one := map[string]any{"a": int64(1)}
	want := &Suite{
		Name: "suite", CRDName: "c", Version: "v1",
		OnCreate: []Test{
			{Name: "one", Line: 6, Initial: one, Expected: map[string]any{"a": int64(2)}},
			{Name: "two", Line: 7, Initial: one, Error: "e"},
		},
		OnUpdate: []Test{{
			Name: "three", Line: 9, Initial: one, Updated: map[string]any{"a": int64(3)},
			StatusError: "s",
			CRDPatches: []Patch{
				{"add", "/spec", map[string]any{"b": int64(1)}}, {"remove", "/c", nil}},
		}},
	}
	if diff := cmp.Diff(want, suite); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	suite, err = read("name: suite\ncrd: x.yaml\n")
	if err != nil || len(suite.CRDFiles) != 1 ||
		suite.CRDFiles[0] != filepath.Join(root, "v1", "tests", "a", "x.yaml") {
		t.Errorf("%+v (%v)", suite, err)
	}
	file := filepath.Join(root, "v1", "tests", "a", "suite.yaml")
	write(t, root, "v1/zz_generated.crd-manifests", "a file")
	const neither = ":1:1: neither crdName nor crd says which definition is tested"
	if _, err := read("name: suite\n"); err == nil || err.Error() != file+neither {
		t.Errorf("without a definition: %v", err)
	}
	write(t, root, "v1/payload-manifests/featuregates/a.yaml", "a: [")
	if suite, err := read("name: suite\ncrd: x.yaml\nfeatureGates: [A]\n"); err == nil ||
		suite != nil {
		t.Errorf("lists that are no YAML: %v", suite)
	}
	for _, name := range []string{"payload-manifests", "zz_generated.crd-manifests"} {
		if err := os.RemoveAll(filepath.Join(root, "v1", name)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, root, "v1/zz_generated.crd-manifests/a.yaml", "")
	generated := filepath.Join(root, "v1", "zz_generated.crd-manifests")
	suite, err = read("name: suite\n")
	if err != nil || len(suite.CRDFiles) != 1 || suite.CRDFiles[0] != generated {
		t.Errorf("generated: %+v (%v)", suite, err)
	}
	if suite, _ = read("name: suite\ncrd: x.yaml\n"); len(suite.CRDFiles) != 1 ||
		suite.CRDFiles[0] == generated {
		t.Errorf("a definition that is named: %v", suite.CRDFiles)
	}
	if suite, err = read("name: suite\nfeatureGates: [A]\n"); suite.Gates != nil || err != nil {
		t.Errorf("gates of no list: %v (%v)", suite.Gates, err)
	}
	if _, err := read("name: [n]\ncrdName: c\n"); err == nil {
		t.Error("a name that is a list was read")
	}
}
