package crdtest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/crdcases"
)

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
			crds, suites := crdcases.Project(t, c.project, c.variant, c.folder)
			got, count := crdcases.Failures(t, crds, suites)
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
