package crdtest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/crdtest"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// projectSuites returns the suites of a project of the corpus, and its
// definitions. Of each definition it takes the variant with the given suffix,
// else the one without a suffix.
func projectSuites(
	t testing.TB, project, suffix, folder string,
) (crds []*crdtest.CRD, suites []*crdtest.Suite) {
	t.Helper()
	root := filepath.Join(corpus.Folder(t), project)
	files := map[string]string{}
	for _, file := range corpus.Manifests(t, project, "crds") {
		name, variant, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".yaml"), "--")
		if variant == suffix || variant == "" && files[name] == "" {
			files[name] = file.Path
		}
	}
	for _, file := range corpus.Manifests(t, project, "crds") {
		name, _, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".yaml"), "--")
		if files[name] == file.Path {
			found, err := crdtest.ReadCRDs(file.Path)
			if err != nil {
				t.Fatal(err)
			}
			crds = append(crds, found...)
		}
	}
	suites, err := crdtest.ReadSuites(filepath.Join(root, folder))
	if err != nil {
		t.Fatal(err)
	}
	return crds, suites
}

// Suites of projects are as their projects state.
func TestSuitesOfProjects(t *testing.T) {
	for _, c := range []struct {
		project, variant, folder string
		cases                    int
		// differs are cases for which the project does not state what a server
		// does.
		differs map[string]string
	}{
		{"gateway-api", "", "suite/examples", 117, nil},
		{"gateway-api", "", "suite/invalid-examples", 36, nil},
		{"gateway-api", "crd-standard", "suite/examples/standard", 109, nil},
		{"external-snapshotter", "", "suite", 53, nil},
		{"network-policy-api", "", "suite", 3, nil},
		// Istio asks the schema alone. A server removes nulls before that.
		{"istio", "", "suite", 111, map[string]string{
			"wasm-invalid#12": `- "spec in body must be of type object: \"null\"", + "spec: Required value"`,
			"wasm-invalid#13": `- "spec.url in body must be of type string: \"null\"", + "spec.url: Required value"`,
		}},
	} {
		t.Run(c.project+" "+c.variant+" "+c.folder, func(t *testing.T) {
			crds, suites := projectSuites(t, c.project, c.variant, c.folder)
			got, count := failures(t, crds, suites)
			if count != c.cases {
				t.Errorf("%d cases", count)
			}
			for name, text := range got {
				want, known := c.differs[filepath.Base(name)]
				if !known || !strings.Contains(strings.ReplaceAll(text, "`", `"`),
					strings.ReplaceAll(want, `\"`, `"`)) {
					t.Errorf("%s: %s", name, text)
				}
			}
			if len(got) != len(c.differs) {
				t.Errorf("%d cases differ", len(got))
			}
		})
	}
}

// The coverage of a project's own suite.
func TestCoverageOfProjects(t *testing.T) {
	crds, suites := projectSuites(t, "external-snapshotter", "", "suite")
	coverage := cover(t, crds, suites)
	got := map[string]string{}
	for _, v := range coverage.Versions {
		got[v.Name+" "+v.Version] = v.Score(crdtest.ValidationRules, crdtest.Operands).String()
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
